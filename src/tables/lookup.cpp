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

bool matches(Words row, Words mask, Words value) {
  for (std::size_t i = 0; i < mask.size(); ++i)
    if ((row[i] & mask[i]) != value[i]) return false;
  return true;
}

// The elementary intervals of one bucket: `low` rising, each won by `best` up to the next.
struct Intervals {
  std::vector<std::uint64_t> low;
  std::vector<std::uint32_t> best;
};

// Paints the intervals in canonical order; what is painted stays, and a painted stretch is skipped at once.
Intervals paint(const EntryStore& entries, std::span<const std::uint32_t> members,
                const IntervalField& field) {
  Intervals result;
  result.low.push_back(0);
  for (std::uint32_t entry : members) {
    result.low.push_back(field.low(entries, entry));
    const std::uint64_t high = field.high(entries, entry);
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
    const std::uint64_t high = field.high(entries, entry);
    const auto start = std::ranges::lower_bound(result.low, field.low(entries, entry));
    for (std::size_t at = free_from(static_cast<std::size_t>(start - result.low.begin()));
         at < count && result.low[at] <= high; at = free_from(at)) {
      result.best[at] = entry;
      next_free[at] = at + 1;
    }
  }
  return result;
}

// The last position whose number is not above the key; the first number is 0. Without a branch that depends
// on the key.
std::size_t last_not_above(std::span<const std::uint64_t> rising, std::uint64_t key) {
  const std::uint64_t* base = rising.data();
  for (std::size_t left = rising.size(); left > 1;) {
    const std::size_t half = left / 2;
    base = base[half] <= key ? base + half : base;
    left -= half;
  }
  return static_cast<std::size_t>(base - rising.data());
}

}  // namespace

std::optional<IntervalField> IntervalField::of(const KeyLayout& layout) {
  const auto usable = [](const KeyLayout::Field& field) { return field.width > 0 && field.width <= 64; };
  const auto ranges = layout.range_fields();
  if (!ranges.empty())
    return ranges.size() == 1 && usable(ranges[0]) ? std::optional(IntervalField(ranges[0])) : std::nullopt;
  const auto fields = layout.masked_fields();
  const auto lpm = std::ranges::find(fields, MatchKind::Lpm, &KeyLayout::Field::kind);
  return lpm != fields.end() && usable(*lpm) ? std::optional(IntervalField(*lpm)) : std::nullopt;
}

void IntervalField::clear(std::span<std::uint64_t> mask) const {
  if (is_range_) return;
  const std::size_t shift = offset_ % 64;
  mask[offset_ / 64] &= ~(ones() << shift);
  if (shift + width_ > 64) mask[offset_ / 64 + 1] &= ~(ones() >> (64 - shift));
}

void LookupIndex::build(const EntryStore& entries) {
  *this = LookupIndex();
  const KeyLayout& layout = entries.layout();
  mask_words_ = layout.mask_words();
  interval_ = IntervalField::of(layout);
  const bool has_ranges = !layout.range_fields().empty() || interval_;
  slots_ = HashSlots(has_ranges ? 0 : entries.size());
  tuple_of_.resize(entries.size());
  HashSlots tuples;
  std::vector<std::uint32_t> bucket_of(has_ranges ? entries.size() : 0);
  std::vector<std::uint32_t> bucket_head;
  std::vector<std::uint64_t> mask(mask_words_);
  std::vector<std::uint64_t> value(mask_words_);

  for (std::uint32_t entry = 0; entry < entries.size(); ++entry) {
    std::ranges::copy(entries.second(entry).first(mask_words_), mask.begin());
    if (interval_) interval_->clear(mask);
    const auto same_mask = [&](std::uint32_t tuple) { return std::ranges::equal(tuple_mask(tuple), mask); };
    std::uint32_t tuple =
        tuples.find_or_insert(hash_words(mask), static_cast<std::uint32_t>(tuple_first_.size()), same_mask);
    if (tuple == HashSlots::kNone) {
      tuple = static_cast<std::uint32_t>(tuple_first_.size());
      tuple_first_.push_back(entry);
      tuple_masks_.insert(tuple_masks_.end(), mask.begin(), mask.end());
    }
    tuple_of_[entry] = tuple;

    for (std::size_t i = 0; i < mask_words_; ++i) value[i] = entries.first(entry)[i] & mask[i];
    const auto same_value = [&](std::uint32_t id) {
      const std::uint32_t other = has_ranges ? bucket_head[id] : id;
      return tuple_of_[other] == tuple && matches(entries.first(other), mask, value);
    };
    const auto id = has_ranges ? static_cast<std::uint32_t>(bucket_head.size()) : entry;
    const std::uint32_t known = slots_.find_or_insert(hash_words(value, tuple), id, same_value);
    if (known == HashSlots::kNone) bucket_head.push_back(entry);
    if (!has_ranges) continue;
    bucket_of[entry] = known == HashSlots::kNone ? id : known;
    if (tuple == bucket_of_first_.size()) bucket_of_first_.push_back(bucket_of[entry]);
  }
  if (mask_words_ == 1) {
    slots_ = HashSlots();
    word_slots_ = WordSlots(bucket_head.size());
    for (std::uint32_t bucket = 0; bucket < bucket_head.size(); ++bucket) {
      const std::uint32_t first = bucket_head[bucket];
      const std::uint32_t tuple = tuple_of_[first];
      word_slots_.insert(entries.first(first)[0] & tuple_masks_[tuple], tuple, has_ranges ? bucket : first);
    }
  }
  if (!has_ranges) return;
  build_buckets(bucket_of, bucket_head.size());
  if (interval_) build_intervals(entries);
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
  for (std::size_t bucket = 0; bucket + 1 < bucket_begin_.size(); ++bucket) {
    const std::span members(members_.data() + bucket_begin_[bucket],
                            bucket_begin_[bucket + 1] - bucket_begin_[bucket]);
    const Intervals intervals = paint(entries, members, *interval_);
    interval_begin_.push_back(static_cast<std::uint32_t>(interval_low_.size()));
    interval_low_.insert(interval_low_.end(), intervals.low.begin(), intervals.low.end());
    interval_best_.insert(interval_best_.end(), intervals.best.begin(), intervals.best.end());
    add_guess(interval_begin_.back());
  }
  interval_begin_.push_back(static_cast<std::uint32_t>(interval_low_.size()));
}

std::uint32_t LookupIndex::find(const EntryStore& entries, Words key) const {
  boost::container::small_vector<std::uint64_t, 8> masked(mask_words_);
  std::uint32_t best = kMiss;
  for (std::uint32_t tuple = 0; tuple < tuple_first_.size() && tuple_first_[tuple] < best; ++tuple) {
    if (mask_words_ == 1) {
      const std::uint32_t id = word_slots_.find(key[0] & tuple_masks_[tuple], tuple);
      if (id != WordSlots::kNone)
        best = std::min(best, bucket_begin_.empty() ? id : find_in_bucket(entries, id, key));
      continue;
    }
    const Words mask = tuple_mask(tuple);
    std::uint64_t fixed = 0;
    for (std::size_t i = 0; i < mask_words_; ++i) {
      masked[i] = key[i] & mask[i];
      fixed |= mask[i];
    }
    const Words value(masked.data(), mask_words_);
    if (fixed == 0) {
      // All its entries are in one bucket, or match alike.
      const std::uint32_t entry = tuple_first_[tuple];
      best = std::min(best,
                      bucket_begin_.empty() ? entry : find_in_bucket(entries, bucket_of_first_[tuple], key));
      continue;
    }
    const std::uint32_t id = slots_.find(hash_words(value, tuple), [&](std::uint32_t candidate) {
      const std::uint32_t entry = head(candidate);
      return tuple_of_[entry] == tuple && matches(entries.first(entry), mask, value);
    });
    if (id == HashSlots::kNone) continue;
    best = std::min(best, bucket_begin_.empty() ? id : find_in_bucket(entries, id, key));
  }
  return best;
}

// As many slots as there are intervals, so that few are left to look at.
void LookupIndex::add_guess(std::uint32_t begin) {
  const Words lows(interval_low_.data() + begin, interval_low_.size() - begin);
  Guess guess{lows.size() > 1 ? lows[1] : 0, 0, static_cast<std::uint32_t>(guessed_.size()), 0};
  const std::uint64_t span = lows.back() - std::min(guess.low, lows.back());
  while ((span >> guess.shift) >= lows.size()) ++guess.shift;
  guess.slots = static_cast<std::uint32_t>(span >> guess.shift) + 1;
  for (std::uint32_t slot = 0; slot < guess.slots; ++slot)
    guessed_.push_back(begin + static_cast<std::uint32_t>(
                                   last_not_above(lows, guess.low + (std::uint64_t{slot} << guess.shift))));
  guessed_.push_back(begin + static_cast<std::uint32_t>(lows.size()) - 1);
  guess_.push_back(guess);
}

// The position of the interval that the key is in.
std::size_t LookupIndex::find_interval(std::uint32_t bucket, std::uint64_t key) const {
  const Guess& guess = guess_[bucket];
  if (key < guess.low) return interval_begin_[bucket];
  const std::uint64_t slot = (key - guess.low) >> guess.shift;
  if (slot >= guess.slots) return guessed_[guess.begin + guess.slots];
  const std::uint32_t first = guessed_[guess.begin + slot];
  const std::uint32_t last = guessed_[guess.begin + slot + 1];
  return first + last_not_above({interval_low_.data() + first, last - first + std::size_t{1}}, key);
}

std::uint32_t LookupIndex::find_in_bucket(const EntryStore& entries, std::uint32_t bucket, Words key) const {
  const KeyLayout& layout = entries.layout();
  if (interval_) {
    return interval_best_[find_interval(bucket, interval_->value(key))];
  }
  for (std::uint32_t at = bucket_begin_[bucket]; at < bucket_begin_[bucket + 1]; ++at)
    if (in_ranges(layout, entries.first(members_[at]), entries.second(members_[at]), key))
      return members_[at];
  return kMiss;
}

}  // namespace perfpact::tables
