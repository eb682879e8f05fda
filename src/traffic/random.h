// Seeded randomness that does not depend on the standard library (whose distributions are its own).
#pragma once
#include <cstdint>
#include <random>

#include "packet/template.h"

namespace perfpact::traffic {

using packet::Wide;
using Random = std::mt19937_64;

/// Spreads every bit of the input over all of the output, one to one (the finaliser of splitmix64: Steele and
/// others, "Fast splittable pseudorandom number generators", 2014).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

/// A seed of its own for a part of a recipe.
[[nodiscard]] constexpr std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t part) {
  return mix(seed + mix(part + 0x9e3779b97f4a7c15U));
}

/// The number below `bound` (at least 1) that `bits`, 64 random ones, stand for. Uniform up to bound / 2^64.
[[nodiscard]] constexpr std::uint64_t scale(std::uint64_t bits, std::uint64_t bound) {
  return static_cast<std::uint64_t>(Wide{bits} * bound >> 64);
}

/// Uniform below `bound`, which is at least 1.
[[nodiscard]] inline Wide below(Random& random, Wide bound) {
  if (bound >> 64 == 0) return scale(random(), static_cast<std::uint64_t>(bound));
  Wide mask = bound - 1;
  for (unsigned shift = 1; shift < 128; shift *= 2) mask |= mask >> shift;
  for (;;) {
    const Wide high = random();
    const Wide value = (high << 64 | random()) & mask;
    if (value < bound) return value;
  }
}

/// Uniform in [0, 1).
[[nodiscard]] inline double fraction(Random& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

}  // namespace perfpact::traffic
