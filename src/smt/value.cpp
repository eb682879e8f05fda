#include "smt/value.h"

#include <fmt/format.h>

namespace perfpact::smt {

Value::Value(std::uint32_t width, const Integer& number) : width_(width) {
  const bool fits = number.is_zero() || msb(number) < width;
  if (is_wide()) {
    wide_ = fits ? number : Integer(number & all_ones(width));
  } else {
    word_ = static_cast<std::uint64_t>(fits ? number : Integer(number & all_ones(width)));
  }
}

bool Value::is_ones() const {
  return is_wide() ? wide_ == all_ones(width_) : word_ == word_mask(width_);
}

bool Value::is_odd() const {
  return is_wide() ? bit_test(wide_, 0) : (word_ & 1) != 0;
}

std::uint64_t Value::hash() const {
  std::uint64_t hash = mix(width_, word_);
  if (is_wide()) {
    const auto& backend = wide_.backend();
    for (unsigned i = 0; i < backend.size(); ++i) hash = mix(hash, backend.limbs()[i]);
  }
  return hash;
}

std::string Value::to_string() const {
  return fmt::format("{}'{}", width_, to_hex(number()));
}

}  // namespace perfpact::smt
