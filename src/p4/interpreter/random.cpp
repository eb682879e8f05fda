#include "p4/interpreter/random.h"

#include "p4/interpreter/operations.h"

namespace perfpact::p4::interpreter {

std::uint64_t SplitMix64::next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t value = state_;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

Integer SplitMix64::uniform(const Integer& low, const Integer& high) {
  if (high <= low) return low;
  const Integer span = high - low;
  const auto bits = static_cast<std::uint32_t>(msb(span)) + 1;
  while (true) {
    Integer offset = 0;
    for (std::uint32_t have = 0; have < bits; have += 64) offset = (offset << 64) | next();
    cut(offset, bits);
    if (offset <= span) return low + offset;
  }
}

}  // namespace perfpact::p4::interpreter
