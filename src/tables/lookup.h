// Look-up without walking the entries: tuple space search (Srinivasan, Suri, Varghese: "Packet classification
// using tuple space search", SIGCOMM 1999).
//
// Entries with the same mask form a tuple; a hash table finds the entries of a tuple that match a key in one
// step. Tuples are probed in the order of their best entry, and the search ends once what was found comes
// before everything that is left. An exact table is one tuple; in an lpm table tuples are the prefix lengths,
// longest first, and the first hit ends the search; a ternary table costs a probe per different mask.
//
// Fields that match a range have no part in the tuple. Entries of a tuple that differ in them only form a
// bucket: with one range field of up to 64 bits the bucket keeps the winner of every elementary interval and
// is searched by bisection; otherwise its entries are tried in canonical order.
// Tested by tests/tables/lookup_test.cpp against a linear scan.
#pragma once
#include "tables/entry_store.h"
#include "tables/hash_slots.h"

namespace perfpact::tables {

class LookupIndex {
 public:
  static constexpr std::uint32_t kMiss = HashSlots::kNone;

  /// `entries` in canonical order; they must not change while the index is used.
  void build(const EntryStore& entries);

  /// The first entry in canonical order that matches, or kMiss. `key` as KeyLayout::pack_key makes it;
  /// `entries` as given to build().
  [[nodiscard]] std::uint32_t find(const EntryStore& entries, std::span<const std::uint64_t> key) const;

 private:
  /// What the hash table's ids stand for: an entry, or in a table with range fields a bucket.
  [[nodiscard]] std::uint32_t head(std::uint32_t id) const {
    return bucket_begin_.empty() ? id : members_[bucket_begin_[id]];
  }
  void build_buckets(const std::vector<std::uint32_t>& bucket_of, std::size_t buckets);
  void build_intervals(const EntryStore& entries);
  [[nodiscard]] std::uint32_t find_in_bucket(const EntryStore& entries, std::uint32_t bucket,
                                             std::span<const std::uint64_t> key) const;

  HashSlots slots_;
  std::vector<std::uint32_t> tuple_of_;     // per entry
  std::vector<std::uint32_t> tuple_first_;  // the best entry of each tuple, rising

  // Tables with range fields only. Bucket b has members_[bucket_begin_[b] .. bucket_begin_[b + 1]), rising.
  std::vector<std::uint32_t> bucket_begin_;
  std::vector<std::uint32_t> members_;
  // One range field of up to 64 bits: from interval_low_[i] up to the next one interval_best_[i] wins.
  std::vector<std::uint32_t> interval_begin_;  // per bucket, and the end
  std::vector<std::uint64_t> interval_low_;
  std::vector<std::uint32_t> interval_best_;
};

}  // namespace perfpact::tables
