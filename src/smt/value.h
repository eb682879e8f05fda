// A concrete bit vector of any width. Up to 64 bits it needs no allocation.
// Tested by tests/smt/semantics_test.cpp.
#pragma once
#include <cstdint>
#include <string>

#include "base/number.h"

namespace perfpact::smt {

inline constexpr std::uint32_t kWordBits = 64;

/// The lowest `width` bits set; width <= 64.
[[nodiscard]] constexpr std::uint64_t word_mask(std::uint32_t width) {
  return width >= kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

class Value {
 public:
  /// Width 0: no value.
  Value() = default;
  /// The number modulo 2^width.
  Value(std::uint32_t width, std::uint64_t word)
      : width_(width), word_(is_wide() ? 0 : word & word_mask(width)), wide_(is_wide() ? word : 0) {}
  /// The number, not negative, modulo 2^width.
  Value(std::uint32_t width, const Integer& number);

  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] bool is_wide() const { return width_ > kWordBits; }
  /// The number of a vector that is not wide.
  [[nodiscard]] std::uint64_t word() const { return word_; }
  [[nodiscard]] Integer number() const { return is_wide() ? wide_ : Integer(word_); }
  /// The number of a wide vector.
  [[nodiscard]] const Integer& wide() const { return wide_; }

  [[nodiscard]] bool is_zero() const { return word_ == 0 && wide_.is_zero(); }
  [[nodiscard]] bool is_one() const { return is_wide() ? wide_ == 1 : word_ == 1; }
  [[nodiscard]] bool is_ones() const;
  /// The lowest bit.
  [[nodiscard]] bool is_odd() const;
  [[nodiscard]] std::uint64_t hash() const;
  /// `8'0x1f`.
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::uint32_t width_ = 0;
  std::uint64_t word_ = 0;  // 0 when wide
  Integer wide_;            // 0 when not
};

/// Mixes a number into a hash; the same on every machine.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t number) {
  std::uint64_t x = (hash ^ number) * 0x9e3779b97f4a7c15ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  return x ^ (x >> 29);
}

}  // namespace perfpact::smt
