// What compiled code and its runtime share: code reads and writes these fields by their offsets (expand.cpp).
#pragma once
#include <bit>
#include <cstdint>

namespace perfpact::p4::jit {

static_assert(std::endian::native == std::endian::little,
              "compiled code reads words of the machine it runs on");

/// Bytes that can be read and written behind the packet and the buffers, whatever their length.
inline constexpr std::uint64_t kSlackBytes = 16;

struct Frame {
  // What happened: see LogWord.
  std::uint64_t* log = nullptr;

  // The packet: zeros behind its end, as many as are read at once. Bits.
  const std::uint8_t* input = nullptr;
  std::uint64_t cursor = 0;
  std::uint64_t input_bits = 0;
  std::uint8_t* output = nullptr;
  std::uint64_t output_bits = 0;

  // The latest look-up.
  std::uint64_t hit = 0;
  std::uint64_t action = 0;
  std::uint64_t entries = 0;
  std::uint64_t visited = 0;
  std::uint64_t prefix_length = 0;
  std::uint64_t entry = 0;
  const std::uint64_t* data = nullptr;

  // Arguments of the calls that take more than registers hold: numbers from the least significant word on;
  // bits, the first one the most significant.
  std::uint64_t* words = nullptr;
  std::uint8_t* bytes = nullptr;
};

/// A word of the log. Of an event: the site and how many words it has, itself and the numbers that follow. Of
/// a decision: its number behind the sites, one word, the outcome. So both are counted alike.
class LogWord {
 public:
  explicit constexpr LogWord(std::uint64_t word) : word_(word) {}
  static constexpr unsigned kOutcomeBit = 32;
  static constexpr unsigned kWordsBit = 56;
  static constexpr std::uint64_t kDecision = std::uint64_t{1} << 63;

  [[nodiscard]] constexpr bool is_decision() const { return (word_ & kDecision) != 0; }
  [[nodiscard]] constexpr std::uint32_t id() const { return static_cast<std::uint32_t>(word_); }
  [[nodiscard]] constexpr std::uint64_t words() const { return (word_ & ~kDecision) >> kWordsBit; }
  [[nodiscard]] constexpr std::uint64_t outcome() const { return word_ << 8 >> (kOutcomeBit + 8); }

 private:
  std::uint64_t word_;
};

/// 64-bit words of a number.
constexpr std::uint64_t words_of(std::uint64_t bits) {
  return bits == 0 ? 1 : (bits + 63) / 64;
}

}  // namespace perfpact::p4::jit
