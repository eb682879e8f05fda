// Weighing: runs a workload through a program and gives every case its probability (DESIGN: point 8).
#pragma once
#include <map>
#include <string>
#include <vector>

#include "program/trace.h"
#include "tables/table_set.h"
#include "workload/workload.h"

namespace perfpact::workload {

/// A case with its weight: `known` plus, for every row of unknown probability, the share of that row's
/// packets that fall into this case.
struct WeightedCase {
  program::Trace trace;
  Rational known;
  std::map<std::size_t, Rational> unknown;  // row index -> share within the row
  std::vector<std::size_t> rows;            // every row that has a packet in this case, ascending
  program::InputPacket example;             // the first packet that took it

  /// From the least to the largest probability that the workload allows.
  [[nodiscard]] Interval probability(const Workload& workload) const;
};

/// All cases that were cut off for the same reason at the same place.
struct WeightedGap {
  program::Gap gap;
  std::vector<std::size_t> cases;  // indices, ascending
  Interval probability;

  /// Whether a packet of the workload may end in it.
  [[nodiscard]] bool matters() const { return probability.high > 0; }
};

struct WeightedCases {
  std::vector<WeightedCase>
      cases;                 // in order of first appearance; same path, verdict, passes, events are one case
  std::size_t packets = 0;   // packets of the workload
  std::size_t executed = 0;  // distinct ones that were run

  /// In order of first appearance.
  [[nodiscard]] std::vector<WeightedGap> gaps(const Workload& workload) const;
};

/// Runs every distinct packet once, from the start state each (the executor is reset before each). Where
/// tables wait for generated entries, runs all once to learn the keys looked up, materializes, and runs
/// again.
[[nodiscard]] Result<WeightedCases> weigh(const Workload& workload, program::Executor& executor,
                                          tables::TableSet& tables, Diagnostics& diagnostics);

}  // namespace perfpact::workload
