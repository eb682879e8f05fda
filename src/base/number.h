// Exact numbers: integers of any size, rationals, intervals of rationals, and their text forms.
//
// Costs and probabilities are exact until they are printed.
// Tested by tests/base/number_test.cpp.
#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/multiprecision/gmp.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace perfpact {

/// An integer of any size; values below 2^128 need no allocation.
using Integer = boost::multiprecision::cpp_int;
/// An exact rational number, always in lowest terms.
using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

[[nodiscard]] Rational to_rational(const Integer& value);
/// The largest integer that is not above `value`.
[[nodiscard]] Integer floor(const Rational& value);
/// The smallest integer that is not below `value`.
[[nodiscard]] Integer ceil(const Rational& value);
[[nodiscard]] bool is_integer(const Rational& value);

/// 2^bits - 1.
[[nodiscard]] Integer all_ones(unsigned bits);
/// The least k with 2^k >= value; value >= 1.
[[nodiscard]] unsigned log2_ceil(const Integer& value);

/// Reads `12`, `0.25`, `1e-3`, `33/100`, each with an optional sign. Exact (0.1 is 1/10); nothing else.
[[nodiscard]] std::optional<Rational> parse_rational(std::string_view text);
/// Reads decimal, 0x, 0b, 0o; `_` between digits. No sign.
[[nodiscard]] std::optional<Integer> parse_integer(std::string_view text);

/// `3`, `1/3`.
[[nodiscard]] std::string to_fraction(const Rational& value);
/// Decimal notation rounded half away from zero to `significant` digits, without exponent and without
/// trailing zeros: `1.469569902579`. Integers are printed whole.
[[nodiscard]] std::string to_decimal(const Rational& value, int significant = 13);
/// `0x1f`.
[[nodiscard]] std::string to_hex(const Integer& value);
[[nodiscard]] double to_double(const Rational& value);

/// All numbers from low to high, both included. A number that is known is an interval of one.
struct Interval {
  Rational low;
  Rational high;

  Interval() = default;
  Interval(Rational value) : low(value), high(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Interval(Rational lower, Rational upper) : low(std::move(lower)), high(std::move(upper)) {}

  [[nodiscard]] bool is_exact() const { return low == high; }
  friend bool operator==(const Interval&, const Interval&) = default;
  friend Interval operator+(const Interval& a, const Interval& b) { return {a.low + b.low, a.high + b.high}; }
};

}  // namespace perfpact
