#include "p4/core/verify.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "tests/p4/core/program_builder.h"

namespace perfpact::p4::core {
namespace {

void expect_violation(const Program& program, const std::string& message) {
  EXPECT_EXIT(verify(program), testing::ExitedWithCode(kExitInternalError), message);
}
/// A program whose procedure `main` has just this instruction.
void expect_violation(ProgramBuilder b, Action action, const std::string& message) {
  b.add(std::move(action));
  expect_violation(b.program, "procedure main, block 0, instruction 0: " + message);
}
void expect_violation(ProgramBuilder b, Terminator terminator, const std::string& message) {
  b.end(std::move(terminator));
  expect_violation(b.program, "procedure main, end of block 0: " + message);
}

struct Slots : testing::Test {
  ProgramBuilder b;
  SlotId flag = b.slot("flag", 1);
  SlotId byte = b.slot("byte", 8);
  SlotId word = b.slot("word", 32);
  SlotId nowhere{1000};
};
using VerifyDeathTest = Slots;

TEST_F(VerifyDeathTest, AcceptsEveryInstruction) {
  const ObjectId r = b.object(ObjectKind::Register, "r", 4, 8);
  const ObjectId c = b.object(ObjectKind::Counter, "c", 4);
  const ObjectId m = b.object(ObjectKind::Meter, "m", 4);
  b.program.headers.push_back({"hdr.h", "h_t", flag});
  const SlotId port = b.slot("port", 9);
  for (Action action : std::initializer_list<Action>{
           Compute{Op::Add, byte, {b.of(byte), bits(8, 255)}},
           Compute{Op::ShiftLeft, byte, {b.of(byte), b.of(word)}},
           Compute{Op::Less, flag, {b.of(byte), bits(8, 1)}},
           Compute{Op::Concat, word, {b.of(byte), bits(24, 0)}},
           Compute{Op::Extract, byte, {b.of(word)}, 15, 8},
           Compute{Op::Insert, word, {b.of(word), b.of(byte)}, 7, 0},
           Compute{Op::ZeroExtend, word, {b.of(byte)}},
           Compute{Op::Truncate, byte, {b.of(word)}},
           Compute{Op::Choose, byte, {b.of(flag), b.of(byte), bits(8, 0)}},
           PacketLength{word},
           PacketRemaining{word},
           PacketRead{byte},
           PacketReadVarbit{byte, b.of(word)},
           PacketPeek{byte, 3},
           PacketAdvance{b.of(word)},
           PacketEmit{b.of(byte)},
           PacketEmitVarbit{b.of(byte), b.of(word)},
           PacketCommit{},
           PacketTruncate{b.of(word)},
           b.lookup(one_key_table(8, tables::MatchKind::Exact), {b.of(byte)}),
           Hash{HashAlgorithm::Crc32, byte, {{b.of(byte), b.of(word), b.of(flag)}}, true},
           RegisterRead{r, b.of(word), byte},
           RegisterWrite{r, b.of(word), b.of(byte)},
           Count{c, b.of(word)},
           Meter{m, b.of(word), byte},
           Random{byte, bits(8, 1), bits(8, 6)},
           Enqueue{PassKind::Resubmit, ProcedureId{0}, true, {byte}, {{byte, bits(8, 1)}}},
           EnqueueGroup{bits(16, 1), ProcedureId{0}, {byte}, {}, port, word},
           EnqueueClone{b.of(word), PassKind::CloneEgress, ProcedureId{0}, false, {}, {}, port, word},
           SendPacket{b.of(port)},
           DropPacket{},
           Fail{"x"}})
    b.add(std::move(action));
  b.raise(program::EventKind::Assign, {bits(32, 8)});
  b.procedure("other");
  b.add(Call{ProcedureId{0}});
  const BlockId next = b.block();
  Select select{{b.of(byte)},
                {{{Pattern{false, 3, 0xff}}, next}, {{Pattern{true, 9, 4}}, next}},
                next,
                true,
                b.decision()};
  b.end(select);
  b.at(next);
  b.end(Branch{b.of(flag), next, BlockId{0}, true, b.decision()});
  verify(b.program);
}

TEST_F(VerifyDeathTest, Operands) {
  expect_violation(b, SendPacket{Operand::of(nowhere, 9)}, "there is no slot 1000");
  expect_violation(b, SendPacket{Operand::of(byte, 9)}, "slot 5 has 8 bits instead of 9");
  expect_violation(b, SendPacket{bits(8, 256)}, "the constant 256 does not fit in 8 bits");
  expect_violation(b, SendPacket{bits(8, -1)}, "the constant -1 does not fit in 8 bits");
  expect_violation(b, SendPacket{bits(65, 1)}, "an operand has 65 bits, more than 64");
}

TEST_F(VerifyDeathTest, ComputationsOfEveryShape) {
  expect_violation(b, Compute{Op::Add, byte, {b.of(byte)}}, "add has 1 operands instead of 2");
  expect_violation(b, Compute{Op::Add, nowhere, {b.of(byte), b.of(byte)}}, "there is no slot 1000");
  for (Compute wrong :
       std::initializer_list<Compute>{{Op::Copy, byte, {b.of(word)}},
                                      {Op::Add, byte, {b.of(byte), b.of(word)}},
                                      {Op::ShiftLeft, byte, {b.of(word), b.of(byte)}},
                                      {Op::Less, byte, {b.of(byte), b.of(byte)}},
                                      {Op::Less, flag, {b.of(byte), b.of(word)}},
                                      {Op::Concat, word, {b.of(byte), b.of(byte)}},
                                      {Op::Extract, byte, {b.of(word)}, 8, 0},
                                      {Op::Extract, byte, {b.of(word)}, 32, 25},
                                      {Op::Extract, byte, {b.of(word)}, 0, 8},
                                      {Op::Insert, word, {b.of(word), b.of(byte)}, 8, 0},
                                      {Op::Insert, word, {b.of(byte), b.of(byte)}, 7, 0},
                                      {Op::Insert, word, {b.of(word), b.of(byte)}, 32, 25},
                                      {Op::ZeroExtend, byte, {b.of(word)}},
                                      {Op::SignExtend, byte, {b.of(word)}},
                                      {Op::Truncate, word, {b.of(byte)}},
                                      {Op::Choose, byte, {b.of(byte), b.of(byte), b.of(byte)}},
                                      {Op::Choose, byte, {b.of(flag), b.of(byte), b.of(word)}},
                                      {Op::Choose, byte, {b.of(flag), b.of(word), b.of(byte)}}})
    expect_violation(b, wrong, fmt::format("the widths of {} do not go together", to_string(wrong.op)));
}

TEST_F(VerifyDeathTest, Events) {
  expect_violation(b, RaiseEvent{SiteId{0}, {}}, "there is no event site 0");
  const SiteId drop = b.site(program::EventKind::Drop);
  expect_violation(b, RaiseEvent{drop, {bits(32, 1)}}, "drop has no number 0");
  expect_violation(b, RaiseEvent{drop, {b.of(word)}}, "drop has no number 0");
  const SiteId assign = b.site(program::EventKind::Assign);
  expect_violation(b, RaiseEvent{assign, {bits(65, 1)}}, "an operand has 65 bits, more than 64");
  expect_violation(b, RaiseEvent{assign, {bits(32, 1), bits(32, 1)}}, "assign has no number 1");
}

TEST_F(VerifyDeathTest, Packet) {
  const std::string to = "slot 5 has 8 bits instead of 32";
  const std::string from = "an operand has 8 bits instead of 32";
  const std::string none = "there is no slot 1000";
  expect_violation(b, PacketLength{byte}, to);
  expect_violation(b, PacketRemaining{byte}, to);
  expect_violation(b, PacketRead{nowhere}, none);
  expect_violation(b, PacketReadVarbit{byte, b.of(byte)}, from);
  expect_violation(b, PacketReadVarbit{nowhere, b.of(word)}, none);
  expect_violation(b, PacketPeek{nowhere, 0}, none);
  expect_violation(b, PacketAdvance{b.of(byte)}, from);
  expect_violation(b, PacketEmit{Operand::of(nowhere, 8)}, none);
  expect_violation(b, PacketEmitVarbit{b.of(byte), b.of(byte)}, from);
  expect_violation(b, PacketTruncate{b.of(byte)}, from);
}

TEST_F(VerifyDeathTest, Lookups) {
  const Lookup good = b.lookup(one_key_table(8, tables::MatchKind::Exact), {b.of(byte)});
  const auto broken = [&](auto&& change) {
    Lookup wrong = good;
    change(wrong);
    return wrong;
  };
  expect_violation(b, broken([](Lookup& i) { i.table = tables::TableId{1}; }), "there is no table 1");
  expect_violation(b, broken([](Lookup& i) { i.decision = DecisionId{1}; }), "there is no decision 1");
  expect_violation(b, broken([](Lookup& i) { i.keys.clear(); }),
                   "ingress.t is looked up with 0 keys instead of 1");
  expect_violation(b, broken([&](Lookup& i) { i.keys[0] = b.of(word); }),
                   "an operand has 32 bits instead of 8");
  expect_violation(b, broken([&](Lookup& i) { i.hit = byte; }), "slot 5 has 8 bits instead of 1");
  expect_violation(b, broken([&](Lookup& i) { i.action = byte; }), "slot 5 has 8 bits instead of 32");
  expect_violation(b, broken([&](Lookup& i) { i.entries = byte; }), "slot 5 has 8 bits instead of 64");
  expect_violation(b, broken([&](Lookup& i) { i.visited = byte; }), "slot 5 has 8 bits instead of 64");
  expect_violation(b, broken([&](Lookup& i) { i.prefix_length = byte; }), "slot 5 has 8 bits instead of 32");
  expect_violation(b, broken([](Lookup& i) { i.data.pop_back(); }),
                   "ingress.t has data for 1 actions instead of 2");
  expect_violation(b, broken([](Lookup& i) { i.data[0].clear(); }), "ingress.set has 1 parameters, not 0");
  expect_violation(b, broken([&](Lookup& i) { i.data[0][0] = byte; }), "slot 5 has 8 bits instead of 16");
}

TEST_F(VerifyDeathTest, HashesObjectsRandom) {
  expect_violation(b, Hash{HashAlgorithm::Crc32, nowhere, {}, false}, "there is no slot 1000");
  expect_violation(b, Hash{HashAlgorithm::Crc32, byte, {{b.of(byte), b.of(byte), bits(1, 1)}}, false},
                   "an operand has 8 bits instead of 32");
  expect_violation(b, Hash{HashAlgorithm::Crc32, byte, {{b.of(byte), b.of(word), b.of(byte)}}, false},
                   "an operand has 8 bits instead of 1");
  const ObjectId r = b.object(ObjectKind::Register, "r", 4, 8);
  const ObjectId c = b.object(ObjectKind::Counter, "c", 4);
  expect_violation(b, RegisterRead{r, bits(8, 0), word}, "slot 6 has 32 bits instead of 8");
  expect_violation(b, RegisterRead{c, bits(8, 0), byte}, "object c is of another kind");
  expect_violation(b, RegisterRead{ObjectId{2}, bits(8, 0), byte}, "there is no object 2");
  expect_violation(b, RegisterWrite{r, bits(8, 0), b.of(word)}, "an operand has 32 bits instead of 8");
  expect_violation(b, Count{r, bits(8, 0)}, "object r is of another kind");
  expect_violation(b, Meter{r, bits(8, 0), byte}, "object r is of another kind");
  expect_violation(b, Random{byte, b.of(word), bits(8, 0)}, "an operand has 32 bits instead of 8");
  expect_violation(b, Random{byte, bits(8, 0), b.of(word)}, "an operand has 32 bits instead of 8");
}

TEST_F(VerifyDeathTest, PassesAndFates) {
  const ProcedureId none{7};
  expect_violation(b, Call{none}, "there is no procedure 7");
  expect_violation(b, Enqueue{PassKind::Resubmit, none, true, {}, {}}, "there is no procedure 7");
  expect_violation(b, Enqueue{PassKind::Resubmit, {}, true, {nowhere}, {}}, "there is no slot 1000");
  expect_violation(b, Enqueue{PassKind::Resubmit, {}, true, {}, {{byte, b.of(word)}}},
                   "an operand has 32 bits instead of 8");
  expect_violation(b, EnqueueGroup{bits(65, 0), {}, {}, {}, byte, byte},
                   "an operand has 65 bits, more than 64");
  expect_violation(b, EnqueueGroup{bits(16, 0), {}, {}, {}, nowhere, byte}, "there is no slot 1000");
  expect_violation(b, EnqueueClone{bits(16, 0), PassKind::Replica, {}, false, {}, {}, byte, byte},
                   "a clone of another kind");
  expect_violation(b, EnqueueClone{bits(16, 0), PassKind::CloneEgress, {}, false, {}, {}, byte, nowhere},
                   "there is no slot 1000");
  expect_violation(b, Fail{""}, "a failure without a name");
}

TEST_F(VerifyDeathTest, Terminators) {
  const BlockId none{9};
  expect_violation(b, Jump{none}, "there is no block 9");
  expect_violation(b, Branch{b.of(byte), {}, {}}, "an operand has 8 bits instead of 1");
  expect_violation(b, Branch{b.of(flag), none, {}}, "there is no block 9");
  expect_violation(b, Branch{b.of(flag), {}, none}, "there is no block 9");
  expect_violation(b, Branch{b.of(flag), {}, {}, true, DecisionId{0}}, "there is no decision 0");
  const auto select = [&](std::vector<Pattern> patterns, BlockId to = {}) {
    return Select{{b.of(byte)}, {{std::move(patterns), to}}, {}};
  };
  expect_violation(b, select({}), "a case with another number of patterns than operands");
  expect_violation(b, select({{false, 0, 256}}), "a pattern is wider than its operand's 8 bits");
  expect_violation(b, select({{true, 256, 256}}), "a pattern is wider than its operand's 8 bits");
  expect_violation(b, select({{false, 3, 1}}), "a pattern has bits outside its mask and never matches");
  expect_violation(b, select({{false, 0, 0}}, none), "there is no block 9");
  expect_violation(b, Select{{}, {}, none}, "there is no block 9");
  expect_violation(b, Select{{}, {}, {}, true, DecisionId{0}}, "there is no decision 0");
}

TEST_F(VerifyDeathTest, ProceduresAndDriverSlots) {
  const auto broken = [&](auto&& change) {
    Program wrong = b.program;
    change(wrong);
    return wrong;
  };
  expect_violation(broken([](Program& p) { p.procedures[0].entry = BlockId{1}; }),
                   "procedure main: there is no block 1");
  expect_violation(broken([](Program& p) { p.procedures[0].blocks.clear(); }),
                   "procedure main: there is no block 0");
  expect_violation(broken([](Program& p) { p.entry = ProcedureId{1}; }), "there is no procedure 1");
  expect_violation(broken([&](Program& p) { p.ingress_port = nowhere; }), "there is no slot 1000");
  expect_violation(broken([&](Program& p) { p.packet_length = byte; }), "slot 5 has 8 bits instead of 32");
  expect_violation(broken([&](Program& p) { p.instance_type = byte; }), "slot 5 has 8 bits instead of 32");
  expect_violation(broken([&](Program& p) { p.parser_error = byte; }), "slot 5 has 8 bits instead of 32");
  expect_violation(broken([&](Program& p) { p.headers.push_back({"hdr.h", "h_t", byte}); }),
                   "header hdr.h: slot 5 has 8 bits instead of 1");
}

TEST_F(VerifyDeathTest, CallsAreAcyclic) {
  b.add(Call{ProcedureId{1}});
  b.procedure("second");
  b.add(Call{ProcedureId{2}});
  b.procedure("third");
  verify(b.program);
  b.add(Call{ProcedureId{1}});
  expect_violation(b.program, "procedure second: it calls itself");
}

}  // namespace
}  // namespace perfpact::p4::core
