// A hash table of 64-bit values, each of one tuple of a look-up index: open addressing, linear probing,
// sixteen bytes a slot, so that a look-up of a key of one word touches one place in memory. Tested by
// tests/tables/lookup_test.cpp.
#pragma once
#include <bit>

#include "tables/hash_slots.h"

namespace perfpact::tables {

class WordSlots {
 public:
  static constexpr std::uint32_t kNone = HashSlots::kNone;

  WordSlots() = default;
  explicit WordSlots(std::size_t expected) : slots_(std::bit_ceil(expected + expected / 2 + 8)) {}

  /// Each value of a tuple once, not more in all than were expected.
  void insert(std::uint64_t value, std::uint32_t tuple, std::uint32_t id) {
    slots_[locate(value, tuple)] = {value, tuple, id};
  }
  [[nodiscard]] std::uint32_t find(std::uint64_t value, std::uint32_t tuple) const {
    return slots_[locate(value, tuple)].id;
  }

 private:
  struct Slot {
    std::uint64_t value = 0;
    std::uint32_t tuple = 0;
    std::uint32_t id = kNone;
  };

  [[nodiscard]] std::size_t locate(std::uint64_t value, std::uint32_t tuple) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = (hash_words({&value, 1}, tuple) >> 32) & last;
    while (slots_[at].id != kNone && (slots_[at].value != value || slots_[at].tuple != tuple))
      at = (at + 1) & last;
    return at;
  }

  std::vector<Slot> slots_;  // a power of two, at most two thirds in use
};

}  // namespace perfpact::tables
