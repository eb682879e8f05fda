#include "diff/diff.h"

#include <algorithm>

#include "diff/alignment.h"
#include "diff/diagnostics.h"

namespace perfpact::diff {
namespace {

constexpr std::size_t kMostPlaces = 5;

using Terms = std::map<std::vector<std::string>, Rational>;

// Nothing where it is no polynomial, or one with a negative coefficient.
std::optional<Terms> terms_of(const formula::Formula& formula) {
  const auto terms = formula.terms();
  if (!terms) return std::nullopt;
  Terms all;
  for (const formula::Formula::Term& term : *terms) {
    if (term.coefficient < 0) return std::nullopt;
    if (term.coefficient > 0) all[term.names] += term.coefficient;
  }
  return all;
}

// Of the maximum of the one over the maximum of the other.
std::optional<Rational> growth(const Cost& before, const Cost& after) {
  std::optional<Rational> largest;
  for (const formula::Formula& now : after.formulas) {
    std::optional<Rational> least;
    for (const formula::Formula& then : before.formulas)
      if (const auto one = diff::growth(then, now); one && (!least || *one < *least)) least = one;
    if (!least) return std::nullopt;
    if (!largest || *least > *largest) largest = least;
  }
  return largest;
}

std::optional<Rational> ratio_of(const Cost& before, const Cost& after) {
  if (before.text == after.text) return Rational(0);
  if (!before.most || !after.most) return growth(before, after);
  if (*before.most == 0) return *after.most == 0 ? std::optional(Rational(0)) : std::nullopt;
  return *after.most / *before.most - 1;
}

std::vector<Place> places_of(const Class& before, const Class& after, const std::string& metric) {
  std::vector<Place> places = dearer_places(before.lines, after.lines, metric);
  std::ranges::stable_sort(places, [](const Place& a, const Place& b) {
    return std::pair(!a.calls.empty(), a.more) > std::pair(!b.calls.empty(), b.more);
  });
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
  return places;
}

}  // namespace

std::optional<Rational> growth(const formula::Formula& before, const formula::Formula& after) {
  const std::optional<Terms> then = terms_of(before), now = terms_of(after);
  if (!then || !now)
    return before.to_string() == after.to_string() ? std::optional(Rational(0)) : std::nullopt;
  std::optional<Rational> largest;
  for (const auto& [names, coefficient] : *now) {
    const auto old = then->find(names);
    if (old == then->end()) return std::nullopt;
    const Rational ratio = coefficient / old->second - 1;
    if (!largest || ratio > *largest) largest = ratio;
  }
  return largest ? largest : std::optional(Rational(then->empty() ? 0 : -1));
}

Result<Diff> compare(const Summary& before, const Summary& after, Diagnostics& diagnostics) {
  Diff diff;
  bool is_any = false;
  for (const Class& now : after.classes) {
    const auto then = std::ranges::find(before.classes, now.name, &Class::name);
    if (then == before.classes.end()) {
      diagnostics.report(diag::kOnlyInOne, {}, now.name, "new");
      continue;
    }
    is_any = true;
    for (const auto& [metric, cost] : now.costs) {
      const auto old = then->costs.find(metric);
      if (old == then->costs.end()) {
        if (then->is_empty)
          diff.changes.push_back({.name = now.name,
                                  .metric = metric,
                                  .before = "empty",
                                  .after = cost.text,
                                  .after_most = cost.most,
                                  .path = cost.path});
        continue;
      }
      Change change{now.name,
                    metric,
                    old->second.text,
                    cost.text,
                    old->second.most,
                    cost.most,
                    ratio_of(old->second, cost),
                    cost.path,
                    {}};
      if (change.is_beyond(0)) change.places = places_of(*then, now, metric);
      diff.changes.push_back(std::move(change));
    }
  }
  for (const Class& then : before.classes)
    if (std::ranges::find(after.classes, then.name, &Class::name) == after.classes.end())
      diagnostics.report(diag::kOnlyInOne, {}, then.name, "old");
  if (!is_any) return std::unexpected(diagnostics.report(diag::kNothing, {}));
  return diff;
}

}  // namespace perfpact::diff
