// Further passes and verdicts.
#include "base/check.h"
#include "tests/p4/interpreter/harness.h"

namespace perfpact::p4::core {
namespace {

using program::EventKind;

struct PassesTest : InterpreterTest {
  SlotId x = b.slot("x", 8);
  SlotId port = b.slot("port", 9);
  SlotId rid = b.slot("rid", 16);
  /// Shows port, rid and instance_type, then sends to `port`.
  ProcedureId egress = make_egress();

  ProcedureId make_egress() {
    const ProcedureId procedure = b.procedure("egress");
    for (SlotId slot : {port, rid, b.program.instance_type}) show(slot);
    b.add(SendPacket{b.of(port)});
    b.at(ProcedureId{0});
    return procedure;
  }
  std::string verdict_of(Bytes bytes = {}) { return to_string(run(std::move(bytes)).verdict); }
  static std::vector<std::uint64_t> ports(const program::Trace& trace) {
    std::vector<std::uint64_t> out;
    for (const program::OutputPacket& packet : trace.outputs) out.push_back(packet.port);
    return out;
  }
};

TEST_F(PassesTest, SentDroppedAndNeither) {
  const BlockId send = b.block(), other = b.block(), drop = b.block(), neither = b.block();
  b.add(PacketRead{x});
  b.end(Select{{b.of(x)}, {{{Pattern{false, 1, 0xff}}, send}}, other});
  b.at(send);
  b.add(SendPacket{bits(9, 7)});
  b.at(other);
  b.end(Select{{b.of(x)}, {{{Pattern{false, 2, 0xff}}, drop}}, neither});
  b.at(drop);
  b.add(DropPacket{});
  const program::Trace sent = run({1, 2});
  EXPECT_EQ(to_string(sent.verdict), "sent(7)");
  ASSERT_EQ(sent.outputs.size(), 1U);
  EXPECT_EQ(sent.outputs[0].bytes, (Bytes{1, 2})) << "as it came: nothing was committed";
  EXPECT_EQ(verdict_of({2}), "dropped");
  EXPECT_EQ(verdict_of({3}), "dropped");
}

TEST_F(PassesTest, AFurtherPassKeepsWhatIsListed) {
  const SlotId y = b.slot("y", 8);
  const SlotId z = b.slot("z", 8);
  const ProcedureId second = b.procedure("second");
  for (SlotId slot : {x, y, z, b.program.ingress_port, b.program.packet_length, b.program.instance_type})
    show(slot);
  b.at(ProcedureId{0});
  for (SlotId slot : {x, y, z}) b.set(slot, 5);
  b.add(Enqueue{PassKind::Recirculate, second, false, {x, y}, {{y, b.of(x)}, {z, bits(8, 9)}}});
  b.set(x, 77);
  EXPECT_EQ(run_and_show({1}, 3), (Numbers{5, 5, 9, 0, 0, 4})) << "the slots as they were";
}

TEST_F(PassesTest, TheOtherSlotsOfAFurtherPassAreZero) {
  const SlotId y = b.slot("y", 8);
  const ProcedureId second = b.procedure("second");
  show(x);
  show(y);
  b.at(ProcedureId{0});
  b.set(x, 5);
  b.set(y, 5);
  b.add(Enqueue{PassKind::Resubmit, second, true, {y}, {}});
  EXPECT_EQ(run_and_show(), (Numbers{0, 5}));
}

TEST_F(PassesTest, InstanceTypeIsTheDriversUnlessSet) {
  const ProcedureId second = b.procedure("second");
  show(b.program.instance_type);
  b.at(ProcedureId{0});
  b.set(b.program.instance_type, 50);
  const SlotId instance = b.program.instance_type;
  for (PassKind kind : {PassKind::CloneIngress, PassKind::CloneEgress})
    b.add(Enqueue{kind, second, false, {instance}, {}});
  b.add(Enqueue{PassKind::CloneEgress, second, false, {}, {{instance, bits(32, 33)}}});
  b.add(Enqueue{PassKind::Resubmit, second, false, {instance}, {}});
  EXPECT_EQ(run_and_show(), (Numbers{1, 2, 33, 6}));
}

TEST_F(PassesTest, PacketOfAFurtherPass) {
  const ProcedureId second = b.procedure("second");
  const SlotId length = b.slot("length", 32);
  b.add(PacketLength{length});
  show(length);
  b.add(PacketRead{x});
  show(x);
  b.at(ProcedureId{0});
  b.add(PacketAdvance{bits(32, 8)});
  b.add(Enqueue{PassKind::CloneIngress, second, true, {}, {}});
  b.add(Enqueue{PassKind::CloneIngress, second, false, {}, {}});
  b.add(PacketEmit{bits(16, 0xabcd)});
  b.add(PacketCommit{});
  b.add(Enqueue{PassKind::CloneEgress, second, true, {}, {}});
  b.add(Enqueue{PassKind::CloneEgress, second, false, {}, {}});
  EXPECT_EQ(run_and_show({1, 2, 3}), (Numbers{3, 1, 3, 2, 3, 1, 4, 0xab}));
}

TEST_F(PassesTest, WhatWasEmittedGoesAlong) {
  const ProcedureId second = b.procedure("second");
  b.add(PacketEmit{bits(8, 2)});
  b.add(PacketCommit{});
  b.add(SendPacket{bits(9, 1)});
  b.at(ProcedureId{0});
  b.add(PacketEmit{bits(8, 1)});
  b.add(Enqueue{PassKind::Recirculate, second, false, {}, {}});
  EXPECT_EQ(run({9}).outputs[0].bytes, (Bytes{1, 2, 9}));
}

TEST_F(PassesTest, TheTruncationLimitStaysWithThePass) {
  b.add(PacketTruncate{bits(32, 1)});
  b.add(Enqueue{PassKind::CloneEgress, egress, false, {}, {{port, bits(9, 2)}}});
  b.add(SendPacket{bits(9, 1)});
  const program::Trace trace = run({1, 2, 3});
  EXPECT_EQ(trace.outputs[0].bytes.size(), 1U);
  EXPECT_EQ(trace.outputs[1].bytes.size(), 3U);
}

TEST_F(PassesTest, OriginalIsThatOfTheLastArrival) {
  const ProcedureId third = b.procedure("third");
  const SlotId length = b.slot("length", 32);
  b.add(PacketLength{length});
  show(length);
  const ProcedureId second = b.procedure("second");
  b.add(PacketEmit{bits(8, 2)});
  b.add(PacketCommit{});
  b.add(Enqueue{PassKind::Resubmit, third, true, {}, {}});
  b.at(ProcedureId{0});
  b.add(PacketEmit{bits(8, 1)});
  b.add(PacketCommit{});
  b.add(Enqueue{PassKind::Recirculate, second, false, {}, {}});
  EXPECT_EQ(run_and_show({9}), (Numbers{2})) << "not 1, not 3";
}

TEST_F(PassesTest, Multicast) {
  control_plane.multicast_groups = {{4, {{1, 0}}}, {5, {{1, 10}, {2, 20}, {3, 30}}}};
  b.set(x, 5);
  b.add(EnqueueGroup{b.of(x), egress, {}, {}, port, rid});
  const program::Trace trace = run({1, 2});
  EXPECT_EQ(to_string(trace.verdict), "multicast(5, 3)");
  EXPECT_EQ(shown(trace), (Numbers{1, 10, 5, 2, 20, 5, 3, 30, 5}));
  EXPECT_EQ(ports(trace), (std::vector<std::uint64_t>{1, 2, 3}));
  program::PathHasher expected;
  for (PassKind kind : {PassKind::Normal, PassKind::Replica, PassKind::Replica, PassKind::Replica})
    expected.decide(kPassSite, static_cast<std::uint64_t>(kind));
  EXPECT_EQ(trace.path, expected.id());
}

TEST_F(PassesTest, OnlyCopiesThatAreSentCount) {
  control_plane.multicast_groups = {{5, {{1, 0}, {2, 0}, {3, 0}}}};
  const ProcedureId picky = b.procedure("picky");
  const BlockId send = b.block(), drop = b.block();
  b.end(Select{{b.of(port)}, {{{Pattern{false, 2, 0x1ff}}, drop}}, send});
  b.at(send);
  b.add(SendPacket{b.of(port)});
  b.at(drop);
  b.add(DropPacket{});
  b.at(ProcedureId{0});
  b.add(EnqueueGroup{bits(16, 5), picky, {}, {}, port, rid});
  EXPECT_EQ(verdict_of(), "multicast(5, 2)");
}

TEST_F(PassesTest, AGroupWithoutReplicasDrops) {
  control_plane.multicast_groups = {{5, {}}};
  b.add(PacketRead{x});
  b.add(EnqueueGroup{b.of(x), egress, {}, {}, port, rid});
  EXPECT_EQ(verdict_of({5}), "dropped");
  EXPECT_EQ(verdict_of({6}), "dropped") << "there is no group 6";
}

TEST_F(PassesTest, APortOfAReplicaThatDoesNotFit) {
  control_plane.multicast_groups = {{5, {{600, 0}}}};
  b.add(EnqueueGroup{bits(16, 5), egress, {}, {}, port, rid});
  EXPECT_EQ(verdict_of(), "error(600 does not fit in the 9 bits of port)");
}

TEST_F(PassesTest, ClonesAddOutputsButNotTheVerdict) {
  control_plane.clone_sessions = {{7, {{3, 30}, {4, 40}}, 2}};
  b.add(PacketRead{x});
  b.add(EnqueueClone{bits(32, 7), PassKind::CloneIngress, egress, true, {}, {}, port, rid});
  const BlockId send = b.block(), drop = b.block();
  b.end(Select{{b.of(x)}, {{{Pattern{false, 1, 0xff}}, send}}, drop});
  b.at(send);
  b.add(SendPacket{bits(9, 1)});
  b.at(drop);
  b.add(DropPacket{});
  const program::Trace sent = run({1, 2, 3});
  EXPECT_EQ(to_string(sent.verdict), "sent(1)");
  EXPECT_EQ(ports(sent), (std::vector<std::uint64_t>{1, 3, 4}));
  EXPECT_EQ(shown(sent), (Numbers{3, 30, 1, 4, 40, 1}));
  EXPECT_EQ(sent.outputs[0].bytes, (Bytes{1, 2, 3}));
  EXPECT_EQ(sent.outputs[1].bytes, (Bytes{1, 2})) << "the session's limit";
  const program::Trace dropped = run({2, 2, 3});
  EXPECT_EQ(to_string(dropped.verdict), "dropped");
  EXPECT_EQ(ports(dropped), (std::vector<std::uint64_t>{3, 4}));
}

TEST_F(PassesTest, ASessionThatDoesNotExistClonesNothing) {
  b.add(EnqueueClone{bits(32, 7), PassKind::CloneIngress, egress, true, {}, {}, port, rid});
  b.add(SendPacket{bits(9, 1)});
  EXPECT_EQ(ports(run()), (std::vector<std::uint64_t>{1}));
}

TEST_F(PassesTest, WhatFollowsFromACloneIsACopyToo) {
  control_plane.multicast_groups = {{5, {{1, 0}, {2, 0}}}};
  const ProcedureId clone = b.procedure("clone");
  b.add(EnqueueGroup{bits(16, 5), egress, {}, {}, port, rid});
  b.at(ProcedureId{0});
  b.add(Enqueue{PassKind::CloneIngress, clone, true, {}, {}});
  b.add(Enqueue{PassKind::Resubmit, egress, true, {}, {{port, bits(9, 8)}}});
  const program::Trace trace = run();
  EXPECT_EQ(to_string(trace.verdict), "sent(8)");
  EXPECT_EQ(ports(trace), (std::vector<std::uint64_t>{8, 1, 2})) << "in the order of enqueuing";
}

TEST_F(PassesTest, TheTraceTellsWhichEventsAreOfCopies) {
  control_plane.clone_sessions = {{7, {{3, 30}}, 0}};
  control_plane.multicast_groups = {{5, {{1, 0}, {2, 0}}}};
  const ProcedureId again = b.procedure("again");
  b.add(Enqueue{PassKind::Recirculate, egress, false, {}, {{port, bits(9, 9)}}});
  const ProcedureId second = b.procedure("second");
  b.raise(EventKind::Recirculate);
  b.add(EnqueueGroup{bits(16, 5), again, {}, {}, port, rid});
  b.at(ProcedureId{0});
  b.add(EnqueueClone{bits(32, 7), PassKind::CloneEgress, egress, false, {}, {}, port, rid});
  b.raise(EventKind::Clone);
  b.raise(EventKind::Resubmit);
  b.add(Enqueue{PassKind::Resubmit, second, true, {}, {}});
  const program::Trace trace = run();
  EXPECT_EQ(to_string(trace.verdict), "multicast(5, 2)");
  // The original, its clone (3 events), the original resubmitted, two replicas without an event, both
  // recirculated.
  EXPECT_EQ(trace.passes,
            (std::vector<program::Pass>{
                {0, false}, {2, true}, {5, false}, {6, true}, {6, true}, {6, true}, {9, true}}));
  EXPECT_EQ(trace.events.size(), 12U);
}

TEST_F(PassesTest, AFailureInACloneIsTheVerdict) {
  const ProcedureId clone = b.procedure("clone");
  b.add(Fail{"assertion failed"});
  b.at(ProcedureId{0});
  b.add(Enqueue{PassKind::CloneIngress, clone, true, {}, {}});
  b.add(SendPacket{bits(9, 1)});
  const program::Trace trace = run();
  EXPECT_EQ(to_string(trace.verdict), "error(assertion failed)");
  EXPECT_EQ(ports(trace), (std::vector<std::uint64_t>{1}));
}

TEST_F(PassesTest, EndlessPassesMeetTheLimit) {
  b.raise(EventKind::Resubmit);
  b.add(Enqueue{PassKind::Resubmit, ProcedureId{0}, true, {}, {}}, {FileId{1}, {7, 3}, {7, 9}});
  const program::Trace trace = run();
  EXPECT_EQ(trace.verdict,
            program::Verdict(program::Gap{"more than 64 passes", {FileId{1}, {7, 3}, {7, 9}}}));
  EXPECT_EQ(trace.events.size(), 64U);
}

TEST_F(PassesTest, TheGapStandsWhereThePassWasAskedFor) {
  limits.passes = 1;
  b.raise(EventKind::Clone);
  b.program.sites.back().at = {FileId{1}, {5, 1}, {5, 6}};
  b.add(Enqueue{PassKind::CloneIngress, egress, true, {}, {}}, {FileId{1}, {9, 1}, {9, 2}});
  b.add(SendPacket{bits(9, 1)});
  const program::Trace trace = run();
  EXPECT_EQ(trace.verdict, program::Verdict(program::Gap{"more than 1 passes", {FileId{1}, {5, 1}, {5, 6}}}));
  EXPECT_EQ(ports(trace), (std::vector<std::uint64_t>{1})) << "outputs so far stay listed";
}

TEST_F(PassesTest, AsManyPassesAsTheLimitAreFine) {
  limits.passes = 2;
  b.add(Enqueue{PassKind::Resubmit, egress, true, {}, {{port, bits(9, 8)}}});
  EXPECT_EQ(verdict_of(), "sent(8)");
}

using PassesDeathTest = PassesTest;

TEST_F(PassesDeathTest, APassHasOneFate) {
  b.add(SendPacket{bits(9, 1)});
  b.add(DropPacket{});
  EXPECT_EXIT((void)run(), testing::ExitedWithCode(kExitInternalError), "a second fate");
}

}  // namespace
}  // namespace perfpact::p4::core
