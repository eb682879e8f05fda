// Numbers as 64-bit words, least significant first.
#pragma once
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/number.h"
#include "p4/jit/frame.h"

namespace perfpact::p4::jit {

inline Integer from_words(const std::uint64_t* words, std::uint64_t bits) {
  if (bits <= 64) return *words;
  Integer value;
  import_bits(value, words, words + words_of(bits), 64, false);
  return value;
}

/// `value` is below 2^bits; writes words_of(bits) words.
inline void to_words(const Integer& value, std::uint64_t bits, std::uint64_t* words) {
  if (bits <= 64) {
    *words = static_cast<std::uint64_t>(value);
    return;
  }
  std::fill_n(words, words_of(bits), 0);
  export_bits(value, words, 64, false);
}

}  // namespace perfpact::p4::jit
