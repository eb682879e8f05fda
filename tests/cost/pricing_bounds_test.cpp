// Bounds under unknown probabilities against enumeration: every way to share the rest in steps of 1/kSteps
// lies within the bounds, and both ends are reached by giving all of it to one row.
#include <gtest/gtest.h>

#include <random>

#include "../packet/reported.h"
#include "cost/pricing.h"

namespace perfpact::cost {
namespace {

using program::EventKind;
using program::EventSite;
using workload::WeightedCase;
using workload::WeightedCases;
using workload::Workload;

constexpr int kSteps = 6;
constexpr std::size_t kScenarios = 2;

const EventSite kAssign{EventKind::Assign, {}, {}};
const EventSite kHash{EventKind::Hash, {}, {"crc32"}};

// A random workload over random cases: each row spreads over the cases in random shares.
struct Made {
  explicit Made(unsigned seed) : random(seed) {
    const std::size_t case_count = 1 + pick(6);
    for (std::size_t c = 0; c < case_count; ++c) {
      WeightedCase weighted;
      weighted.trace.events = {{&kAssign, {pick(4)}}, {&kHash, {pick(4)}}};
      cases.cases.push_back(std::move(weighted));
    }
    const std::size_t unknown_rows = pick(4);
    const std::size_t known_rows = unknown_rows == 0 ? 1 + pick(3) : pick(3);
    std::vector<Rational> known(known_rows);
    const int total = 12;
    int left = total;
    for (std::size_t r = 0; r < known_rows; ++r) {
      const bool takes_rest = unknown_rows == 0 && r + 1 == known_rows;
      const int part = takes_rest ? left : static_cast<int>(pick(left + 1));
      left -= part;
      add_row(Rational(part, total));
    }
    workload.rest = Rational(left, total);
    for (std::size_t r = 0; r < unknown_rows; ++r) add_row(std::nullopt);
  }

  void add_row(std::optional<Rational> probability) {
    const std::size_t row = workload.rows.size();
    workload.rows.push_back({fmt::format("row {}", row), probability, {}, {}});
    std::vector<std::int64_t> weights;
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < cases.cases.size(); ++c) sum += weights.emplace_back(pick(3));
    if (sum == 0) sum = weights.front() = 1;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      if (weights[c] == 0) continue;
      cases.cases[c].rows.push_back(row);
      if (probability)
        cases.cases[c].known += *probability * Rational(weights[c], sum);
      else
        cases.cases[c].unknown[row] = Rational(weights[c], sum);
    }
  }
  std::int64_t pick(std::int64_t below) {
    return std::uniform_int_distribution<std::int64_t>(0, below - 1)(random);
  }

  [[nodiscard]] std::vector<std::size_t> unknown_rows() const {
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < workload.rows.size(); ++r)
      if (!workload.rows[r].probability) rows.push_back(r);
    return rows;
  }

  // The model's costs, written out: scenario 0: bits of assign; scenario 1: bits of assign + 3 * bits of
  // hash.
  [[nodiscard]] Rational cost(std::size_t c, std::size_t scenario) const {
    const auto& events = cases.cases[c].trace.events;
    return Rational(events[0].numbers[0]) + Rational(scenario == 0 ? 0 : 3 * events[1].numbers[0]);
  }

  std::mt19937 random;
  Workload workload;
  WeightedCases cases;
};

// All vectors of non-negative whole numbers of this length with this sum.
void enumerate(std::size_t length, int sum, std::vector<int>& prefix,
               const std::function<void(const std::vector<int>&)>& visit) {
  if (prefix.size() + 1 == length) {
    prefix.push_back(sum);
    visit(prefix);
    prefix.pop_back();
    return;
  }
  for (int part = 0; part <= sum; ++part) {
    prefix.push_back(part);
    enumerate(length, sum - part, prefix, visit);
    prefix.pop_back();
  }
}

// Least and largest value seen.
struct Range {
  std::optional<Rational> least, most;
  void add(const Rational& value) {
    least = least ? std::min(*least, value) : value;
    most = most ? std::max(*most, value) : value;
  }
  [[nodiscard]] Interval interval() const { return {*least, *most}; }
};

struct Seen {
  std::array<Range, kScenarios> mean;
  std::array<std::array<Range, 4>, kScenarios> quantiles;
  std::vector<Range> probability;
  std::array<Range, kScenarios> possible;  // costs of cases of positive probability
};

// One way to share the rest, evaluated straight from the definitions.
void evaluate(const Made& made, const std::vector<Rational>& shares, Seen& seen) {
  const std::vector<std::size_t> rows = made.unknown_rows();
  std::vector<Rational> probability;
  for (const WeightedCase& c : made.cases.cases) {
    Rational p = c.known;
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (c.unknown.contains(rows[j])) p += shares[j] * c.unknown.at(rows[j]);
    probability.push_back(p);
    seen.probability[probability.size() - 1].add(p);
  }
  const std::array<Rational, 4> levels{Rational(1, 2), Rational(9, 10), Rational(99, 100),
                                       Rational(999, 1000)};
  for (std::size_t s = 0; s < kScenarios; ++s) {
    Rational mean = 0;
    for (std::size_t c = 0; c < probability.size(); ++c) {
      mean += probability[c] * made.cost(c, s);
      if (probability[c] > 0) seen.possible[s].add(made.cost(c, s));
    }
    seen.mean[s].add(mean);
    for (std::size_t q = 0; q < levels.size(); ++q) {
      std::optional<Rational> least;
      for (std::size_t c = 0; c < probability.size(); ++c) {
        const Rational x = made.cost(c, s);
        Rational below = 0;
        for (std::size_t d = 0; d < probability.size(); ++d)
          if (made.cost(d, s) <= x) below += probability[d];
        if (below >= levels[q] && (!least || x < *least)) least = x;
      }
      seen.quantiles[s][q].add(*least);
    }
  }
}

TEST(PricingBounds, AgreeWithEnumeration) {
  test::Folder folder;
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const auto model = CostModel::load(
      folder.write("m.yaml",
                   "schema: perfpact.cost-model/1\nmetric: m\nunit: u\nscenarios: [a, b]\n"
                   "constants: {w: {a: 0, b: 3}}\n"
                   "costs:\n  - {event: assign, cost: bits}\n  - {event: hash, cost: w*bits}\n"),
      diagnostics);
  ASSERT_TRUE(model) << diagnostics.render();

  int with_interval = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Made made(seed);
    Seen seen;
    seen.probability.resize(made.cases.cases.size());
    const std::size_t unknown = made.unknown_rows().size();
    if (unknown == 0) {
      evaluate(made, {}, seen);
    } else {
      std::vector<int> prefix;
      enumerate(unknown, kSteps, prefix, [&](const std::vector<int>& parts) {
        std::vector<Rational> shares;
        for (int part : parts) shares.push_back(made.workload.rest * Rational(part, kSteps));
        evaluate(made, shares, seen);
      });
    }
    const auto prediction = price(made.cases, made.workload, *model, diagnostics);
    ASSERT_TRUE(prediction) << diagnostics.render();
    for (std::size_t s = 0; s < kScenarios; ++s) {
      EXPECT_EQ(prediction->estimators.mean[s], seen.mean[s].interval()) << seed;
      EXPECT_EQ(prediction->estimators.min[s], *seen.possible[s].least) << seed;
      EXPECT_EQ(prediction->estimators.max[s], *seen.possible[s].most) << seed;
      for (std::size_t q = 0; q < 4; ++q)
        EXPECT_EQ(prediction->mix_quantiles[q].value[s], seen.quantiles[s][q].interval()) << seed << " " << q;
      if (!prediction->estimators.mean[s].is_exact()) ++with_interval;
      EXPECT_TRUE(unknown > 1 || prediction->estimators.mean[s].is_exact()) << seed;
    }
    for (const PricedCase& priced : prediction->cases)
      EXPECT_EQ(priced.probability, seen.probability[priced.index].interval()) << seed;
  }
  EXPECT_GT(with_interval, 100);
}

}  // namespace
}  // namespace perfpact::cost
