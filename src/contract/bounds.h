// Which of several cost formulas is the largest, whatever values PCVs have in their ranges. Tested by
// tests/contract/bounds_test.cpp.
#pragma once
#include <functional>
#include <span>

#include "contract/classes.h"

namespace perfpact::contract {

/// Of a PCV, by its full name.
using Ranges = std::function<Range(const std::string&)>;

/// Whether `a` is never below `b`. False also where that is not found out: both are compared as polynomials,
/// monomial by monomial.
[[nodiscard]] bool dominates(const formula::Formula& a, const formula::Formula& b, const Ranges& ranges);

/// Indices of formulas of which none is dominated by another one: their maximum is that of all. In their
/// order.
[[nodiscard]] std::vector<std::size_t> largest(std::span<const formula::Formula> formulas,
                                               const Ranges& ranges);

/// No value is above this; nothing where there is no limit. The formula's coefficients may be negative.
[[nodiscard]] std::optional<Rational> most(const formula::Formula& formula, const Ranges& ranges);

}  // namespace perfpact::contract
