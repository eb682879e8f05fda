#include "traffic/draw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace perfpact::traffic {
namespace {

std::vector<std::uint64_t> drawn(const DrawOptions& options, std::size_t packets) {
  Random random(1);
  Draw draw(options);
  std::vector<std::uint64_t> flows;
  for (std::size_t i = 0; i < packets; ++i) flows.push_back(draw.next(random));
  return flows;
}

std::map<std::uint64_t, double> shares(const DrawOptions& options, std::size_t packets) {
  std::map<std::uint64_t, double> result;
  for (const std::uint64_t flow : drawn(options, packets)) result[flow] += 1.0 / static_cast<double>(packets);
  return result;
}

TEST(DrawTest, SequentialGoesRound) {
  EXPECT_EQ(drawn({.first = 5, .count = 3}, 7), (std::vector<std::uint64_t>{5, 6, 7, 5, 6, 7, 5}));
}

TEST(DrawTest, UniformIsUniform) {
  const auto found = shares({.first = 10, .count = 100, .order = Order::Uniform}, 1'000'000);
  ASSERT_EQ(found.size(), 100U);
  EXPECT_EQ(found.begin()->first, 10U);
  // Five standard deviations.
  for (const auto& [flow, share] : found) EXPECT_NEAR(share, 0.01, 5 * std::sqrt(0.01 * 0.99 / 1e6)) << flow;
}

// The probability of rank n is n^-s / H(N, s), H the generalised harmonic number.
TEST(DrawTest, ZipfFollowsItsLaw) {
  for (const double exponent : {0.0, 0.8, 1.0, 1.3}) {
    constexpr std::uint64_t kCount = 1000;
    const auto found = shares({.count = kCount, .order = Order::Zipf, .exponent = exponent}, 1'000'000);
    double sum = 0;
    for (std::uint64_t n = 1; n <= kCount; ++n) sum += std::pow(static_cast<double>(n), -exponent);
    for (std::uint64_t n = 1; n <= kCount; ++n) {
      const double expected = std::pow(static_cast<double>(n), -exponent) / sum;
      const auto share = found.find(n - 1);
      EXPECT_NEAR(share == found.end() ? 0 : share->second, expected, 5 * std::sqrt(expected / 1e6))
          << exponent << " " << n;
    }
  }
}

TEST(DrawTest, ChurnBringsItsShareOfNewFlows) {
  const DrawOptions options{
      .first = 100, .count = 50, .order = Order::Uniform, .churn_numerator = 3, .churn_denominator = 100};
  const auto flows = drawn(options, 10'000);
  EXPECT_EQ(options.new_flows(10'000), 300U);
  std::set<std::uint64_t> seen;
  std::size_t new_ones = 0;
  for (const std::uint64_t flow : flows) {
    const bool is_new = seen.insert(flow).second;
    if (flow >= 150 && is_new) {
      EXPECT_EQ(flow, 150 + new_ones);  // one after the other
      ++new_ones;
    }
  }
  EXPECT_EQ(new_ones, 300U);
}

TEST(DrawTest, AtMostCountFlowsAreAlive) {
  const DrawOptions options{.count = 8, .churn_numerator = 1, .churn_denominator = 4};
  const auto flows = drawn(options, 4000);
  // In sequential order each position is drawn once a round: the flows of a round are those alive.
  for (std::size_t round = 0; round < flows.size(); round += 8)
    EXPECT_EQ(std::set<std::uint64_t>(flows.begin() + static_cast<std::ptrdiff_t>(round),
                                      flows.begin() + static_cast<std::ptrdiff_t>(round + 8))
                  .size(),
              8U);
}

TEST(DrawTest, ChurnOfOneIsAllNew) {
  EXPECT_EQ(drawn({.count = 2, .churn_numerator = 1}, 4), (std::vector<std::uint64_t>{2, 3, 4, 5}));
}

}  // namespace
}  // namespace perfpact::traffic
