// The Internet checksum of fields. Its sum is one modulo 2^16 - 1, where 2^16 is 1: so every part of a field
// is added as the number that it is, moved to where it ends in its 16-bit word, and the carries last of all.
// packet/hash.h has the same checksum of bytes.
#include <algorithm>

#include "p4/jit/expander.h"

namespace perfpact::p4::jit {
namespace {

constexpr std::uint32_t kPartBits = 32;
// So many parts of less than 2^47 each do not overflow a word.
constexpr std::uint64_t kMostBits = std::uint64_t{kPartBits} << 16;

}  // namespace

bool Expander::is_checksum_of_fields() const {
  const auto is = [](Value value, auto constant) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
    return known != nullptr && known->getZExtValue() == static_cast<std::uint64_t>(constant);
  };
  if (!is(argument(0), core::HashAlgorithm::Csum16) || !is(argument(1), false)) return false;
  std::uint64_t bits = 0;
  for (unsigned i = 2; i < arguments(); i += 2) {
    const auto length = fixed_length(argument(i + 1));
    if (!length) return false;
    bits += *length + kPartBits;
  }
  return bits < kMostBits;
}

Expander::Value Expander::checksum() {
  Value sum = number(0);
  Value position = number(0);
  for (unsigned i = 2; i < arguments(); i += 2) {
    Value bits = argument(i + 1);
    Value is_there = builder_.CreateICmpNE(bits, builder_.getInt32(0));
    const std::uint32_t length = *fixed_length(bits);
    for (std::uint32_t done = 0; done < length;) {
      const std::uint32_t taken = std::min(kPartBits, length - done);
      done += taken;
      Value part = fit(fit(shifted_right(fit(argument(i), length), length - done), taken), kWordBits);
      Value behind =
          builder_.CreateAnd(builder_.CreateNeg(builder_.CreateAdd(position, number(done))), number(15));
      sum = builder_.CreateAdd(sum,
                               builder_.CreateSelect(is_there, builder_.CreateShl(part, behind), number(0)));
    }
    position = builder_.CreateAdd(position, fit(bits, kWordBits));
  }
  for (std::uint32_t width : {32, 16, 16, 16}) {
    Value low = builder_.CreateAnd(sum, number((std::uint64_t{1} << width) - 1));
    sum = builder_.CreateAdd(low, shifted_right(sum, width));
  }
  return builder_.CreateXor(sum, number(0xffff));
}

}  // namespace perfpact::p4::jit
