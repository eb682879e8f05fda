#include "markov/chain.h"

#include <gtest/gtest.h>

#include "markov/made_workload.h"

namespace perfpact::markov {
namespace {

using program::EventKind;

/// start, then a table that hits (sent) or misses (dropped).
struct HitOrMiss : made::Workload {
  HitOrMiss() {
    start = site(EventKind::Start, 1, "normal");
    table = site(EventKind::TableApply, 7, "ingress.fib", "ternary");
  }
  void add_cases(const std::map<std::size_t, Rational>& hit, const std::map<std::size_t, Rational>& miss) {
    add_case({{start, {}}, {table, {10, 44, 1, 4, 0}}}, program::Sent{1}, hit);
    add_case({{start, {}}, {table, {10, 44, 0, 10, 0}}}, program::Dropped{}, miss);
    finish();
  }
  Chain chain() {
    model = made::model("cycles", made::kCycles, diagnostics);
    predictions.push_back(price(model));
    return Chain::build(cases, workload, predictions);
  }
  const program::EventSite* start;
  const program::EventSite* table;
  cost::CostModel model;
  std::vector<cost::Prediction> predictions;
};

TEST(Chain, MergesCasesUntilTheirEventsDiffer) {
  HitOrMiss made;
  made.add_row("hits", Rational(1, 3));
  made.add_row("misses", Rational(2, 3));
  made.add_cases({{0, Rational(1)}}, {{1, Rational(1)}});
  const Chain chain = made.chain();
  EXPECT_FALSE(chain.is_mdp());
  // begin, start, hit, sent, miss, dropped, done
  ASSERT_EQ(chain.states().size(), 7U);
  const State& start = chain.states()[1];
  EXPECT_EQ(chain.describe(start), "start(normal)");
  ASSERT_EQ(start.choices.size(), 1U);
  ASSERT_EQ(start.choices[0].branches.size(), 2U);
  EXPECT_EQ(start.choices[0].branches[0].probability, Rational(1, 3));
  EXPECT_EQ(start.choices[0].branches[1].probability, Rational(2, 3));
  const State& hit = chain.state(start.choices[0].branches[0].target);
  EXPECT_TRUE(chain.has_label(hit, chain.find_label("hit_ingress_fib").value()));
  EXPECT_TRUE(chain.has_label(hit, chain.find_label("applied_ingress_fib").value()));
  EXPECT_FALSE(chain.has_label(hit, chain.find_label("miss_ingress_fib").value()));
  EXPECT_EQ(chain.reward(hit, chain.find_reward("cycles_cold").value()), Rational(7 * 4 + 5));
}

TEST(Chain, EveryTransitionLeadsOnAndDoneIsLast) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    made::Workload made;
    made::fill_randomly(made, seed, seed % 3);
    const cost::CostModel model = made::model("cycles", made::kCycles, made.diagnostics);
    const std::vector<cost::Prediction> predictions{made.price(model)};
    const Chain chain = Chain::build(made.cases, made.workload, predictions);
    for (std::size_t i = 0; i + 1 < chain.states().size(); ++i)
      for (const Choice& choice : chain.states()[i].choices)
        for (const Branch& branch : choice.branches) {
          EXPECT_GT(static_cast<std::size_t>(branch.target), i);
          EXPECT_GT(branch.probability, 0);
        }
    const State& done = chain.state(chain.done());
    EXPECT_EQ(done.kind, StateKind::Done);
    EXPECT_EQ(done.choices.at(0).branches.at(0).target, chain.done());
  }
}

TEST(Chain, UnknownRowsLeaveAChoice) {
  HitOrMiss made;
  made.add_row("known", Rational(3, 4));
  made.add_row("hits", std::nullopt);
  made.add_row("misses", std::nullopt);
  made.add_cases({{0, Rational(1)}, {1, Rational(1)}}, {{2, Rational(1)}});
  const Chain chain = made.chain();
  EXPECT_TRUE(chain.is_mdp());
  const auto& from_begin = chain.state(chain.begin()).choices.at(0).branches;
  ASSERT_EQ(from_begin.size(), 2U);
  EXPECT_EQ(from_begin[0].probability, Rational(3, 4));
  EXPECT_EQ(from_begin[1].probability, Rational(1, 4));
  const State& open = chain.state(from_begin[1].target);
  EXPECT_EQ(open.kind, StateKind::UnknownRows);
  ASSERT_EQ(open.choices.size(), 2U);
  EXPECT_EQ(open.choices[0].row, "hits");
  EXPECT_EQ(open.choices[1].row, "misses");
}

TEST(Chain, LeavesOutCasesOfProbabilityZero) {
  HitOrMiss made;
  made.add_row("hits", Rational(1));
  made.add_row("misses", Rational(0));
  made.add_cases({{0, Rational(1)}}, {{1, Rational(1)}});
  const Chain chain = made.chain();
  EXPECT_EQ(chain.states().size(), 5U);  // begin, start, hit, sent, done
}

TEST(Chain, ACaseThatEndsInAGapHasItsLabel) {
  made::Workload made;
  made.add_row("all", Rational(1));
  made.add_case({{made.site(program::EventKind::Start, 1, "normal"), {}}},
                program::Gap{"more than 2 passes", {}}, {{0, Rational(1)}});
  made.finish();
  const cost::CostModel model = made::model("cycles", made::kCycles, made.diagnostics);
  const std::vector<cost::Prediction> predictions{made.price(model)};
  const Chain chain = Chain::build(made.cases, made.workload, predictions);
  const LabelId gap = chain.find_label("gap").value();
  EXPECT_EQ(std::ranges::count_if(chain.states(), [&](const State& s) { return chain.has_label(s, gap); }),
            1);
}

TEST(Chain, DistinctNamesGetDistinctIdentifiers) {
  made::Workload made;
  const auto* dotted = made.site(EventKind::TableApply, 5, "a.b", "exact");
  const auto* plain = made.site(EventKind::TableApply, 6, "a_b", "exact");
  made.add_row("all", Rational(1));
  made.add_case({{dotted, {1, 8, 1, 1, 0}}, {plain, {1, 8, 0, 1, 0}}}, program::Rejected{},
                {{0, Rational(1)}});
  made.finish();
  const cost::CostModel model = made::model("cycles", made::kCycles, made.diagnostics);
  const std::vector<cost::Prediction> predictions{made.price(model), made.price(model)};
  const Chain chain = Chain::build(made.cases, made.workload, predictions);
  EXPECT_TRUE(chain.find_label("hit_a_b").has_value());
  EXPECT_TRUE(chain.find_label("hit_a_b_2").has_value());
  EXPECT_TRUE(chain.find_reward("cycles_hot").has_value());
  EXPECT_TRUE(chain.find_reward("cycles_hot_2").has_value());
}

}  // namespace
}  // namespace perfpact::markov
