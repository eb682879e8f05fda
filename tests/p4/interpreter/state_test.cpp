// Hashes over data items, and what keeps state: registers, counters, meters, random numbers.
#include "base/check.h"
#include "p4/interpreter/random.h"
#include "tests/p4/interpreter/harness.h"

namespace perfpact::p4::core {
namespace {

using StateTest = InterpreterTest;

DataItem whole(const Operand& value) {
  return {value, bits(32, value.width), bits(1, 1)};
}

TEST_F(StateTest, HashPacksMostSignificantFirst) {
  const SlotId out = b.slot("out", 64);
  b.add(Hash{
      HashAlgorithm::Identity, out, {whole(bits(4, 0x1)), whole(bits(12, 0x234)), whole(bits(3, 5))}, false});
  show(out);
  EXPECT_EQ(run_and_show(), (Numbers{0x1234a0})) << "101 is filled up to a0";
}

TEST_F(StateTest, HashLeavesOutWhatIsInvalidAndCutsVarbits) {
  const SlotId out = b.slot("out", 64);
  const SlotId valid = b.slot("valid", 1);
  const SlotId length = b.slot("length", 32);
  b.add(PacketRead{valid});
  b.set(length, 8);
  b.add(Hash{HashAlgorithm::Identity,
             out,
             {whole(bits(8, 0x11)),
              {bits(8, 0x22), bits(32, 8), b.of(valid)},
              {bits(24, 0x33), b.of(length), bits(1, 1)}},
             false});
  show(out);
  EXPECT_EQ(run_and_show({0x80}), (Numbers{0x112233}));
  EXPECT_EQ(run_and_show({0x00}), (Numbers{0x1133}));
}

TEST_F(StateTest, HashWithPayload) {
  const SlotId out = b.slot("out", 64);
  b.add(PacketAdvance{bits(32, 8)});
  b.add(Hash{HashAlgorithm::Identity, out, {whole(bits(4, 0xf))}, true});
  show(out);
  EXPECT_EQ(run_and_show({0x12, 0x34, 0x56}), (Numbers{0xf03456})) << "the payload begins at a byte";
}

TEST_F(StateTest, HashIsCutToTheSlot) {
  const SlotId narrow = b.slot("narrow", 8);
  const SlotId wide = b.slot("wide", 60);
  const Operand text = bits(72, Integer("0x313233343536373839"));
  b.add(Hash{HashAlgorithm::Crc32, narrow, {whole(text)}, false});
  b.add(Hash{HashAlgorithm::Crc16, wide, {whole(text)}, false});
  show(narrow);
  show(wide);
  EXPECT_EQ(run_and_show(), (Numbers{0x26, 0xbb3d}));
}

TEST_F(StateTest, RandomHashIsTheGeneratorsNext) {
  const SlotId out = b.slot("out", 32);
  b.add(Hash{HashAlgorithm::Random, out, {whole(bits(8, 1))}, false});
  show(out);
  interpreter::SplitMix64 generator;
  const auto next = [&] { return static_cast<std::int64_t>(generator.next() & 0xffffffff); };
  EXPECT_EQ(run_and_show(), Numbers{next()});
  EXPECT_EQ(run_and_show(), Numbers{next()});
}

TEST_F(StateTest, RandomIsRestartedByReset) {
  const SlotId out = b.slot("out", 32);
  b.add(Random{out, bits(32, 5), bits(32, 1000000)});
  show(out);
  const Numbers first = run_and_show();
  EXPECT_GE(first[0], 5);
  EXPECT_LE(first[0], 1000000);
  EXPECT_NE(run_and_show(), first);
  interpreter().reset();
  EXPECT_EQ(run_and_show(), first);
}

TEST_F(StateTest, RegistersKeepTheirCellsUntilReset) {
  const ObjectId r = b.object(ObjectKind::Register, "r", 4, 16);
  const SlotId value = b.slot("value", 16);
  b.add(RegisterRead{r, bits(8, 3), value});
  b.compute(Op::Add, value, {b.of(value), bits(16, 7)});
  b.add(RegisterWrite{r, bits(8, 3), b.of(value)});
  show(value);
  EXPECT_EQ(run_and_show(), (Numbers{7}));
  EXPECT_EQ(run_and_show(), (Numbers{14}));
  EXPECT_EQ(interpreter().register_cell(r, 3), 14);
  EXPECT_EQ(interpreter().register_cell(r, 2), 0);
  interpreter().reset();
  EXPECT_EQ(interpreter().register_cell(r, 3), 0);
  EXPECT_EQ(run_and_show(), (Numbers{7}));
}

TEST_F(StateTest, AnIndexOutsideChangesNothing) {
  const ObjectId r = b.object(ObjectKind::Register, "r", 4, 16);
  const ObjectId c = b.object(ObjectKind::Counter, "c", 4);
  const ObjectId m = b.object(ObjectKind::Meter, "m", 4);
  const SlotId value = b.slot("value", 16);
  b.set(value, 99);
  const Operand outside = bits(80, Integer(1) << 64);
  b.add(RegisterWrite{r, bits(8, 4), bits(16, 1)});
  b.add(RegisterWrite{r, outside, bits(16, 1)});
  b.add(RegisterRead{r, bits(8, 4), value});
  show(value);
  b.add(Count{c, outside});
  b.add(Meter{m, bits(8, 4), value});
  show(value);
  EXPECT_EQ(run_and_show(), (Numbers{99, 99}));
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(interpreter().register_cell(r, i), 0);
    EXPECT_EQ(interpreter().counter_cell(c, i), CounterCell());
  }
}

TEST_F(StateTest, CountersCountPacketsAndBytes) {
  const ObjectId c = b.object(ObjectKind::Counter, "c", 4);
  b.add(PacketEmit{bits(32, 1)});
  b.add(PacketCommit{});
  b.add(Count{c, bits(8, 1)});
  (void)run({1, 2, 3});
  (void)run({1, 2});
  EXPECT_EQ(interpreter().counter_cell(c, 1), (CounterCell{2, 5})) << "the bytes that came in";
  EXPECT_EQ(interpreter().counter_cell(c, 0), CounterCell());
  interpreter().reset();
  EXPECT_EQ(interpreter().counter_cell(c, 1), CounterCell());
}

TEST_F(StateTest, MetersAreGreen) {
  const ObjectId m = b.object(ObjectKind::Meter, "m", 4);
  const SlotId colour = b.slot("colour", 2);
  b.set(colour, 3);
  b.add(Meter{m, bits(8, 0), colour});
  show(colour);
  EXPECT_EQ(run_and_show(), (Numbers{0}));
}

using StateDeathTest = InterpreterTest;

TEST_F(StateDeathTest, DataItemsFit) {
  const SlotId out = b.slot("out", 64);
  b.add(Hash{HashAlgorithm::Identity, out, {{bits(8, 0), bits(32, 9), bits(1, 1)}}, false});
  EXPECT_EXIT((void)run(), testing::ExitedWithCode(kExitInternalError), "9 bits of a value of 8");
}

TEST_F(StateDeathTest, CellsExist) {
  const ObjectId r = b.object(ObjectKind::Register, "r", 4, 16);
  const auto fails = testing::ExitedWithCode(kExitInternalError);
  EXPECT_EXIT((void)interpreter().register_cell(r, 4), fails, "'r' has no such cell: 4");
  EXPECT_EXIT((void)interpreter().counter_cell(r, 0), fails, "'r' has no such cell: 0");
  EXPECT_EXIT((void)interpreter().register_cell(ObjectId{1}, 0), fails, "there is no object 1");
}

}  // namespace
}  // namespace perfpact::p4::core
