#include "contract/bounds.h"

#include <algorithm>

namespace perfpact::contract {
namespace {

using formula::Formula;

// By the names of a monomial, sorted, powers repeated.
using Polynomial = std::map<std::vector<std::string>, Rational>;

void add(Polynomial& sum, const std::vector<Formula::Term>& terms, const Rational& factor) {
  for (const Formula::Term& term : terms) sum[term.names] += term.coefficient * factor;
}

// The polynomial of how much each name is above its lowest value.
Polynomial above_lowest(const Polynomial& polynomial, const Ranges& ranges) {
  Polynomial result;
  for (const auto& [names, coefficient] : polynomial) {
    Polynomial product{{{}, coefficient}};
    for (const std::string& name : names) {
      Polynomial next;
      for (const auto& [factors, value] : product) {
        next[factors] += value * Rational(ranges(name).low);
        std::vector<std::string> longer = factors;
        longer.insert(std::ranges::upper_bound(longer, name), name);
        next[longer] += value;
      }
      product = std::move(next);
    }
    for (const auto& [factors, value] : product) result[factors] += value;
  }
  return result;
}

// No value is below this, of names that are 0 or more.
std::optional<Rational> least(const Polynomial& polynomial, const Ranges& ranges) {
  Rational sum = 0;
  for (const auto& [names, coefficient] : polynomial) {
    if (names.empty()) sum += coefficient;
    if (names.empty() || coefficient >= 0) continue;
    Rational product = coefficient;
    for (const std::string& name : names) {
      const Range range = ranges(name);
      if (!range.high) return std::nullopt;
      product *= Rational(*range.high - range.low);
    }
    sum += product;
  }
  return sum;
}

}  // namespace

bool dominates(const Formula& a, const Formula& b, const Ranges& ranges) {
  const auto terms_a = a.terms();
  const auto terms_b = b.terms();
  if (!terms_a || !terms_b) return a.to_string() == b.to_string();
  Polynomial difference;
  add(difference, *terms_a, 1);
  add(difference, *terms_b, -1);
  const std::optional<Rational> least_of_it = least(above_lowest(difference, ranges), ranges);
  return least_of_it && *least_of_it >= 0;
}

// Of equal ones the first stays.
std::vector<std::size_t> largest(std::span<const Formula> formulas, const Ranges& ranges) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (std::ranges::any_of(kept, [&](std::size_t k) { return dominates(formulas[k], formulas[i], ranges); }))
      continue;
    std::erase_if(kept, [&](std::size_t k) { return dominates(formulas[i], formulas[k], ranges); });
    kept.push_back(i);
  }
  return kept;
}

std::optional<Rational> most(const Formula& formula, const Ranges& ranges) {
  const auto terms = formula.terms();
  if (!terms) return std::nullopt;
  Polynomial negative;
  add(negative, *terms, -1);
  const std::optional<Rational> result = least(above_lowest(negative, ranges), ranges);
  return result ? std::optional(Rational(-*result)) : std::nullopt;
}

}  // namespace perfpact::contract
