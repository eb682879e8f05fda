// What a cost is made of: the original and its copies; and what remains of statistics when packets are cut
// off.
#include <gtest/gtest.h>

#include "../markov/made_workload.h"

namespace perfpact::cost {
namespace {

using program::Event;
using program::EventKind;

// An event `assign` of n bits costs 2 * n in the first scenario, 3 * n + 1 in the second.
constexpr const char* kPerBit = R"(
schema: perfpact.cost-model/1
metric: latency
unit: ns
scenarios: [low, high]
constants: {slope: {low: 2, high: 3}, base: {low: 0, high: 1}}
costs:
  - event: assign
    cost: slope * bits + base
)";

class Parts : public ::testing::Test {
 protected:
  Event assign(std::int64_t bits) const { return {site_, {bits}}; }
  void add(std::vector<Event> events, program::Verdict verdict, const Rational& probability) {
    const std::size_t row = made.add_row("row", probability);
    made.add_case(std::move(events), std::move(verdict), {{row, Rational(1)}});
  }
  Prediction price() {
    made.finish();
    model_.emplace(made::model("per-bit", kPerBit, made.diagnostics));
    return made.price(*model_);
  }
  static program::Gap gap() { return {"more than 2 passes", {}}; }

  made::Workload made;

 private:
  const program::EventSite* site_ = made.site(EventKind::Assign, 3);
  std::optional<CostModel> model_;
};

Bounds at_least(long value) {
  return {Rational(value), std::nullopt};
}

TEST_F(Parts, OriginalAndCopies) {
  add({assign(1), assign(10), assign(100), assign(1000), assign(10000)}, program::Sent{1}, Rational(1, 2));
  // A pass without events, two copies, the original again.
  made.cases.cases[0].trace.passes = {{0, false}, {1, true}, {1, true}, {3, true}, {4, false}};
  add({assign(5)}, program::Sent{1}, Rational(1, 2));
  const Prediction prediction = price();
  const PricedCase& copied = prediction.cases[0];
  ASSERT_EQ(copied.index, 0U);
  EXPECT_EQ(copied.original, (Costs{2 * 10001, 3 * 10001 + 2}));
  EXPECT_EQ(copied.copies, (Costs{2 * 1110, 3 * 1110 + 3}));
  EXPECT_EQ(copied.cost, (Costs{2 * 11111, 3 * 11111 + 5}));
  std::vector<bool> is_copy;
  for (const PricedStep& step : copied.steps) is_copy.push_back(step.is_copy);
  EXPECT_EQ(is_copy, (std::vector<bool>{false, true, true, true, false}));
  const PricedCase& alone = prediction.cases[1];
  EXPECT_EQ(alone.original, alone.cost) << "a trace without passes is the original's";
  EXPECT_EQ(alone.copies, (Costs{0, 0}));
  EXPECT_EQ(prediction.estimators.max[0], Bounds(Rational(2 * 11111))) << "estimators are about the sum";
}

TEST_F(Parts, StepsNameTheirFormula) {
  add({assign(1)}, program::Dropped{}, Rational(1));
  const Prediction prediction = price();
  EXPECT_EQ(prediction.cases[0].steps[0].price->by.begin, (Position{9, 11}));
}

// Costs 2, 20 and, cut off, at least 8: nothing above is known of a fifth of the packets.
TEST_F(Parts, AGapLeavesOpenWhatItMayChange) {
  add({assign(1)}, program::Dropped{}, Rational(1, 5));
  add({assign(10)}, program::Dropped{}, Rational(3, 5));
  add({assign(4)}, gap(), Rational(1, 5));
  const Prediction prediction = price();
  EXPECT_EQ(prediction.estimators.min[0], Bounds(Rational(2))) << "the gap cannot be cheaper";
  EXPECT_EQ(prediction.estimators.mean[0], Bounds(Rational(2 + 3 * 20 + 8) / 5, std::nullopt));
  EXPECT_EQ(prediction.estimators.max[0], at_least(20));
  // The gap sorted anywhere from 8 on: the median is 20 as soon as it costs 20 or more.
  EXPECT_EQ(prediction.mix_quantiles[0].value[0], Bounds(Rational(20)));
  EXPECT_EQ(prediction.mix_quantiles[1].value[0], at_least(20)) << "p90";
}

TEST_F(Parts, AGapThatMayBeTheCheapest) {
  add({assign(10)}, program::Dropped{}, Rational(1, 2));
  add({assign(4)}, gap(), Rational(1, 2));
  const Prediction prediction = price();
  EXPECT_EQ(prediction.estimators.min[0], Bounds(Interval(Rational(8), Rational(20))));
  EXPECT_EQ(prediction.estimators.max[0], at_least(20));
  EXPECT_EQ(prediction.mix_quantiles[0].value[0], Bounds(Interval(Rational(8), Rational(20)))) << "p50";
  EXPECT_EQ(prediction.mix_quantiles[1].value[0], at_least(20)) << "p90";
}

TEST_F(Parts, NothingButAGap) {
  add({assign(4)}, gap(), Rational(1));
  const Prediction prediction = price();
  EXPECT_EQ(prediction.estimators.min[1], at_least(13));
  EXPECT_EQ(prediction.estimators.mean[1], at_least(13));
  EXPECT_EQ(prediction.estimators.max[1], at_least(13));
  for (const Quantile& quantile : prediction.mix_quantiles) EXPECT_EQ(quantile.value[1], at_least(13));
}

TEST_F(Parts, AGapOfProbabilityZeroChangesNothing) {
  add({assign(10)}, program::Dropped{}, Rational(1));
  add({assign(4)}, gap(), Rational(0));
  const Prediction prediction = price();
  EXPECT_EQ(prediction.estimators.min[0], Bounds(Rational(20)));
  EXPECT_EQ(prediction.estimators.mean[0], Bounds(Rational(20)));
  EXPECT_EQ(prediction.estimators.max[0], Bounds(Rational(20)));
}

// What a gap leaves open really can happen: any cost from the lower bound on, put in its place, gives exact
// statistics within the bounds, and the lower bound itself meets their low ends.
TEST(Gaps, EveryCompletionIsWithinTheBounds) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    made::Workload open;
    made::fill_randomly(open, seed, seed % 4);
    made::Workload completed;
    made::fill_randomly(completed, seed, seed % 4);
    const auto* more = completed.site(EventKind::TableApply, 30, "ingress.more", "exact");
    std::mt19937_64 random(seed);
    const bool adds_nothing = random() % 4 == 0;
    for (std::size_t i = 0; i < open.cases.cases.size(); ++i) {
      if (random() % 2 == 0) continue;
      open.cases.cases[i].trace.verdict = program::Gap{"made", {}};
      if (!adds_nothing)
        completed.cases.cases[i].trace.events.push_back(
            {more, {1, 1, 1, static_cast<std::int64_t>(random() % 100'000), 0}});
    }
    const CostModel model = made::model("cycles", made::kCycles, open.diagnostics);
    const Prediction bounds = open.price(model);
    const Prediction exact = completed.price(model);
    const auto expect_within = [&](const Bounds& outer, const Bounds& inner) {
      ASSERT_TRUE(inner.high);
      EXPECT_LE(outer.low, inner.low) << seed;
      if (outer.high) {
        EXPECT_GE(*outer.high, *inner.high) << seed;
      }
      if (adds_nothing) {
        EXPECT_EQ(outer.low, inner.low) << seed;
      }
    };
    for (std::size_t s = 0; s < 2; ++s) {
      expect_within(bounds.estimators.min[s], exact.estimators.min[s]);
      expect_within(bounds.estimators.mean[s], exact.estimators.mean[s]);
      expect_within(bounds.estimators.max[s], exact.estimators.max[s]);
      for (std::size_t q = 0; q < bounds.mix_quantiles.size(); ++q)
        expect_within(bounds.mix_quantiles[q].value[s], exact.mix_quantiles[q].value[s]);
    }
  }
}

}  // namespace
}  // namespace perfpact::cost
