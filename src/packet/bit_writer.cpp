#include "packet/bit_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace perfpact::packet {
namespace {

constexpr std::uint32_t kWordBits = 64;

std::uint64_t low_word(const Integer& value) {
  return static_cast<std::uint64_t>(value & std::numeric_limits<std::uint64_t>::max());
}

}  // namespace

void BitWriter::append_word(std::uint64_t value, std::uint32_t bits) {
  while (bits > 0) {
    const auto used = static_cast<std::uint32_t>(bits_ % 8);
    if (used == 0) bytes_.push_back(0);
    const std::uint32_t taken = std::min(8 - used, bits);
    const std::uint64_t part = (value >> (bits - taken)) & ((1U << taken) - 1);
    bytes_.back() |= static_cast<std::uint8_t>(part << (8 - used - taken));
    bits_ += taken;
    bits -= taken;
  }
}

void BitWriter::append(const Integer& value, std::uint32_t bits) {
  while (bits > kWordBits) {
    bits -= kWordBits;
    append_word(low_word(value >> bits), kWordBits);
  }
  append_word(low_word(value), bits);
}

void BitWriter::append(std::span<const std::uint8_t> bytes, std::uint64_t begin) {
  const std::uint64_t end = 8 * bytes.size();
  if (begin >= end) return;
  if (begin % 8 == 0 && bits_ % 8 == 0) {
    bytes_.insert(bytes_.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begin / 8), bytes.end());
    bits_ += end - begin;
    return;
  }
  while (begin < end) {
    const auto taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(kWordBits, end - begin));
    append_word(read_bits(bytes, begin, taken), taken);
    begin += taken;
  }
}

std::vector<std::uint8_t> BitWriter::take() {
  bits_ = 0;
  return std::exchange(bytes_, {});
}

std::uint64_t read_bits(std::span<const std::uint8_t> bytes, std::uint64_t begin, std::uint32_t count) {
  std::uint64_t value = 0;
  while (count > 0) {
    const std::uint64_t byte = begin / 8 < bytes.size() ? bytes[begin / 8] : 0;
    const auto skipped = static_cast<std::uint32_t>(begin % 8);
    const std::uint32_t taken = std::min(8 - skipped, count);
    value = value << taken | ((byte >> (8 - skipped - taken)) & ((1U << taken) - 1));
    begin += taken;
    count -= taken;
  }
  return value;
}

}  // namespace perfpact::packet
