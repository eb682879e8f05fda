// Pricing: weighted cases x cost model -> estimators, quantiles over the packet mix, cost of every step.
//
// The paper's names (section 2.2 and 4.1): min = best scenario at the cheapest input, avg_best = mean over
// inputs in the best scenario, avg = mean in the average scenario, avg_worst = mean in the worst, max = worst
// scenario at the dearest input. All nine combinations are given.
//
// Unknown rows share the rest r of probability in any way s_j >= 0, sum s_j = r. Every mean and every value
// of the distribution function is linear in s, so its bounds are reached where one row gets all of r; with
// exactly one unknown row everything is exact. A row of probability 0, and every unknown row when r = 0,
// takes no part.
//
// Copies. A case's cost is that of the original packet plus that of its copies (program::Pass); statistics
// are about the sum.
//
// Gaps. What a case that ends in a gap has cost when it was cut off is a lower bound of its cost (no event
// costs less than nothing), and nothing is known from above. Every statistic follows from that: see Bounds.
// Tested by tests/cost/pricing_test.cpp against closed forms and enumeration.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "cost/cost_model.h"
#include "workload/weigh.h"

namespace perfpact::cost {

/// What is known of a number: it is at least `low` and, where there is a `high`, at most that.
struct Bounds {
  Rational low;
  std::optional<Rational> high;

  Bounds() = default;
  Bounds(const Rational& value) : low(value), high(value) {}           // NOLINT(google-explicit-constructor)
  Bounds(const Interval& value) : low(value.low), high(value.high) {}  // NOLINT(google-explicit-constructor)
  Bounds(Rational least, std::optional<Rational> most) : low(std::move(least)), high(std::move(most)) {}

  [[nodiscard]] bool is_exact() const { return high == low; }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

struct PricedStep {
  const program::Event* event;  // points into the WeightedCases that were priced
  const EventPrice* price;      // points into Prediction::prices
  bool is_copy = false;         // of a copy's pass
};

struct PricedCase {
  std::size_t index;  // into WeightedCases::cases
  Interval probability;
  Costs cost;                     // of the original and its copies; of a gap: until it was cut off
  Costs original;                 // the original's part
  Costs copies;                   // that of its copies
  std::vector<PricedStep> steps;  // in order of execution
};

/// Statistics over inputs, one element per scenario.
struct Estimators {
  std::vector<Bounds> min;
  std::vector<Bounds> mean;
  std::vector<Bounds> max;
};

struct Quantile {
  std::string name;           // "p50", "p90", "p99", "p99.9"
  Rational level;             // 1/2, ...
  std::vector<Bounds> value;  // per scenario
};

struct Prediction {
  const CostModel* model;
  std::shared_ptr<const std::deque<EventPrice>> prices;  // of every distinct occurrence of an event
  Estimators estimators;
  std::vector<Quantile> mix_quantiles;
  std::vector<PricedCase>
      cases;  // by falling probability (upper end), then falling cost in the last scenario
};

/// Reports events without a cost and faults of evaluation. Quantile q of a mix: the least cost x with
/// P(cost <= x) >= q. Where the workload leaves probabilities unknown: exact bounds over all ways to share.
[[nodiscard]] Result<Prediction> price(const workload::WeightedCases& cases,
                                       const workload::Workload& workload, const CostModel& model,
                                       Diagnostics& diagnostics);

}  // namespace perfpact::cost
