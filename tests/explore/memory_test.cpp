#include "explore/native/memory.h"

#include <gtest/gtest.h>

#include <random>

#include "smt/model.h"

namespace perfpact::explore {
namespace {

// Bytes of the address's own value in [0x1000, 0x2000), and [0x3000, 0x3010), which cannot be written, and
// what touches it.
class FakeSnapshot : public Snapshot {
 public:
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::uint8_t> bytes) const override {
    const Extent* in = extent(address);
    if (in == nullptr || in->end - address < bytes.size()) return false;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(address + i);
    return true;
  }
  [[nodiscard]] const std::vector<Extent>& extents() const override { return extents_; }

 private:
  std::vector<Extent> extents_{{0x1000, 0x2000, true}, {0x3000, 0x3010, false}, {0x3010, 0x3020, true}};
};

class MemoryTest : public testing::Test {
 protected:
  [[nodiscard]] std::uint64_t word(const Memory& of, std::uint64_t address, std::uint32_t bytes) {
    const smt::Expr value = of.load(context, address, bytes);
    EXPECT_TRUE(value && value.is_constant());
    return value && value.is_constant() ? value.value().word() : 0;
  }
  smt::Expr symbol(std::string_view name, std::uint32_t bytes) { return context.symbol(name, bytes * 8); }

  smt::Context context;
  Memory memory{std::make_shared<FakeSnapshot>()};
};

TEST_F(MemoryTest, HoldsTheSnapshot) {
  EXPECT_EQ(word(memory, 0x1001, 1), 0x01U);
  EXPECT_EQ(word(memory, 0x1001, 4), 0x04030201U);
  EXPECT_EQ(word(memory, 0x103e, 4), 0x41403f3eU) << "across what is copied together";
  EXPECT_EQ(word(memory, 0x3008, 8), 0x0f0e0d0c0b0a0908U);
}

TEST_F(MemoryTest, CannotReadOutside) {
  EXPECT_FALSE(memory.load(context, 0xfff, 1));
  EXPECT_FALSE(memory.load(context, 0xffe, 4));
  EXPECT_FALSE(memory.load(context, 0x1ffe, 4));
  EXPECT_FALSE(memory.load(context, 0x3009, 8));
  EXPECT_FALSE(memory.load(context, ~std::uint64_t{0}, 1));
}

TEST_F(MemoryTest, LoadsGoAcrossExtentsThatTouch) {
  const Snapshot& snapshot = memory.snapshot();
  EXPECT_EQ(snapshot.end_of_loads(*snapshot.extent(0x1800)), 0x2000U);
  EXPECT_EQ(snapshot.end_of_loads(*snapshot.extent(0x3008)), 0x3020U);
  EXPECT_EQ(snapshot.end_of_loads(*snapshot.extent(0x3010)), 0x3020U);
}

TEST_F(MemoryTest, CannotReadBesideWhatWasWritten) {
  memory.store(0x1ffe, context.constant(16, 0xabcd));
  EXPECT_EQ(word(memory, 0x1ffe, 2), 0xabcdU);
  EXPECT_FALSE(memory.load(context, 0x1ffe, 4));
}

TEST_F(MemoryTest, Extents) {
  const Snapshot& snapshot = memory.snapshot();
  EXPECT_EQ(snapshot.extent(0xfff), nullptr);
  EXPECT_EQ(snapshot.extent(0x2000), nullptr);
  EXPECT_EQ(snapshot.extent(0x3020), nullptr);
  ASSERT_NE(snapshot.extent(0x1000), nullptr);
  EXPECT_TRUE(snapshot.extent(0x1fff)->writable);
  ASSERT_NE(snapshot.extent(0x3000), nullptr);
  EXPECT_FALSE(snapshot.extent(0x300f)->writable);
}

TEST_F(MemoryTest, GivesBackWhatWasStored) {
  const smt::Expr a = symbol("a", 4);
  memory.store(0x1100, a);
  EXPECT_EQ(memory.load(context, 0x1100, 4), a) << "the expression itself, not its bytes put together";
  EXPECT_EQ(memory.load(context, 0x1101, 2), context.extract(23, 8, a));
}

TEST_F(MemoryTest, PutsPiecesTogether) {
  const smt::Expr a = symbol("a", 4);
  const smt::Expr b = symbol("b", 2);
  memory.store(0x1100, a);
  memory.store(0x1102, b);
  EXPECT_EQ(memory.load(context, 0x1100, 4), context.concat(b, context.extract(15, 0, a)));
  EXPECT_EQ(memory.load(context, 0x1103, 2),
            context.concat(context.constant(8, 0x04), context.extract(15, 8, b)));
  memory.store(0x1100, a);
  EXPECT_EQ(memory.load(context, 0x1100, 4), a);
}

TEST_F(MemoryTest, TheSameValueTwiceIsNoLongerOne) {
  const smt::Expr a = symbol("a", 2);
  memory.store(0x1100, a);
  memory.store(0x1102, a);
  EXPECT_EQ(memory.load(context, 0x1100, 4), context.concat(a, a));
}

TEST_F(MemoryTest, CopiesAreIndependent) {
  memory.store(0x1100, context.constant(32, 1));
  Memory copy = memory;
  copy.store(0x1100, context.constant(32, 2));
  memory.store(0x1180, context.constant(32, 3));
  Memory second = copy;
  second.store(0x1102, context.constant(8, 9));
  EXPECT_EQ(word(memory, 0x1100, 4), 1U);
  EXPECT_EQ(word(copy, 0x1100, 4), 2U);
  EXPECT_EQ(word(second, 0x1100, 4), 0x90002U);
  EXPECT_EQ(word(memory, 0x1180, 4), 3U);
  EXPECT_EQ(word(copy, 0x1180, 4), 0x83828180U);
}

TEST_F(MemoryTest, KnowsWhatWasWritten) {
  EXPECT_FALSE(memory.is_written(0x1000, 0x1000));
  memory.store(0x113f, context.constant(16, 0));
  EXPECT_TRUE(memory.is_written(0x113f, 1));
  EXPECT_TRUE(memory.is_written(0x1140, 1));
  EXPECT_TRUE(memory.is_written(0x1000, 0x1000));
  EXPECT_FALSE(memory.is_written(0x1141, 100));
  EXPECT_FALSE(memory.is_written(0x1100, 0x3f));
  EXPECT_FALSE(memory.is_written(0x113f, 0));
}

// Random loads, stores and copies, against bytes.
class RandomMemoryTest : public MemoryTest, public testing::WithParamInterface<unsigned> {
 protected:
  static constexpr std::uint64_t kBegin = 0x1100, kSize = 200;
  struct Pair {
    Memory memory;
    std::vector<std::uint8_t> bytes;
  };

  std::uint64_t number(const Pair& pair, std::uint64_t at, std::uint32_t count) {
    std::uint64_t result = 0;
    for (std::uint32_t i = count; i-- > 0;) result = result << 8U | pair.bytes[at + i];
    return result;
  }

  std::mt19937 random{GetParam()};
};

TEST_P(RandomMemoryTest, AgreesWithBytes) {
  std::vector<Pair> pairs(1, {memory, std::vector<std::uint8_t>(kSize)});
  for (std::size_t i = 0; i < kSize; ++i) pairs[0].bytes[i] = static_cast<std::uint8_t>(kBegin + i);
  const auto model = std::make_shared<smt::Model>();
  for (int step = 0; step < 400; ++step) {
    Pair& pair = pairs[random() % pairs.size()];
    const std::uint32_t count = 1U << (random() % 4);
    const std::uint64_t at = random() % (kSize - count + 1);
    if (random() % 2 == 0) {
      smt::Expr value = symbol(fmt::format("s{}", step), count);
      const std::uint64_t held = (std::uint64_t{random()} << 32U | random()) >> (64 - 8 * count);
      if (random() % 2 == 0)
        value = context.constant(8 * count, held);
      else
        model->set(value, smt::Value(8 * count, held));
      pair.memory.store(kBegin + at, value);
      for (std::uint32_t i = 0; i < count; ++i)
        pair.bytes[at + i] = static_cast<std::uint8_t>(held >> (8 * i));
    } else if (pairs.size() < 8 && random() % 8 == 0) {
      pairs.push_back(Pair(pair));
    } else {
      const smt::Expr loaded = pair.memory.load(context, kBegin + at, count);
      ASSERT_TRUE(loaded);
      EXPECT_EQ(loaded.width(), 8 * count);
      EXPECT_EQ(smt::Evaluation(model).value(loaded).word(), number(pair, at, count));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomMemoryTest, testing::Range(0U, 20U));

}  // namespace
}  // namespace perfpact::explore
