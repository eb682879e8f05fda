// The text view of a prediction.
//
//   made.p4: 2 packets of made.yaml, 2 distinct and run
//   tables: ingress.fib 50000 entries
//
//   latency in ms      min  avg_best             avg       avg_worst             max
//   per-size       0.46545    0.8169  1.959916133333  2.525066666667  3.046833333333
//
//   quantiles over the packet mix                p50             p90             p99           p99.9
//   per-size, latency in ms  best           0.992625        0.992625        0.992625        0.992625
//                            average  2.372546666667  2.372546666667  2.372546666667  2.372546666667
//                            worst    3.046833333333  3.046833333333  3.046833333333  3.046833333333
//
//   case 1: probability 0.6666666666667 (2/3), dropped, path 8099f593f586919c
//     packets: no route
//     does: parser start; ingress.fib miss (50000 of 50000 visited), NoAction
//     per-size, latency in ms
//           best         average           worst
//       0.992625  2.372546666667  3.046833333333     total
//       0.878625  2.063152666667  2.608833333333  3  table.apply(ingress.fib, ternary; entries 50000, ...)
//                                                    made.p4:7: fib.apply();
//          0.114        0.309394           0.438  1  start(normal)
//                                                    made.p4:1: control ingress(
//              0               0               0     2 further steps without a cost
//
// How to read it: min and max range over the inputs that may occur (the cheapest in the best scenario, the
// dearest in the worst); avg_best, avg and avg_worst are means over the packet mix in the scenarios best,
// average and worst. A model with other scenarios is shown as a grid of min, mean and max per scenario. Then
// come the cases, likeliest first, each with its steps, dearest first (by the last scenario); the number
// before a step is its place in the order of execution. An interval `[low, high]` means that the workload
// leaves probabilities unknown, `>= low` that packets were cut off (gaps, listed first). A case with clones
// or multicast copies says under `total` what is the original's part and what that of its copies. With
// `explain` the line of the cost model that priced a step stands under the line of the program. Quantiles are
// over the packet mix in one scenario and are no latency percentiles of a target. Numbers have 13 significant
// digits. Tested by tests/report/text_test.cpp.
#pragma once
#include <string>

#include "report/view.h"

namespace perfpact::report {

struct TextOptions {
  /// Every case, every step (also those without a cost), and all nine estimators.
  bool explain = false;
};

[[nodiscard]] std::string to_text(const PredictionView& view, const TextOptions& options);

}  // namespace perfpact::report
