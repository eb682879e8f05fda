// A seeded order of the numbers below a bound, each once, without a table: a Feistel network on the next
// power of four, walked on until it gives a number below the bound (Black, Rogaway: "Ciphers with arbitrary
// finite domains", CT-RSA 2002). Tested by tests/traffic/permutation_test.cpp.
#pragma once
#include "traffic/random.h"

namespace perfpact::traffic {

class Permutation {
 public:
  /// Of the numbers below `size`, which is at least 1.
  Permutation(Wide size, std::uint64_t seed);

  [[nodiscard]] Wide size() const { return size_; }
  /// The number in the place `index` < size().
  [[nodiscard]] Wide at(Wide index) const;

 private:
  Wide size_;
  std::uint64_t seed_;
  unsigned half_bits_;
};

}  // namespace perfpact::traffic
