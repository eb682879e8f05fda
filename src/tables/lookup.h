// Look-up without walking the entries: tuple space search (Srinivasan, Suri, Varghese: "Packet classification
// using tuple space search", SIGCOMM 1999).
//
// Entries with the same mask form a tuple; a hash table finds the entries of a tuple that match a key in one
// step. Tuples are probed in the order of their best entry, and the search ends once what was found comes
// before everything that is left. An exact table is one tuple; a ternary table costs a probe per different
// mask.
//
// Fields that match a range have no part in the tuple. Entries of a tuple that differ in them only form a
// bucket: with one range field of up to 64 bits the bucket keeps the winner of every elementary interval and
// is searched by bisection; otherwise its entries are tried in canonical order. A prefix is an interval too:
// without range fields, the lpm field (of up to 64 bits) takes the place of the range field.
// Tested by tests/tables/lookup_test.cpp against a linear scan.
#pragma once
#include <optional>

#include "tables/entry_store.h"
#include "tables/hash_slots.h"
#include "tables/interval_index.h"
#include "tables/row_slots.h"

namespace perfpact::tables {

/// A field of up to 64 bits of which every entry takes an interval: the only range field of a table, or, in a
/// table without range fields, the only lpm field.
class IntervalField {
 public:
  [[nodiscard]] static std::optional<IntervalField> of(const KeyLayout& layout);

  [[nodiscard]] std::uint64_t value(std::span<const std::uint64_t> row) const {
    if (is_range_) return row[offset_];
    const std::size_t word = offset_ / 64;
    const std::size_t shift = offset_ % 64;
    std::uint64_t bits = row[word] >> shift;
    if (shift + width_ > 64) bits |= row[word + 1] << (64 - shift);
    return bits & ones();
  }
  [[nodiscard]] std::uint64_t low(const EntryStore& entries, std::size_t entry) const {
    return value(entries.first(entry));
  }
  [[nodiscard]] std::uint64_t high(const EntryStore& entries, std::size_t entry) const {
    const std::uint64_t second = value(entries.second(entry));
    return is_range_ ? second : low(entries, entry) | (second ^ ones());
  }
  /// Takes its bits out of a mask, where it has some.
  void clear(std::span<std::uint64_t> mask) const;

 private:
  IntervalField(const KeyLayout::Field& field)
      : is_range_(field.kind == MatchKind::Range), width_(field.width), offset_(field.offset) {}
  [[nodiscard]] std::uint64_t ones() const { return ~std::uint64_t{0} >> (64 - width_); }

  bool is_range_;
  unsigned width_;
  std::size_t offset_;  // range: of its word; lpm: of its lowest bit
};

class LookupIndex {
 public:
  static constexpr std::uint32_t kMiss = HashSlots::kNone;

  /// `entries` in canonical order; they must not change while the index is used.
  void build(const EntryStore& entries);

  /// The first entry in canonical order that matches, or kMiss, and where the words of its action begin.
  /// `key` as KeyLayout::pack_key makes it; `entries` as given to build().
  [[nodiscard]] Found find(const EntryStore& entries, std::span<const std::uint64_t> key) const;

 private:
  static Found found(const EntryStore& entries, std::uint32_t entry) {
    return Found(entry, entries.words(entry));
  }
  struct Tuple {
    std::uint32_t first = 0;  // its best entry
    Found found;              // that entry, or its bucket
    bool fixes_nothing = false;
  };

  /// What the hash tables' ids stand for: an entry, or in a table with range fields a bucket.
  [[nodiscard]] std::uint32_t head(std::uint32_t id) const {
    return bucket_begin_.empty() ? id : members_[bucket_begin_[id]];
  }
  template <std::size_t kWords>
  void fill(RowSlots<kWords>& slots, const EntryStore& entries, std::span<const std::uint32_t> heads);
  template <std::size_t kWords>
  [[nodiscard]] std::array<std::uint64_t, kWords> masked(std::span<const std::uint64_t> row,
                                                         std::uint32_t tuple) const;
  [[nodiscard]] Found probe(const EntryStore& entries, std::uint32_t tuple,
                            std::span<const std::uint64_t> key) const;
  template <class Probe>
  [[nodiscard]] Found search(const EntryStore& entries, std::span<const std::uint64_t> key,
                             Probe probe) const;
  void build_buckets(const std::vector<std::uint32_t>& bucket_of, std::size_t buckets);
  void build_intervals(const EntryStore& entries);
  [[nodiscard]] Found try_bucket(const EntryStore& entries, std::uint32_t bucket,
                                 std::span<const std::uint64_t> key) const;
  [[nodiscard]] std::span<const std::uint64_t> tuple_mask(std::uint32_t tuple) const {
    return {tuple_masks_.data() + tuple * mask_words_, mask_words_};
  }

  HashSlots slots_;
  RowSlots<1> one_word_;  // instead, where the fields of a tuple fit into one word
  RowSlots<2> two_words_;
  std::size_t mask_words_ = 0;
  std::vector<std::uint32_t> tuple_of_;     // per entry
  std::vector<Tuple> tuples_;               // their best entries rising
  std::vector<std::uint64_t> tuple_masks_;  // of the fields that the tuple fixes

  // Tables with range or interval fields only. Bucket b has members_[bucket_begin_[b] .. bucket_begin_[b +
  // 1]), rising.
  std::vector<std::uint32_t> bucket_begin_;
  std::vector<std::uint32_t> members_;
  std::optional<IntervalField> field_;
  IntervalIndex intervals_;  // with an interval field
};

template <std::size_t kWords>
std::array<std::uint64_t, kWords> LookupIndex::masked(std::span<const std::uint64_t> row,
                                                      std::uint32_t tuple) const {
  std::array<std::uint64_t, kWords> result;
  for (std::size_t i = 0; i < kWords; ++i) result[i] = row[i] & tuple_masks_[kWords * tuple + i];
  return result;
}

template <class Probe>
Found LookupIndex::search(const EntryStore& entries, std::span<const std::uint64_t> key, Probe probe) const {
  Found best;
  for (std::uint32_t tuple = 0; tuple < tuples_.size() && tuples_[tuple].first < best.id(); ++tuple) {
    // All entries of a tuple that fixes nothing are in one bucket, or match alike.
    Found found = tuples_[tuple].fixes_nothing ? tuples_[tuple].found : probe(tuple);
    if (found.is_nothing()) continue;
    if (!bucket_begin_.empty())
      found = field_ ? intervals_.find(found.id(), field_->value(key)) : try_bucket(entries, found.id(), key);
    best = std::min(best, found);
  }
  return best;
}

inline Found LookupIndex::find(const EntryStore& entries, std::span<const std::uint64_t> key) const {
  switch (mask_words_) {
    case 1:
      return search(entries, key,
                    [&](std::uint32_t tuple) { return one_word_.find(masked<1>(key, tuple), tuple); });
    case 2:
      return search(entries, key,
                    [&](std::uint32_t tuple) { return two_words_.find(masked<2>(key, tuple), tuple); });
    default:
      return search(entries, key, [&](std::uint32_t tuple) { return probe(entries, tuple, key); });
  }
}

}  // namespace perfpact::tables
