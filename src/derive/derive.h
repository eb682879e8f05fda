// Contract packs from machine code: what the methods of a library of structures cost, as formulas over the
// PCVs that their marks name, for each outcome.
//
//   const Code code(process, methods.methods, diagnostics);
//   Result<std::vector<DerivedMethod>> derived = derive(code, methods, diagnostics);
//   hold_to_runs(*derived, options, diagnostics);  // runs.h
//   to_pack(methods, *derived, code);              // pack_text.h
//
//   hash_map_get        hit     instructions  18*t + 28*c + 65   exact: all ways through the code cost this
//                               loads         5*t + 9*c + 20     exact: all ways through the code cost this
//   flow_table_expire   done    instructions  ...                bounded: 12 above 5,000 real calls at most
//
// In come a process, whose code, marks and bound symbols are looked at (it is not run further), and the
// symbolic part of a pack. The ways through a method (graph.h) are all that its code allows, so a formula
// that none of them exceeds (bound.h) is none that a call exceeds. Where they cost all the same for the same
// PCVs the formula is exact; where they do not, runs of the program tell how far it is above.
//
// Limits: indirect jumps other than through the linker's tables, unless `callbacks` tells where they lead;
// recursion; loops without marks; `rep` instructions whose count is no constant.
// Tested by tests/derive.
#pragma once
#include "base/number.h"
#include "derive/bound.h"
#include "derive/code.h"

namespace perfpact::derive {

/// So many real calls have to cost what the formula says for it to be called exact.
inline constexpr std::uint64_t kCallsForExact = 10'000;

struct DerivedCost {
  std::vector<Rational> prices;  // of DerivedOutcome::pcvs
  Rational constant;
  /// Every way through the code costs this, so every call does.
  bool is_exact_by_structure = false;
  bool is_counted = true;  // real calls show it
  // Of real calls:
  bool is_exact_in_runs = true;  // none cost less
  Rational over_at_most, over_sum;

  [[nodiscard]] bool is_exact(std::uint64_t calls) const {
    return is_exact_by_structure || (is_counted && calls >= kCallsForExact && is_exact_in_runs);
  }
};

struct DerivedPcv {
  std::string counted;  // as `count` names it: `hash_map_erase.t`
  std::string name;     // by the methods' names: `erase.t`
};

struct DerivedOutcome {
  const library::Outcome* outcome = nullptr;
  std::vector<DerivedPcv> pcvs;
  std::vector<DerivedCost> costs;  // by metric
  std::uint64_t calls = 0;         // real ones
};

struct DerivedMethod {
  const library::Method* method = nullptr;
  std::uint64_t address = 0;
  std::string code_sha256;
  bool is_counted = true;                // `count` sees all its PCVs and outcomes
  std::vector<DerivedOutcome> outcomes;  // those that some way ends in
};

/// Latencies too where Code has a processor. Those of the methods that the program has; warns of the others
/// (derive-skipped). `methods` is to outlive what is given.
[[nodiscard]] Result<std::vector<DerivedMethod>> derive(const Code& code, const library::Pack& methods,
                                                        Diagnostics& diagnostics);

/// The returns of a graph, by its nodes, with which a call has this outcome.
[[nodiscard]] std::vector<bool> ends_in(const Graph& graph, const library::Outcome& outcome);

/// Of the ways' PCVs: `erase.t` for `hash_map_erase.t`, where that is not the name of two.
[[nodiscard]] std::vector<DerivedPcv> pcvs_of(const library::Pack& methods, const Graph& graph,
                                              const Ways& ways);

/// library::kMetrics, library::kLatency.
[[nodiscard]] std::string_view metric_name(std::size_t metric);

/// `18*t + 28*c + 65`.
[[nodiscard]] std::string formula(const DerivedOutcome& outcome, std::size_t metric);

}  // namespace perfpact::derive
