#include "traffic/permutation.h"

#include "base/check.h"
#include "traffic/value.h"

namespace perfpact::traffic {
namespace {

constexpr unsigned kRounds = 6;

}  // namespace

Permutation::Permutation(Wide size, std::uint64_t seed)
    : size_(size), seed_(mix(seed)), half_bits_((bits_of(size - 1) + 1) / 2) {
  PERFPACT_CHECK(size > 0, "a permutation of nothing");
}

Wide Permutation::at(Wide index) const {
  PERFPACT_CHECK(index < size_, "there is no such place in the permutation");
  if (half_bits_ == 0) return 0;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - half_bits_);
  do {
    auto left = static_cast<std::uint64_t>(index >> half_bits_);
    auto right = static_cast<std::uint64_t>(index) & mask;
    for (unsigned round = 0; round < kRounds; ++round) {
      const std::uint64_t next = left ^ (mix(right + seed_ + round * 0x9e3779b97f4a7c15U) & mask);
      left = right;
      right = next;
    }
    index = Wide{left} << half_bits_ | right;
  } while (index >= size_);
  return index;
}

}  // namespace perfpact::traffic
