// Pricing: weighted cases x cost model -> estimators, quantiles over the packet mix, cost of every step.
//
// The paper's names (section 2.2 and 4.1): min = best scenario at the cheapest input, avg_best = mean over
// inputs in the best scenario, avg = mean in the average scenario, avg_worst = mean in the worst, max = worst
// scenario at the dearest input. All nine combinations are given.
//
// Unknown rows share the rest r of probability in any way s_j >= 0, sum s_j = r. Every mean and every value
// of the distribution function is linear in s, so its bounds are reached where one row gets all of r; with
// exactly one unknown row everything is exact. A row of probability 0, and every unknown row when r = 0,
// takes no part. Tested by tests/cost/pricing_test.cpp against closed forms and enumeration.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "cost/cost_model.h"
#include "workload/weigh.h"

namespace perfpact::cost {

struct PricedStep {
  const program::Event* event;  // points into the WeightedCases that were priced
  Costs cost;
};

struct PricedCase {
  std::size_t index;  // into WeightedCases::cases
  Interval probability;
  Costs cost;
  std::vector<PricedStep> steps;  // in order of execution
};

/// Statistics over inputs, one element per scenario.
struct Estimators {
  std::vector<Rational> min;
  std::vector<Interval> mean;
  std::vector<Rational> max;
};

struct Quantile {
  std::string name;             // "p50", "p90", "p99", "p99.9"
  Rational level;               // 1/2, ...
  std::vector<Interval> value;  // per scenario
};

struct Prediction {
  const CostModel* model;
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
