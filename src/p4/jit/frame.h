// What compiled code and its runtime share: code reads and writes these fields by their offsets (expand.cpp).
#pragma once
#include <bit>
#include <cstdint>

#include "tables/table_set.h"

namespace perfpact::p4::jit {

static_assert(std::endian::native == std::endian::little,
              "compiled code reads words of the machine it runs on");

/// Bytes that can be read and written behind the packet and the buffers, whatever their length.
inline constexpr std::uint64_t kSlackBytes = 16;

struct Frame {
  // What happened, in order: of an event its site, of a decision its number behind all sites. And the numbers
  // of these events, the outcomes of these decisions.
  std::uint32_t* happened = nullptr;
  std::uint64_t* numbers = nullptr;

  // The packet: zeros behind its end, as many as are read at once. Bits.
  const std::uint8_t* input = nullptr;
  std::uint64_t cursor = 0;
  std::uint64_t input_bits = 0;
  std::uint8_t* output = nullptr;
  std::uint64_t output_bits = 0;

  // The latest look-up.
  tables::PackedResult looked_up;
  const std::uint64_t* data = nullptr;

  // Arguments of the calls that take more than registers hold: numbers from the least significant word on;
  // bits, the first one the most significant.
  std::uint64_t* words = nullptr;
  std::uint8_t* bytes = nullptr;
};

/// 64-bit words of a number.
constexpr std::uint64_t words_of(std::uint64_t bits) {
  return bits == 0 ? 1 : (bits + 63) / 64;
}

}  // namespace perfpact::p4::jit
