// Linear equations over bits: up to 128 of them in up to 128 unknowns. Tested by
// tests/traffic/linear_system_test.cpp.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "traffic/random.h"

namespace perfpact::traffic {

class LinearSystem {
 public:
  /// `columns[u]` has bit e set where unknown u stands in equation e.
  LinearSystem(std::span<const Wide> columns, unsigned equations);

  /// Any of the solutions, each as likely as the others: bit u is unknown u. Nothing when the equations with
  /// these right sides (bit e of equation e) contradict each other.
  [[nodiscard]] std::optional<Wide> solve(Wide right_sides, Random& random) const;
  /// How many bits of a solution can be chosen freely.
  [[nodiscard]] std::size_t dimension() const { return kernel_.size(); }

 private:
  struct Row {
    Wide unknowns = 0;
    Wide equations = 0;  // of which this row is the sum
    std::optional<unsigned> pivot;
  };
  std::vector<Row> rows_;
  std::vector<Wide> kernel_;
};

}  // namespace perfpact::traffic
