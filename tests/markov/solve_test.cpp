#include "markov/solve.h"

#include <gtest/gtest.h>

#include "markov/made_workload.h"

namespace perfpact::markov {
namespace {

/// Every estimator of the chain against cost::price, which knows nothing of chains.
void expect_same_estimators(const Chain& chain, const std::vector<cost::Prediction>& predictions) {
  std::size_t reward = 0;
  for (const cost::Prediction& prediction : predictions) {
    for (std::size_t i = 0; i < prediction.model->scenarios().size(); ++i, ++reward) {
      const auto id = static_cast<RewardId>(reward);
      EXPECT_EQ(expected_reward(chain, id, Branching::Random), prediction.estimators.mean[i]);
      EXPECT_EQ(expected_reward(chain, id, Branching::Free),
                Interval(prediction.estimators.min[i].low, prediction.estimators.max[i].low));
    }
  }
  EXPECT_EQ(reward, chain.rewards().size());
}

/// The probability of every verdict against the sum over the cases that end in it.
void expect_same_probability(const Chain& chain, const made::Workload& made, const std::string& name,
                             const program::Verdict& verdict) {
  const auto label = chain.find_label(name);
  ASSERT_TRUE(label.has_value()) << name;
  Rational known = 0;
  std::vector<Rational> shares(made.workload.rows.size(), Rational(0));
  for (const workload::WeightedCase& one : made.cases.cases) {
    if (one.trace.verdict != verdict) continue;
    known += one.known;
    for (const auto& [row, share] : one.unknown) shares[row] += share;
  }
  std::optional<Interval> rest;
  for (std::size_t row = 0; row < shares.size(); ++row) {
    if (made.workload.rows[row].probability) continue;
    if (!rest) rest = Interval(shares[row]);
    rest = Interval(std::min(rest->low, shares[row]), std::max(rest->high, shares[row]));
  }
  const Interval share = rest.value_or(Interval(Rational(0)));
  EXPECT_EQ(reach_probability(chain, *label, Branching::Random),
            Interval(known + made.workload.rest * share.low, known + made.workload.rest * share.high));
}

class RandomChains : public testing::TestWithParam<std::size_t> {};

TEST_P(RandomChains, AgreeWithPricing) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    made::Workload made;
    made::fill_randomly(made, seed, GetParam());
    const cost::CostModel size = made::model("per-size", made::kPerSize, made.diagnostics);
    const cost::CostModel cycles = made::model("cycles", made::kCycles, made.diagnostics);
    std::vector<cost::Prediction> predictions;
    predictions.push_back(made.price(size));
    predictions.push_back(made.price(cycles));
    const Chain chain = Chain::build(made.cases, made.workload, predictions);
    EXPECT_EQ(chain.is_mdp(), GetParam() > 1);
    expect_same_estimators(chain, predictions);
    expect_same_probability(chain, made, "dropped", program::Dropped{});
    EXPECT_EQ(reach_probability(chain, chain.find_label("done").value(), Branching::Free),
              Interval(Rational(1)));
  }
}

INSTANTIATE_TEST_SUITE_P(UnknownRows, RandomChains, testing::Values(0, 1, 2, 3));

TEST(Solve, ProbabilityOfALabelCountsAPathOnce) {
  made::Workload made;
  const auto* table = made.site(program::EventKind::TableApply, 5, "t", "exact");
  made.add_row("twice", Rational(1, 3));
  made.add_row("never", Rational(2, 3));
  const program::Event hit{table, {1, 8, 1, 1, 0}};
  made.add_case({hit, hit}, program::Sent{1}, {{0, Rational(1)}});
  made.add_case({}, program::Dropped{}, {{1, Rational(1)}});
  made.finish();
  const cost::CostModel model = made::model("cycles", made::kCycles, made.diagnostics);
  const std::vector<cost::Prediction> predictions{made.price(model)};
  const Chain chain = Chain::build(made.cases, made.workload, predictions);
  const auto probability = [&](const char* label) {
    return reach_probability(chain, chain.find_label(label).value(), Branching::Random);
  };
  EXPECT_EQ(probability("hit_t"), Interval(Rational(1, 3)));
  EXPECT_EQ(probability("miss_t"), Interval(Rational(0)));
  EXPECT_EQ(probability("sent_1"), Interval(Rational(1, 3)));
  EXPECT_EQ(probability("dropped"), Interval(Rational(2, 3)));
  EXPECT_EQ(reach_probability(chain, chain.find_label("hit_t").value(), Branching::Free),
            Interval(Rational(0), Rational(1)));
}

}  // namespace
}  // namespace perfpact::markov
