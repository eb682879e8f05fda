#include "cost/pricing.h"

#include <gtest/gtest.h>

#include "../packet/reported.h"

namespace perfpact::cost {
namespace {

using program::Event;
using program::EventKind;
using program::EventSite;
using workload::WeightedCase;
using workload::WeightedCases;
using workload::Workload;

struct Table {
  const char* name;
  std::int64_t entries;
  std::int64_t key_bits;
};
// Table 4 of the paper.
constexpr Table kPortMapping{"ingress.port_mapping", 10000, 9};
constexpr Table kBd{"ingress.bd", 20000, 16};
constexpr Table kFib{"ingress.ipv4_fib", 1, 44};
constexpr Table kFibLpm{"ingress.ipv4_fib_lpm", 50000, 44};
constexpr Table kNexthop{"ingress.nexthop", 20000, 16};

// The case study of section 4.2 as hand-made traces: 0.33 meets no table, 0.33 hits the one entry of
// ipv4_fib, 0.34 misses it and looks up ipv4_fib_lpm too; every other look-up misses.
class CaseStudy : public ::testing::Test {
 protected:
  CaseStudy() : diagnostics(sources) {
    add_case(Rational(33, 100), {});
    add_case(Rational(33, 100), {miss(kPortMapping), miss(kBd), apply(kFib, 1, 1), miss(kNexthop)});
    add_case(Rational(34, 100), {miss(kPortMapping), miss(kBd), miss(kFib), miss(kFibLpm), miss(kNexthop)});
  }

  Event apply(const Table& table, std::int64_t hit, std::int64_t visited) {
    const EventSite& site = sites.emplace_back(EventSite{EventKind::TableApply, {}, {table.name, "ternary"}});
    return {&site, {table.entries, table.key_bits, hit, visited, 0}};
  }
  Event miss(const Table& table) { return apply(table, 0, table.entries); }

  void add_case(const Rational& probability, const std::vector<Event>& applies) {
    WeightedCase weighted;
    weighted.trace.events.push_back({&start, {}});
    for (const Event& event : applies) {
      weighted.trace.events.push_back(event);
      weighted.trace.events.push_back({&assign, {32}});
    }
    weighted.known = probability;
    weighted.rows = {workload.rows.size()};
    workload.rows.push_back({fmt::format("row {}", workload.rows.size()), probability, {}, {}});
    cases.cases.push_back(std::move(weighted));
  }

  Prediction predict(const std::string& model_file) {
    auto loaded = CostModel::load(PERFPACT_SOURCE_DIR "/examples/l3-routing/" + model_file, diagnostics);
    EXPECT_TRUE(loaded) << diagnostics.render();
    model = std::move(*loaded);
    auto prediction = price(cases, workload, *model, diagnostics);
    EXPECT_TRUE(prediction) << diagnostics.render();
    return std::move(*prediction);
  }

  // The five estimators by closed form: `sizes` are the amounts of work of the three paths, `unit_work` that
  // of the measured look-up.
  void expect_estimators(const Prediction& prediction, const std::array<std::int64_t, 3>& sizes,
                         std::int64_t unit_work, const std::array<const char*, 5>& printed) const {
    const std::array<Rational, 3> base{Rational(114, 1000), Rational(309394, 1000000), Rational(438, 1000)};
    const std::array<Rational, 3> lookup{Rational(2031, 1000), Rational(4810818, 1000000),
                                         Rational(613, 100)};
    const std::array<Rational, 3> weight{Rational(33, 100), Rational(33, 100), Rational(34, 100)};
    for (std::size_t s = 0; s < 3; ++s) {
      Rational work = 0;
      for (std::size_t path = 0; path < 3; ++path) work += weight[path] * sizes[path];
      const Rational each = (lookup[s] - base[s]) / unit_work;
      EXPECT_EQ(prediction.estimators.min[s], base[s]);
      EXPECT_EQ(prediction.estimators.mean[s], Interval(base[s] + each * work));
      EXPECT_EQ(prediction.estimators.max[s], base[s] + each * sizes[2]);
    }
    const std::array<Rational, 5> paper{prediction.estimators.min[0].low, prediction.estimators.mean[0].low,
                                        prediction.estimators.mean[1].low, prediction.estimators.mean[2].low,
                                        prediction.estimators.max[2].low};
    for (std::size_t i = 0; i < paper.size(); ++i) EXPECT_EQ(to_decimal(paper[i]), printed[i]);
  }

  SourceManager sources;
  Diagnostics diagnostics;
  const EventSite start{EventKind::Start, {}, {"normal"}};
  const EventSite assign{EventKind::Assign, {}, {}};
  std::deque<EventSite> sites;
  Workload workload;
  WeightedCases cases;
  std::optional<CostModel> model;
};

TEST_F(CaseStudy, PerSize) {
  const std::int64_t common = 10000 * 9 + 20000 * 16 + 1 * 44 + 20000 * 16;
  expect_estimators(predict("cost-per-size.yaml"), {0, common, common + 50000 * 44}, 100000 * 48,
                    {"0.114", "0.608078586075", "1.469569902579", "1.905029375033", "3.912543843333"});
}

TEST_F(CaseStudy, PerEntry) {
  expect_estimators(predict("cost-per-entry.yaml"), {0, 50001, 100001}, 100000,
                    {"0.114", "1.0820978439", "2.582643279541", "3.3124981364", "6.13005692"});
}

TEST_F(CaseStudy, CasesStepsAndQuantiles) {
  const Prediction prediction = predict("cost-per-entry.yaml");
  ASSERT_EQ(prediction.cases.size(), 3U);
  // 0.34 first; of the two with 0.33 the dearer one.
  EXPECT_EQ(prediction.cases[0].index, 2U);
  EXPECT_EQ(prediction.cases[1].index, 1U);
  EXPECT_EQ(prediction.cases[2].index, 0U);
  EXPECT_EQ(prediction.cases[0].probability, Interval(Rational(34, 100)));
  for (const PricedCase& priced : prediction.cases) {
    const auto& events = cases.cases[priced.index].trace.events;
    ASSERT_EQ(priced.steps.size(), events.size());
    for (std::size_t s = 0; s < 3; ++s) {
      Rational sum = 0;
      for (std::size_t i = 0; i < events.size(); ++i) {
        EXPECT_EQ(priced.steps[i].event, &events[i]);
        sum += priced.steps[i].price->costs[s];
      }
      EXPECT_EQ(sum, priced.cost[s]);
    }
  }
  // Rising costs have cumulated probabilities 0.33, 0.66, 1.
  ASSERT_EQ(prediction.mix_quantiles.size(), 4U);
  EXPECT_EQ(prediction.mix_quantiles[0].name, "p50");
  EXPECT_EQ(prediction.mix_quantiles[0].value[2], Interval(prediction.cases[1].cost[2]));
  EXPECT_EQ(prediction.mix_quantiles[1].value[2], Interval(prediction.cases[0].cost[2]));
  EXPECT_EQ(prediction.mix_quantiles[3].name, "p99.9");
  EXPECT_EQ(prediction.mix_quantiles[3].value[0], Interval(prediction.cases[0].cost[0]));
}

// P(cost <= x) = level exactly is enough.
TEST_F(CaseStudy, QuantileAtExactlyItsLevel) {
  cases.cases[0].known = Rational(1, 2);
  cases.cases[1].known = Rational(4, 10);
  cases.cases[2].known = Rational(1, 10);
  const Prediction prediction = predict("cost-per-entry.yaml");
  EXPECT_EQ(prediction.mix_quantiles[0].value[0], Interval(Rational(114, 1000)));
  EXPECT_EQ(prediction.mix_quantiles[1].value[0].high, prediction.cases[1].cost[0]);
  EXPECT_EQ(prediction.mix_quantiles[2].value[0].high, prediction.estimators.max[0]);
}

TEST_F(CaseStudy, AProbabilityOfZeroTakesNoPartInMinAndMax) {
  cases.cases[0].known = 0;
  cases.cases[1].known = 1;
  cases.cases[2].known = 0;
  const Prediction prediction = predict("cost-per-entry.yaml");
  EXPECT_EQ(prediction.estimators.min[1], prediction.estimators.max[1]);
  EXPECT_EQ(prediction.estimators.mean[1], prediction.estimators.max[1]);
  EXPECT_EQ(prediction.cases.size(), 3U);
}

TEST_F(CaseStudy, EveryEventWithoutACostIsReportedOnce) {
  test::Folder folder;
  auto poor = CostModel::load(
      folder.write("poor.yaml",
                   "schema: perfpact.cost-model/1\nmetric: m\nunit: u\nscenarios: [all]\n"
                   "costs:\n  - {event: start, cost: 1}\n  - {event: table.apply, hit: 0, cost: 1}\n"),
      diagnostics);
  ASSERT_TRUE(poor) << diagnostics.render();
  EXPECT_FALSE(price(cases, workload, *poor, diagnostics));
  EXPECT_EQ(
      test::reported(diagnostics),
      "0:0: cost model 'poor' gives no cost to the event assign(bits 32): it has no row for it and no "
      "'others' "
      "[event-without-cost]\n"
      "0:0: cost model 'poor' gives no cost to the event table.apply(ingress.ipv4_fib, ternary; entries 1, "
      "key_bits 44, hit 1, visited 1, prefix_length 0): it has no row for it and no 'others' "
      "[event-without-cost]\n");
}

}  // namespace
}  // namespace perfpact::cost
