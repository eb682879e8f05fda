// What got dearer from one contract to the other, by how much, and where.
//
//   Result<Diff> diff = compare(*old_summary, *new_summary, diagnostics);
//
// A class's cost is compared by what packets cost at most; where that has no limit, formula by formula: with
// PCVs that are not negative a sum grows by no larger ratio than the term that grows most. Tested by
// tests/diff.
#pragma once
#include "diff/summary.h"

namespace perfpact::diff {

/// A place where the path that is the dearest by instructions got dearer.
struct Place {
  std::string at;
  std::string text;
  std::int64_t more = 0;           // of the metric, the program's own
  std::vector<std::string> calls;  // that were not made before
};

struct Change {
  std::string name;  // of the class
  std::string metric;
  std::string before, after;  // formulas
  std::optional<Rational> before_most, after_most;
  /// 1/50: dearer by 2 %; negative: cheaper; nothing: without limit.
  std::optional<Rational> ratio;
  std::string path;           // id of the dearest path now
  std::vector<Place> places;  // new calls first, then by what they cost more; only where it got dearer

  [[nodiscard]] bool is_beyond(const Rational& allowed) const { return !ratio || *ratio > allowed; }
};

struct Diff {
  std::vector<Change> changes;  // of every class and metric that both have, equal ones too
};

/// Warns of classes that only one of them has: diff-only-in-one. Reports diff-nothing.
[[nodiscard]] Result<Diff> compare(const Summary& before, const Summary& after, Diagnostics& diagnostics);

/// By what factor `after` can be above `before` at most, less one, for all values of PCVs that are not
/// negative; nothing where there is no such factor or it is not found out.
[[nodiscard]] std::optional<Rational> growth(const formula::Formula& before, const formula::Formula& after);

}  // namespace perfpact::diff
