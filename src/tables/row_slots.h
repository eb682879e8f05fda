// A hash table of rows of a few 64-bit words, each of one tuple of a look-up index: open addressing, linear
// probing, at most half of the slots in use, the rows in the slots, so that most look-ups touch one place in
// memory and guess no branch wrong. Tested by tests/tables/lookup_test.cpp.
#pragma once
#include <array>
#include <bit>

#include "tables/hash_slots.h"

namespace perfpact::tables {

template <std::size_t kWords>
class RowSlots {
 public:
  using Row = std::array<std::uint64_t, kWords>;
  static constexpr std::uint32_t kNone = HashSlots::kNone;

  RowSlots() = default;
  explicit RowSlots(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 1)) {}

  /// Each row of a tuple once, not more in all than were expected.
  void insert(const Row& row, std::uint32_t tuple, std::uint32_t id) {
    slots_[locate(row, tuple)] = {row, tuple, id};
  }
  [[nodiscard]] std::uint32_t find(const Row& row, std::uint32_t tuple) const {
    return slots_[locate(row, tuple)].id;
  }

 private:
  struct Slot {
    Row row{};
    std::uint32_t tuple = 0;
    std::uint32_t id = kNone;

    // Not by == of arrays, which calls memcmp.
    [[nodiscard]] bool holds(const Row& other, std::uint32_t other_tuple) const {
      std::uint64_t differing = tuple ^ other_tuple;
      for (std::size_t i = 0; i < kWords; ++i) differing |= row[i] ^ other[i];
      return differing == 0;
    }
  };

  // One multiplication a word (Fibonacci hashing): counters, as ids of next hops are, meet in no slot.
  static std::uint64_t hash(const Row& row, std::uint32_t tuple) {
    std::uint64_t hash = tuple;
    for (std::uint64_t word : row) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    return hash;
  }

  [[nodiscard]] std::size_t locate(const Row& row, std::uint32_t tuple) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = hash(row, tuple) & last;
    while (slots_[at].id != kNone && !slots_[at].holds(row, tuple)) at = (at + 1) & last;
    return at;
  }

  std::vector<Slot> slots_;  // a power of two
};

}  // namespace perfpact::tables
