// The performance contract of a native network function: for each input class what its packets cost at most,
// as formulas over PCVs.
//
//   Result<Contract> contract = make_contract(explorer, paths, options, diagnostics);
//
// Takes the paths of an exploration (explore/native/explorer.h) and input classes. A path is in a class where
// the class's filter, `where` and the path's condition can hold together; it can be in several. What is in no
// class is `other`. A class's formula is that of the path that is the dearest whatever the PCVs are within
// the ranges that the class promises; where no single path is, the maximum of several. Approach: performance
// contracts (BOLT, NSDI'19, sections 2 and 3). Tested by tests/contract.
#pragma once
#include "contract/bounds.h"
#include "explore/native/path_cost.h"

namespace perfpact::contract {

struct ContractOptions {
  std::vector<InputClass> classes;                         // none: all packets are of one class, `all`
  std::vector<std::pair<std::string, Rational>> bindings;  // PCVs with a value, by name or its end
  std::vector<explore::PathMetric> metrics;                // beside library::kMetrics
};

/// Of one metric.
struct Bound {
  std::string metric;
  std::vector<formula::Formula> formulas;  // none dominates another; the cost is at most their maximum
  std::optional<Rational> most;            // where all PCVs are limited
  std::size_t worst_path = 0;              // index of the path with the first formula
};

struct ClassContract {
  std::string name;
  std::vector<std::size_t> paths;  // indices
  std::vector<Bound> bounds;       // by metric, library::kMetrics first; empty where there is no path
  /// The dearest path by instructions, with a packet of this class.
  std::optional<explore::NativePath> worst;
  std::size_t unknown =
      0;  // paths of which it is not known whether they are in the class; they are not in `paths`

  /// `max(a, b)`.
  [[nodiscard]] static std::string to_string(const Bound& bound);
};

struct Contract {
  std::vector<ClassContract> classes;
};

[[nodiscard]] Result<Contract> make_contract(explore::NativeExplorer& explorer,
                                             const std::vector<explore::NativePath>& paths,
                                             const ContractOptions& options, Diagnostics& diagnostics);

}  // namespace perfpact::contract
