// What packets of each input class cost in a chain at most, as formulas over PCVs, and what adding up the
// contracts of its nodes would have said. Tested by tests/chain.
#pragma once
#include "chain/combine.h"

namespace perfpact::chain {

struct Bound {
  Metric metric;
  std::vector<formula::Formula> formulas;  // none dominates another; the cost is at most their maximum
  std::optional<Rational> most;            // where all PCVs are limited
  std::size_t worst_path = 0;              // index of the path with the first formula

  /// `max(a, b)`.
  [[nodiscard]] std::string to_string() const;
};

struct ClassContract {
  std::string name;
  std::vector<std::size_t> paths;  // indices
  std::vector<Bound> bounds;       // by metric; empty where there is no path
  /// The dearest way through the chain, node after node as each would be told alone: what reaches a node, and
  /// what comes to it, is not looked at. By metric.
  std::vector<Bound> additions;
  std::vector<std::size_t> gaps;  // indices: not explored, and packets of this class can come there
  std::size_t unknown = 0;        // paths of which it is not known whether they are in the class
  /// The dearest path by the first metric, with a packet of this class.
  std::optional<std::size_t> worst;
  std::shared_ptr<const smt::Model> witness;
};

[[nodiscard]] Result<std::vector<ClassContract>> make_contract(
    Combination& combination, const std::vector<contract::InputClass>& classes, Diagnostics& diagnostics);

}  // namespace perfpact::chain
