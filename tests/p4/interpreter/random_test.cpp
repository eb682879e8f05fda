#include "p4/interpreter/random.h"

#include <gtest/gtest.h>

#include <map>

namespace perfpact::p4::interpreter {
namespace {

TEST(Random, ReferenceValuesOfSplitMix64) {
  // As printed by the reference code (prng.di.unimi.it/splitmix64.c) from seed 1234567.
  SplitMix64 random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(Random, UniformOverTheRange) {
  SplitMix64 random;
  std::map<Integer, int> seen;
  for (int i = 0; i < 6000; ++i) ++seen[random.uniform(10, 15)];
  ASSERT_EQ(seen.size(), 6U);
  EXPECT_EQ(seen.begin()->first, 10);
  EXPECT_EQ(seen.rbegin()->first, 15);
  for (const auto& [value, count] : seen) EXPECT_NEAR(count, 1000, 150) << value.str();
}

TEST(Random, RangesOfOneAndEmptyOnes) {
  SplitMix64 random;
  EXPECT_EQ(random.uniform(7, 7), 7);
  EXPECT_EQ(random.uniform(9, 3), 9);
}

TEST(Random, WideRanges) {
  SplitMix64 random;
  const Integer high = all_ones(150);
  bool above_half = false;
  for (int i = 0; i < 64; ++i) {
    const Integer value = random.uniform(0, high);
    EXPECT_LE(value, high);
    above_half |= value > high / 2;
  }
  EXPECT_TRUE(above_half);
}

}  // namespace
}  // namespace perfpact::p4::interpreter
