// A hash table of ids only: open addressing, linear probing, eight bytes a slot. What an id stands for lives
// with the owner, who says whether an id is the one looked for; so a million rows kept in one array need no
// heap block of their own.
// Tested by tests/tables/lookup_test.cpp.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perfpact::tables {

/// Mixes words well enough that the upper half is a table index (the finalizer of SplitMix64, per word).
/// Different seeds give different functions; they are well mixed themselves, as what this gives is.
[[nodiscard]] inline std::uint64_t hash_words(std::span<const std::uint64_t> words, std::uint64_t seed = 0) {
  std::uint64_t hash = seed + 0x9e3779b97f4a7c15;
  for (std::uint64_t word : words) {
    hash ^= word;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    hash ^= hash >> 31;
  }
  return hash;
}

class HashSlots {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  HashSlots() = default;
  explicit HashSlots(std::size_t expected) { rehash(std::bit_ceil(expected + expected / 2 + 8)); }

  /// The id with this hash for which `is_same(id)` holds, or kNone.
  template <class IsSame>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, IsSame&& is_same) const {
    if (slots_.empty()) return kNone;
    return slots_[locate(static_cast<std::uint32_t>(hash >> 32), is_same)].id;
  }

  /// The same; where there is none, inserts `id` and returns kNone.
  template <class IsSame>
  std::uint32_t find_or_insert(std::uint64_t hash, std::uint32_t id, IsSame&& is_same) {
    if (slots_.size() * 3 <= (used_ + 1) * 4) rehash(std::max<std::size_t>(8, slots_.size() * 2));
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    Slot& slot = slots_[locate(tag, is_same)];
    if (slot.id != kNone) return slot.id;
    slot = {id, tag};
    ++used_;
    return kNone;
  }

 private:
  struct Slot {
    std::uint32_t id = kNone;
    std::uint32_t tag = 0;
  };

  template <class IsSame>
  [[nodiscard]] std::size_t locate(std::uint32_t tag, IsSame& is_same) const {
    std::size_t at = tag & (slots_.size() - 1);
    while (slots_[at].id != kNone && (slots_[at].tag != tag || !is_same(slots_[at].id)))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void rehash(std::size_t size) {
    std::vector<Slot> old(size);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id == kNone) continue;
      std::size_t at = slot.tag & (size - 1);
      while (slots_[at].id != kNone) at = (at + 1) & (size - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most three quarters in use
  std::size_t used_ = 0;
};

}  // namespace perfpact::tables
