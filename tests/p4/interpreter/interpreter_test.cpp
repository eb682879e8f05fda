// Computations, control flow, events, look-ups, path, limits.
#include "p4/interpreter/interpreter.h"

#include "base/check.h"
#include "tests/p4/interpreter/harness.h"

namespace perfpact::p4::core {
namespace {

using program::EventKind;

program::PathId path(std::initializer_list<std::pair<std::uint32_t, std::uint64_t>> decisions) {
  program::PathHasher hasher;
  for (const auto& [site, outcome] : decisions) hasher.decide(site, outcome);
  return hasher.id();
}

TEST_F(InterpreterTest, ComputesIntoSlots) {
  const SlotId a = b.slot("a", 8);
  const SlotId wide = b.slot("wide", 16);
  const SlotId bit = b.slot("bit", 1);
  b.set(a, 200);
  b.compute(Op::Add, a, {b.of(a), bits(8, 100)});
  b.compute(Op::Concat, wide, {b.of(a), bits(8, 0x12)});
  b.compute(Op::Insert, wide, {b.of(wide), bits(4, 0xf)}, 7, 4);
  b.compute(Op::Less, bit, {b.of(a), bits(8, 45)});
  b.compute(Op::Choose, a, {b.of(bit), bits(8, 1), bits(8, 2)});
  for (SlotId slot : {a, wide, bit}) show(slot);
  EXPECT_EQ(run_and_show(), (Numbers{1, 0x2cf2, 1}));
}

TEST_F(InterpreterTest, SlotsAreZeroAtTheStartOfEveryPacket) {
  const SlotId a = b.slot("a", 8);
  b.compute(Op::Add, a, {b.of(a), bits(8, 1)});
  show(a);
  EXPECT_EQ(run_and_show(), (Numbers{1}));
  EXPECT_EQ(run_and_show(), (Numbers{1}));
}

TEST_F(InterpreterTest, DriverSlots) {
  show(b.program.ingress_port);
  show(b.program.packet_length);
  show(b.program.instance_type);
  EXPECT_EQ(run_and_show({1, 2, 3}, 5), (Numbers{5, 3, 0}));
}

TEST_F(InterpreterTest, APortThatDoesNotFitIsAnError) {
  b.add(SendPacket{bits(9, 1)});
  const program::Trace trace = run({}, 512);
  EXPECT_EQ(to_string(trace.verdict), "error(512 does not fit in the 9 bits of ingress_port)");
  EXPECT_TRUE(trace.outputs.empty());
  EXPECT_EQ(to_string(run({}, 511).verdict), "sent(1)");
}

TEST_F(InterpreterTest, EventsInOrderWithTheirNumbers) {
  const SlotId visited = b.slot("visited", 64);
  b.set(visited, 12);
  b.raise(EventKind::TableApply, {bits(64, 20), bits(32, 44), bits(1, 1), b.of(visited), bits(32, 8)},
          {"ingress.t", "lpm"});
  b.raise(EventKind::Clone);
  const program::Trace trace = run();
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(describe(trace.events[0]),
            "table.apply(ingress.t, lpm; entries 20, key_bits 44, hit 1, visited 12, prefix_length 8)");
  EXPECT_EQ(describe(trace.events[1]), "clone");
  EXPECT_EQ(trace.events[1].site, &b.program.sites[1]);
}

TEST_F(InterpreterTest, BranchesMakeThePathWhereTheyAreDecisions) {
  const SlotId a = b.slot("a", 8);
  b.add(PacketRead{a});
  const SlotId condition = b.slot("c", 1);
  b.compute(Op::Less, condition, {b.of(a), bits(8, 10)});
  const BlockId yes = b.block(), no = b.block(), yes_again = b.block();
  b.end(Branch{b.of(condition), yes, no, true, b.decision()});
  b.at(yes);
  b.end(Branch{b.of(condition), yes_again, no});
  b.at(yes_again);
  b.raise(EventKind::Clone);
  const program::Trace small = run({3});
  EXPECT_EQ(small.events.size(), 1U);
  EXPECT_EQ(small.path, path({{kPassSite, 0}, {0, 1}}));
  const program::Trace large = run({30});
  EXPECT_EQ(large.events.size(), 0U);
  EXPECT_EQ(large.path, path({{kPassSite, 0}, {0, 0}}));
  EXPECT_EQ(run({4}).path, small.path);
}

TEST_F(InterpreterTest, SelectTakesTheFirstCaseThatMatches) {
  const SlotId a = b.slot("a", 8);
  const SlotId c = b.slot("c", 8);
  const SlotId out = b.slot("out", 8);
  b.add(PacketRead{a});
  b.add(PacketRead{c});
  std::vector<BlockId> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(b.block());
  const Pattern any{false, 0, 0};
  const Select select{{b.of(a), b.of(c)},
                      {{{Pattern{false, 5, 0xff}, Pattern{false, 6, 0xff}}, blocks[0]},
                       {{Pattern{true, 5, 9}, any}, blocks[1]},
                       {{any, Pattern{false, 0x10, 0xf0}}, blocks[2]}},
                      blocks[3],
                      true,
                      b.decision()};
  b.end(select);
  for (int i = 0; i < 4; ++i) {
    b.at(blocks[static_cast<std::size_t>(i)]);
    b.set(out, i);
    show(out);
  }
  const std::vector<std::pair<Bytes, int>> cases{{{5, 6}, 0},     {{5, 7}, 1}, {{9, 0x10}, 1},
                                                 {{10, 0x1f}, 2}, {{4, 6}, 3}, {{10, 0x20}, 3}};
  for (const auto& [packet, expected] : cases) {
    const program::Trace trace = run(packet);
    EXPECT_EQ(shown(trace), Numbers{expected});
    EXPECT_EQ(trace.path, path({{kPassSite, 0}, {0, static_cast<std::uint64_t>(expected)}}));
  }
}

TEST_F(InterpreterTest, ASelectThatIsNoDecisionIsNotInThePath) {
  const BlockId next = b.block();
  b.end(Select{{bits(8, 1)}, {{{Pattern{false, 1, 0xff}}, next}}, next});
  EXPECT_EQ(run().path, path({{kPassSite, 0}}));
}

TEST_F(InterpreterTest, CallsShareTheSlots) {
  const SlotId parameter = b.slot("callee.x", 8);
  const ProcedureId callee = b.procedure("callee");
  const BlockId last = b.block();
  b.compute(Op::Add, parameter, {b.of(parameter), bits(8, 1)});
  b.end(Jump{last});
  b.at(last);
  b.compute(Op::Mul, parameter, {b.of(parameter), bits(8, 2)});
  b.at(ProcedureId{0});
  b.set(parameter, 4);
  b.add(Call{callee});
  b.add(Call{callee});
  show(parameter);
  EXPECT_EQ(run_and_show(), (Numbers{22}));
}

TEST_F(InterpreterTest, LookupsGiveActionDataAndPcvs) {
  const SlotId key = b.slot("key", 8);
  b.add(PacketRead{key});
  const Lookup lookup = b.lookup(one_key_table(8, tables::MatchKind::Lpm), {b.of(key)});
  b.add(lookup);
  for (SlotId slot :
       {lookup.hit, lookup.action, lookup.entries, lookup.visited, lookup.prefix_length, lookup.data[0][0]})
    show(slot);
  entries = {{lookup.table, {{{0x10, 0xf0, 4}}, 0, {0, {300}}, {}}},
             {lookup.table, {{{0x12, 0xff, 8}}, 0, {1, {}}, {}}}};

  const program::Trace longest = run({0x12});
  EXPECT_EQ(shown(longest), (Numbers{1, 1, 2, 1, 8, 0}));
  EXPECT_EQ(longest.path, path({{kPassSite, 0}, {0, 3}}));
  const program::Trace shorter = run({0x13});
  EXPECT_EQ(shown(shorter), (Numbers{1, 0, 2, 2, 4, 300}));
  EXPECT_EQ(shorter.path, path({{kPassSite, 0}, {0, 1}}));
  const program::Trace miss = run({0x22});
  EXPECT_EQ(shown(miss), (Numbers{0, 1, 2, 2, 0, 0})) << "the default action, all entries visited";
  EXPECT_EQ(miss.path, path({{kPassSite, 0}, {0, 2}}));
}

TEST_F(InterpreterTest, ParserErrorByName) {
  b.add(PacketRead{b.program.parser_error});
  EXPECT_EQ(run({0, 0, 0, 1}).parser_error, "PacketTooShort");
  EXPECT_EQ(run({0, 0, 0, 0}).parser_error, "");
}

TEST_F(InterpreterTest, ParserErrorIsThatOfTheFirstPass) {
  const ProcedureId second = b.procedure("second");
  b.at(ProcedureId{0});
  b.set(b.program.parser_error, 1);
  b.add(Enqueue{PassKind::Resubmit, second, true, {}, {}});
  EXPECT_EQ(run().parser_error, "PacketTooShort");
}

TEST_F(InterpreterTest, EndlessLoopsMeetTheLimit) {
  limits.loop_blocks = 1000;
  b.raise(EventKind::Clone);
  b.end(Jump{BlockId{0}}, {FileId{1}, {7, 3}, {7, 9}});
  const program::Trace trace = run();
  EXPECT_EQ(trace.verdict, program::Verdict(program::Gap{"execution limit", {FileId{1}, {7, 3}, {7, 9}}}));
  EXPECT_EQ(trace.events.size(), 1000U);
}

TEST_F(InterpreterTest, FailEndsTheRun) {
  const ProcedureId callee = b.procedure("callee");
  b.add(Fail{"assertion failed"});
  b.raise(EventKind::Clone);
  b.at(ProcedureId{0});
  b.add(Call{callee});
  b.add(SendPacket{bits(9, 1)});
  const program::Trace trace = run();
  EXPECT_EQ(to_string(trace.verdict), "error(assertion failed)");
  EXPECT_TRUE(trace.events.empty());
  EXPECT_TRUE(trace.outputs.empty());
}

using InterpreterDeathTest = InterpreterTest;

TEST_F(InterpreterDeathTest, TheTablesAreTheProgramsTables) {
  const tables::TableSet other({one_key_table(8, tables::MatchKind::Exact)});
  EXPECT_EXIT(Interpreter(b.program, other), testing::ExitedWithCode(kExitInternalError),
              "the table set has 1 tables, the program 0");
}

TEST_F(InterpreterDeathTest, NumbersOfEventsFit) {
  b.raise(EventKind::Assign, {bits(64, all_ones(64))});
  EXPECT_EXIT((void)run(), testing::ExitedWithCode(kExitInternalError), "of an event is too large");
}

TEST_F(InterpreterDeathTest, ParserErrorsAreDeclared) {
  b.set(b.program.parser_error, 2);
  EXPECT_EXIT((void)run(), testing::ExitedWithCode(kExitInternalError), "there is no error with ordinal 2");
}

}  // namespace
}  // namespace perfpact::p4::core
