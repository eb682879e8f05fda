// A hash table of rows of a few 64-bit words, each of one tuple of a look-up index: open addressing, linear
// probing, at most half of the slots in use, the rows in the slots, so that most look-ups touch one place in
// memory and guess no branch wrong. Tested by tests/tables/lookup_test.cpp.
#pragma once
#include <array>
#include <bit>
#include <compare>

#include "tables/hash_slots.h"

namespace perfpact::tables {

/// An entry, or a bucket of them; of an entry also where the words of its action begin (EntryStore::words),
/// so that a look-up need not wait for more memory.
class Found {
 public:
  Found() = default;  // nothing: behind everything
  explicit Found(std::uint32_t id, std::uint32_t words = 0) : packed_(std::uint64_t{id} << 32 | words) {}

  /// HashSlots::kNone where nothing was found.
  [[nodiscard]] std::uint32_t id() const { return static_cast<std::uint32_t>(packed_ >> 32); }
  [[nodiscard]] std::uint32_t words() const { return static_cast<std::uint32_t>(packed_); }
  [[nodiscard]] bool is_nothing() const { return id() == HashSlots::kNone; }
  friend auto operator<=>(const Found&, const Found&) = default;

 private:
  std::uint64_t packed_ = ~std::uint64_t{0};  // one word, for the sake of the code
};

template <std::size_t kWords>
class RowSlots {
 public:
  using Row = std::array<std::uint64_t, kWords>;
  RowSlots() = default;
  explicit RowSlots(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 1)) {}

  /// Each row of a tuple once, not more in all than were expected.
  void insert(const Row& row, std::uint32_t tuple, Found found) {
    slots_[locate(row, tuple)] = {row, tuple, found};
  }
  [[nodiscard]] Found find(const Row& row, std::uint32_t tuple) const {
    return slots_[locate(row, tuple)].found;
  }

 private:
  struct Slot {
    Row row{};
    std::uint32_t tuple = 0;
    Found found;

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
    while (!slots_[at].found.is_nothing() && !slots_[at].holds(row, tuple)) at = (at + 1) & last;
    return at;
  }

  std::vector<Slot> slots_;  // a power of two
};

}  // namespace perfpact::tables
