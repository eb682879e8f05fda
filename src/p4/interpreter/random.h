// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
#pragma once
#include <cstdint>

#include "base/number.h"

namespace perfpact::p4::interpreter {

inline constexpr std::uint64_t kRandomSeed = 0;

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed = kRandomSeed) : state_(seed) {}

  std::uint64_t next();
  /// Uniform over low .. high, both included, by rejection; low when high < low.
  Integer uniform(const Integer& low, const Integer& high);

 private:
  std::uint64_t state_;
};

}  // namespace perfpact::p4::interpreter
