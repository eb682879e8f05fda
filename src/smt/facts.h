// What is known of a bit vector's value whatever the assignment: bits that are fixed, and an unsigned
// interval. Over-approximates: the value always lies inside. Kept for vectors of up to 64 bits; of a wider
// one nothing is known.
//
// The transfer functions follow LLVM's KnownBits, each half tightening the other.
// Tested by tests/smt/facts_test.cpp against all values.
#pragma once
#include <cstdint>
#include <optional>

#include "smt/value.h"

namespace perfpact::smt {

class Expr;

struct Facts {
  std::uint32_t width = 0;  // 0: nothing is known (wide vectors, arrays)
  std::uint64_t zeros = 0;  // bits that are 0
  std::uint64_t ones = 0;   // bits that are 1
  std::uint64_t low = 0;    // low <= value <= high
  std::uint64_t high = 0;

  static Facts none() { return {}; }
  static Facts any(std::uint32_t width);
  static Facts of(std::uint32_t width, std::uint64_t value);
  static Facts range(std::uint32_t width, std::uint64_t low, std::uint64_t high);
  static Facts bits(std::uint32_t width, std::uint64_t zeros, std::uint64_t ones);

  [[nodiscard]] bool is_fixed() const { return width != 0 && low == high; }
  /// No value is possible.
  [[nodiscard]] bool is_empty() const { return width != 0 && low > high; }
  [[nodiscard]] bool contains(std::uint64_t value) const;
  /// The sign bit, where it is known.
  [[nodiscard]] std::optional<bool> sign() const;
  friend bool operator==(const Facts&, const Facts&) = default;
};

/// Both hold (maybe empty); at least one holds.
[[nodiscard]] Facts meet(const Facts& a, const Facts& b);
[[nodiscard]] Facts join(const Facts& a, const Facts& b);

/// The facts of `expr` from those of its operands.
[[nodiscard]] Facts transfer(Expr expr, const Facts& a, const Facts& b, const Facts& c);

}  // namespace perfpact::smt
