// Instructions on the packet.
#include "base/check.h"
#include "tests/p4/interpreter/harness.h"

namespace perfpact::p4::core {
namespace {

using PacketInstructionsTest = InterpreterTest;

TEST_F(PacketInstructionsTest, ReadPeekAdvance) {
  const SlotId nibble = b.slot("nibble", 4);
  const SlotId word = b.slot("word", 16);
  const SlotId count = b.slot("count", 32);
  b.add(PacketLength{count});
  show(count);
  b.add(PacketRead{nibble});
  show(nibble);
  b.add(PacketPeek{word, 4});
  show(word);
  b.add(PacketRemaining{count});
  show(count);
  b.add(PacketAdvance{bits(32, 12)});
  b.add(PacketRead{word});
  show(word);
  b.add(PacketRemaining{count});
  show(count);
  EXPECT_EQ(run_and_show({0x12, 0x34, 0x56, 0x78}), (Numbers{4, 1, 0x3456, 28, 0x5678, 0}));
}

TEST_F(PacketInstructionsTest, BehindTheEndAreZeros) {
  const SlotId word = b.slot("word", 16);
  b.add(PacketRead{word});
  show(word);
  b.add(PacketRead{word});
  show(word);
  EXPECT_EQ(run_and_show({0x12}), (Numbers{0x1200, 0}));
}

TEST_F(PacketInstructionsTest, VarbitsAreRightAligned) {
  const SlotId length = b.slot("length", 32);
  const SlotId varbit = b.slot("varbit", 40);
  const SlotId next = b.slot("next", 8);
  b.compute(Op::Copy, length, {bits(32, 16)});
  b.add(PacketReadVarbit{varbit, b.of(length)});
  show(varbit);
  b.add(PacketRead{next});
  show(next);
  b.add(PacketEmit{b.of(next)});
  b.add(PacketEmitVarbit{b.of(varbit), b.of(length)});
  b.add(PacketEmitVarbit{b.of(varbit), bits(32, 0)});
  b.add(PacketCommit{});
  b.add(SendPacket{bits(9, 1)});
  const program::Trace trace = run({0xaa, 0xbb, 0xcc, 0xdd});
  EXPECT_EQ(shown(trace), (Numbers{0xaabb, 0xcc}));
  ASSERT_EQ(trace.outputs.size(), 1U);
  EXPECT_EQ(trace.outputs[0].bytes, (Bytes{0xcc, 0xaa, 0xbb, 0xdd}));
}

TEST_F(PacketInstructionsTest, AfterTheCommitThePacketIsRead) {
  const SlotId word = b.slot("word", 16);
  const SlotId count = b.slot("count", 32);
  b.add(PacketRead{word});
  b.add(PacketEmit{bits(24, 0x010203)});
  b.add(PacketCommit{});
  b.add(PacketLength{count});
  show(count);
  b.add(PacketRead{word});
  show(word);
  EXPECT_EQ(run_and_show({0xaa, 0xbb, 0xcc}), (Numbers{4, 0x0102}));
}

TEST_F(PacketInstructionsTest, TruncateCutsWhatLeaves) {
  b.add(PacketTruncate{bits(32, 3)});
  b.add(PacketTruncate{bits(32, 5)});
  const SlotId count = b.slot("count", 32);
  b.add(PacketLength{count});
  show(count);
  b.add(SendPacket{bits(9, 1)});
  const program::Trace trace = run({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(shown(trace), (Numbers{6})) << "only when it leaves";
  EXPECT_EQ(trace.outputs[0].bytes, (Bytes{1, 2, 3})) << "the least limit counts";
  EXPECT_EQ(run({1, 2}).outputs[0].bytes, (Bytes{1, 2}));
}

using PacketInstructionsDeathTest = InterpreterTest;

TEST_F(PacketInstructionsDeathTest, VarbitsFit) {
  const SlotId varbit = b.slot("varbit", 8);
  b.add(PacketReadVarbit{varbit, bits(32, 9)});
  EXPECT_EXIT((void)run({1, 2, 3}), testing::ExitedWithCode(kExitInternalError), "9 bits into a varbit of 8");
}

TEST_F(PacketInstructionsDeathTest, EmittedVarbitsFit) {
  b.add(PacketEmitVarbit{bits(8, 0), bits(32, 9)});
  EXPECT_EXIT((void)run(), testing::ExitedWithCode(kExitInternalError), "9 bits of a varbit of 8");
}

}  // namespace
}  // namespace perfpact::p4::core
