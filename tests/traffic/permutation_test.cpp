#include "traffic/permutation.h"

#include <gtest/gtest.h>

#include <set>

namespace perfpact::traffic {
namespace {

TEST(PermutationTest, GivesEveryNumberOnce) {
  for (const std::uint64_t size : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 1000U, 4097U}) {
    std::set<std::uint64_t> seen;
    const Permutation permutation(size, 7);
    for (std::uint64_t i = 0; i < size; ++i) seen.insert(static_cast<std::uint64_t>(permutation.at(i)));
    EXPECT_EQ(seen.size(), size);
    EXPECT_LT(*seen.rbegin(), size);
  }
}

TEST(PermutationTest, SeedsGiveDifferentOrders) {
  const Permutation one(1 << 20, 1);
  const Permutation again(1 << 20, 1);
  const Permutation other(1 << 20, 2);
  int equal = 0;
  int in_place = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    EXPECT_EQ(one.at(i), again.at(i));
    equal += one.at(i) == other.at(i) ? 1 : 0;
    in_place += one.at(i) == i ? 1 : 0;
  }
  EXPECT_LE(equal, 3);
  EXPECT_LE(in_place, 3);
}

// The numbers of the first places are spread evenly: chi-squared of 64 classes, whose 99.99 % quantile is
// 117.
TEST(PermutationTest, SpreadsEvenly) {
  const Wide size = (Wide{1} << 100) + 12345;
  const Permutation permutation(size, 3);
  std::array<int, 64> counts{};
  constexpr int kDrawn = 64 * 1000;
  for (int i = 0; i < kDrawn; ++i) {
    const Wide number = permutation.at(static_cast<Wide>(i));
    ASSERT_LT(number, size);
    ++counts[std::min<std::size_t>(63, static_cast<std::size_t>(number >> 94))];
  }
  double chi_squared = 0;
  for (const int count : counts) chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi_squared, 117);
}

}  // namespace
}  // namespace perfpact::traffic
