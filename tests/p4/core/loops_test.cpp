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

}  // namespace
}  // namespace perfpact::p4::core
