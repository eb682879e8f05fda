// Bits one after the other, most significant first, into bytes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/number.h"

namespace perfpact::packet {

class BitWriter {
 public:
  /// The low `bits` of the value.
  void append(const Integer& value, std::uint32_t bits);
  /// The bits of `bytes` from the bit `begin` (0 is the most significant of the first byte) to the end.
  void append(std::span<const std::uint8_t> bytes, std::uint64_t begin);

  [[nodiscard]] std::uint64_t bits() const { return bits_; }
  /// The bytes, the last one filled up with zeros.
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  /// The same; the writer is empty afterwards.
  [[nodiscard]] std::vector<std::uint8_t> take();

 private:
  void append_word(std::uint64_t value, std::uint32_t bits);

  std::vector<std::uint8_t> bytes_;
  std::uint64_t bits_ = 0;
};

/// The `count` <= 64 bits from the bit `begin` on; what lies behind the end is zero.
[[nodiscard]] std::uint64_t read_bits(std::span<const std::uint8_t> bytes, std::uint64_t begin,
                                      std::uint32_t count);

}  // namespace perfpact::packet
