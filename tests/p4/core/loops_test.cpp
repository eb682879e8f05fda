#include "p4/core/loops.h"

#include <gtest/gtest.h>

#include "tests/p4/core/program_builder.h"

namespace perfpact::p4::core {
namespace {

using Heads = std::vector<bool>;

struct LoopsTest : testing::Test {
  ProgramBuilder b;
  Heads heads() { return loop_heads(b.program.procedures[0]); }
};

TEST_F(LoopsTest, NoneInStraightCodeAndWhereWaysMeet) {
  const BlockId left = b.block();
  const BlockId right = b.block();
  const BlockId end = b.block();
  b.end(Branch{bits(1, 0), left, right, false, {}});
  b.at(left);
  b.end(Jump{end});
  b.at(right);
  b.end(Jump{end});
  EXPECT_EQ(heads(), Heads(4, false));
}

TEST_F(LoopsTest, ABlockThatJumpsToItself) {
  b.end(Jump{BlockId{0}});
  EXPECT_EQ(heads(), Heads{true});
}

TEST_F(LoopsTest, OnlyTheHeadOfALoopThroughASelect) {
  const BlockId head = b.block();
  const BlockId body = b.block();
  const BlockId end = b.block();
  b.end(Jump{head});
  b.at(head);
  b.end(Select{{bits(8, 0)}, {{{{false, 1, 1}}, body}}, end, false, {}});
  b.at(body);
  b.end(Jump{head});
  EXPECT_EQ(heads(), (Heads{false, true, false, false}));
}

TEST_F(LoopsTest, UnreachedCyclesDoNotCount) {
  const BlockId apart = b.block();
  b.at(apart);
  b.end(Jump{apart});
  EXPECT_EQ(heads(), Heads(2, false));
}

TEST_F(LoopsTest, WorkCountsTheBlocksOfCallsAtEachCall) {
  const ProcedureId callee = b.procedure("callee");
  b.block();
  b.block();
  b.at(ProcedureId{0});
  b.add(Call{callee});
  b.add(Call{callee});
  const Work done = work(b.program);
  EXPECT_EQ(done.blocks, (std::vector<std::uint64_t>{7, 3}));
  EXPECT_EQ(done.loops, (std::vector<std::vector<std::uint64_t>>{{0}, {0, 0, 0}}));
}

TEST_F(LoopsTest, AHeadHasTheBlocksOfItsCycles) {
  const ProcedureId callee = b.procedure("callee");
  b.at(ProcedureId{0});
  const BlockId head = b.block();
  const BlockId body = b.block();
  const BlockId end = b.block();
  b.end(Jump{head});
  b.at(head);
  b.end(Branch{bits(1, 0), body, end, false, {}});
  b.at(body);
  b.add(Call{callee});
  b.end(Jump{head});
  EXPECT_EQ(work(b.program).loops[0], (std::vector<std::uint64_t>{0, 3, 0, 0}));
}

TEST_F(LoopsTest, WorkThatDoublesWithEachCallStopsGrowing) {
  ProcedureId last = b.procedure("callee");
  for (int i = 0; i < 60; ++i) {
    const ProcedureId next = b.procedure("callee");
    b.add(Call{last});
    b.add(Call{last});
    last = next;
  }
  EXPECT_EQ(work(b.program).blocks.back(), std::uint64_t{1} << 32);
}

}  // namespace
}  // namespace perfpact::p4::core
