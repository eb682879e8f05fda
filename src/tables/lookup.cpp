#include "tables/lookup.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <numeric>

namespace perfpact::tables {
namespace {

using Words = std::span<const std::uint64_t>;

bool in_ranges(const KeyLayout& layout, Words low, Words high, Words key) {
  return std::ranges::all_of(layout.range_fields(), [&](const KeyLayout::Field& field) {
    const auto part = [&field](Words row) { return row.subspan(field.offset, field.words()); };
    return !std::ranges::lexicographical_compare(part(key), part(low)) &&
           !std::ranges::lexicographical_compare(part(high), part(key));
  });
}

// The elementary intervals of one bucket: `low` rising, each won by `best` up to the next.
struct Intervals {
  std::vector<std::uint64_t> low;
  std::vector<std::uint32_t> best;
};

// Paints the intervals in canonical order; what is painted stays, and a painted stretch is skipped at once.
Intervals paint(const EntryStore& entries, std::span<const std::uint32_t> members, std::size_t word) {
  Intervals result;
  result.low.push_back(0);
  for (std::uint32_t entry : members) {
    result.low.push_back(entries.first(entry)[word]);
    const std::uint64_t high = entries.second(entry)[word];
    if (high != ~std::uint64_t{0}) result.low.push_back(high + 1);
  }
  std::ranges::sort(result.low);
  result.low.erase(std::ranges::unique(result.low).begin(), result.low.end());

  const std::size_t count = result.low.size();
  result.best.assign(count, LookupIndex::kMiss);
  std::vector<std::size_t> next_free(count + 1);
  std::iota(next_free.begin(), next_free.end(), 0);
  const auto free_from = [&next_free](std::size_t at) {
    std::size_t end = at;
    while (next_free[end] != end) end = next_free[end];
    while (next_free[at] != end && at != end) at = std::exchange(next_free[at], end);
    return end;
  };
  for (std::uint32_t entry : members) {
    const std::uint64_t high = entries.second(entry)[word];
    const auto start = std::ranges::lower_bound(result.low, entries.first(entry)[word]);
    for (std::size_t at = free_from(static_cast<std::size_t>(start - result.low.begin()));
         at < count && result.low[at] <= high; at = free_from(at)) {
      result.best[at] = entry;
      next_free[at] = at + 1;
    }
  }
  return result;
}

}  // namespace

void LookupIndex::build(const EntryStore& entries) {
  *this = LookupIndex();
  const KeyLayout& layout = entries.layout();
  const std::size_t mask_words = layout.mask_words();
  const bool has_ranges = !layout.range_fields().empty();
  slots_ = HashSlots(entries.size());
  tuple_of_.resize(entries.size());
  HashSlots tuples;
  std::vector<std::uint32_t> bucket_of(has_ranges ? entries.size() : 0);
  std::vector<std::uint32_t> bucket_head;

  for (std::uint32_t entry = 0; entry < entries.size(); ++entry) {
    const Words mask = entries.second(entry).first(mask_words);
    const auto same_mask = [&](std::uint32_t tuple) {
      return std::ranges::equal(entries.second(tuple_first_[tuple]).first(mask_words), mask);
    };
    std::uint32_t tuple =
        tuples.find_or_insert(hash_words(mask), static_cast<std::uint32_t>(tuple_first_.size()), same_mask);
    if (tuple == HashSlots::kNone) {
      tuple = static_cast<std::uint32_t>(tuple_first_.size());
      tuple_first_.push_back(entry);
    }
    tuple_of_[entry] = tuple;

    const Words value = entries.first(entry).first(mask_words);
    const auto same_value = [&](std::uint32_t id) {
      const std::uint32_t other = has_ranges ? bucket_head[id] : id;
      return tuple_of_[other] == tuple && std::ranges::equal(entries.first(other).first(mask_words), value);
    };
    const auto id = has_ranges ? static_cast<std::uint32_t>(bucket_head.size()) : entry;
    const std::uint32_t known = slots_.find_or_insert(hash_words(value, tuple), id, same_value);
    if (!has_ranges) continue;
    if (known == HashSlots::kNone) bucket_head.push_back(entry);
    bucket_of[entry] = known == HashSlots::kNone ? id : known;
  }
  if (!has_ranges) return;
  build_buckets(bucket_of, bucket_head.size());
  if (layout.range_fields().size() == 1 && layout.range_fields()[0].words() == 1) build_intervals(entries);
}

void LookupIndex::build_buckets(const std::vector<std::uint32_t>& bucket_of, std::size_t buckets) {
  bucket_begin_.assign(buckets + 1, 0);
  for (std::uint32_t bucket : bucket_of) ++bucket_begin_[bucket + 1];
  std::partial_sum(bucket_begin_.begin(), bucket_begin_.end(), bucket_begin_.begin());
  members_.resize(bucket_of.size());
  std::vector<std::uint32_t> free = bucket_begin_;
  for (std::uint32_t entry = 0; entry < bucket_of.size(); ++entry) members_[free[bucket_of[entry]]++] = entry;
}

void LookupIndex::build_intervals(const EntryStore& entries) {
  const std::size_t word = entries.layout().range_fields()[0].offset;
  for (std::size_t bucket = 0; bucket + 1 < bucket_begin_.size(); ++bucket) {
    const std::span members(members_.data() + bucket_begin_[bucket],
                            bucket_begin_[bucket + 1] - bucket_begin_[bucket]);
    const Intervals intervals = paint(entries, members, word);
    interval_begin_.push_back(static_cast<std::uint32_t>(interval_low_.size()));
    interval_low_.insert(interval_low_.end(), intervals.low.begin(), intervals.low.end());
    interval_best_.insert(interval_best_.end(), intervals.best.begin(), intervals.best.end());
  }
  interval_begin_.push_back(static_cast<std::uint32_t>(interval_low_.size()));
}

std::uint32_t LookupIndex::find(const EntryStore& entries, std::span<const std::uint64_t> key) const {
  const std::size_t mask_words = entries.layout().mask_words();
  boost::container::small_vector<std::uint64_t, 8> masked(mask_words);
  std::uint32_t best = kMiss;
  for (std::uint32_t tuple = 0; tuple < tuple_first_.size() && tuple_first_[tuple] < best; ++tuple) {
    const Words mask = entries.second(tuple_first_[tuple]);
    for (std::size_t i = 0; i < mask_words; ++i) masked[i] = key[i] & mask[i];
    const Words value(masked.data(), mask_words);
    const std::uint32_t id = slots_.find(hash_words(value, tuple), [&](std::uint32_t candidate) {
      const std::uint32_t entry = head(candidate);
      return tuple_of_[entry] == tuple && std::ranges::equal(entries.first(entry).first(mask_words), value);
    });
    if (id == HashSlots::kNone) continue;
    best = std::min(best, bucket_begin_.empty() ? id : find_in_bucket(entries, id, key));
  }
  return best;
}

std::uint32_t LookupIndex::find_in_bucket(const EntryStore& entries, std::uint32_t bucket,
                                          std::span<const std::uint64_t> key) const {
  const KeyLayout& layout = entries.layout();
  if (!interval_begin_.empty()) {
    const auto begin = interval_low_.begin() + interval_begin_[bucket];
    const auto end = interval_low_.begin() + interval_begin_[bucket + 1];
    const auto after = std::upper_bound(begin, end, key[layout.range_fields()[0].offset]);
    return interval_best_[static_cast<std::size_t>(after - interval_low_.begin() - 1)];
  }
  for (std::uint32_t at = bucket_begin_[bucket]; at < bucket_begin_[bucket + 1]; ++at)
    if (in_ranges(layout, entries.first(members_[at]), entries.second(members_[at]), key))
      return members_[at];
  return kMiss;
}

}  // namespace perfpact::tables
