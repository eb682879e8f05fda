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
        tuples.find_or_insert(hash_words(mask), static_cast<std::uint32_t>(tuples_.size()), same_mask);
    const bool is_new = tuple == HashSlots::kNone;
    if (is_new) {
      tuple = static_cast<std::uint32_t>(tuples_.size());
      tuples_.push_back({entry, entry, std::ranges::count(mask, 0U) == std::ssize(mask)});
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
    if (is_new) tuples_[tuple].id = bucket_of[entry];
  }
  if (has_ranges) build_buckets(bucket_of, bucket_head.size());
  if (interval_) build_intervals(entries);
  if (mask_words_ == 1) fill(one_word_, entries, bucket_head);
  if (mask_words_ == 2) fill(two_words_, entries, bucket_head);
}

template <std::size_t kWords>
std::array<std::uint64_t, kWords> LookupIndex::masked(Words row, std::uint32_t tuple) const {
  std::array<std::uint64_t, kWords> result;
  for (std::size_t i = 0; i < kWords; ++i) result[i] = row[i] & tuple_masks_[kWords * tuple + i];
  return result;
}

// The rows of entries that stand for their buckets.
template <std::size_t kWords>
void LookupIndex::fill(RowSlots<kWords>& slots, const EntryStore& entries,
                       std::span<const std::uint32_t> heads) {
  slots_ = HashSlots();
  slots = RowSlots<kWords>(heads.size());
  for (std::uint32_t i = 0; i < heads.size(); ++i) {
    const std::uint32_t tuple = tuple_of_[heads[i]];
    slots.insert(masked<kWords>(entries.first(heads[i]), tuple), tuple, bucket_begin_.empty() ? heads[i] : i);
  }
}

void LookupIndex::build_buckets(const std::vector<std::uint32_t>& bucket_of, std::size_t buckets) {
  bucket_begin_.assign(buckets + 1, 0);
  for (std::uint32_t bucket : bucket_of) ++bucket_begin_[bucket + 1];
  std::partial_sum(bucket_begin_.begin(), bucket_begin_.end(), bucket_begin_.begin());
  members_.resize(bucket_of.size());
  std::vector<std::uint32_t> free = bucket_begin_;
  for (std::uint32_t entry = 0; entry < bucket_of.size(); ++entry) members_[free[bucket_of[entry]]++] = entry;
}

// The elementary intervals of one bucket. Paints them in canonical order; what is painted stays, and a
// painted stretch is skipped at once.
std::vector<LookupIndex::Interval> LookupIndex::paint(const EntryStore& entries,
                                                      std::span<const std::uint32_t> members,
                                                      const IntervalField& field) {
  std::vector<Interval> result(1);
  for (std::uint32_t entry : members) {
    result.push_back({field.low(entries, entry)});
    const std::uint64_t high = field.high(entries, entry);
    if (high != ~std::uint64_t{0}) result.push_back({high + 1});
  }
  std::ranges::sort(result, {}, &Interval::low);
  result.erase(std::ranges::unique(result, {}, &Interval::low).begin(), result.end());

  const std::size_t count = result.size();
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
    const auto start = std::ranges::lower_bound(result, field.low(entries, entry), {}, &Interval::low);
    for (std::size_t at = free_from(static_cast<std::size_t>(start - result.begin()));
         at < count && result[at].low <= high; at = free_from(at)) {
      result[at].best = entry;
      next_free[at] = at + 1;
    }
  }
  return result;
}

// The last position whose `low` is not above the key; the first one is 0. Without a branch that depends
// on the key.
std::size_t LookupIndex::last_not_above(std::span<const Interval> rising, std::uint64_t key) {
  const Interval* base = rising.data();
  for (std::size_t left = rising.size(); left > 1;) {
    const std::size_t half = left / 2;
    base = base[half].low <= key ? base + half : base;
    left -= half;
  }
  return static_cast<std::size_t>(base - rising.data());
}

void LookupIndex::build_intervals(const EntryStore& entries) {
  for (std::size_t bucket = 0; bucket + 1 < bucket_begin_.size(); ++bucket) {
    const std::span members(members_.data() + bucket_begin_[bucket],
                            bucket_begin_[bucket + 1] - bucket_begin_[bucket]);
    const std::vector<Interval> intervals = paint(entries, members, *interval_);
    const auto first = static_cast<std::uint32_t>(intervals_.size());
    intervals_.insert(intervals_.end(), intervals.begin(), intervals.end());
    add_guess(first);
  }
}

std::uint32_t LookupIndex::probe(const EntryStore& entries, std::uint32_t tuple, Words key) const {
  const Words mask = tuple_mask(tuple);
  boost::container::small_vector<std::uint64_t, 8> value(mask_words_);
  for (std::size_t i = 0; i < mask_words_; ++i) value[i] = key[i] & mask[i];
  const Words row(value.data(), mask_words_);
  return slots_.find(hash_words(row, tuple), [&](std::uint32_t id) {
    const std::uint32_t entry = head(id);
    return tuple_of_[entry] == tuple && matches(entries.first(entry), mask, row);
  });
}

template <class Probe>
std::uint32_t LookupIndex::search(const EntryStore& entries, Words key, Probe probe) const {
  std::uint32_t best = kMiss;
  for (std::uint32_t tuple = 0; tuple < tuples_.size() && tuples_[tuple].first < best; ++tuple) {
    // All entries of a tuple that fixes nothing are in one bucket, or match alike.
    const std::uint32_t id = tuples_[tuple].fixes_nothing ? tuples_[tuple].id : probe(tuple);
    if (id != kMiss) best = std::min(best, bucket_begin_.empty() ? id : find_in_bucket(entries, id, key));
  }
  return best;
}

std::uint32_t LookupIndex::find(const EntryStore& entries, Words key) const {
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

// As many slots as there are intervals, so that few are left to look at.
void LookupIndex::add_guess(std::uint32_t first) {
  const std::span<const Interval> rising(intervals_.data() + first, intervals_.size() - first);
  Guess guess{rising.size() > 1 ? rising[1].low : 0, 0, first, static_cast<std::uint32_t>(guessed_.size()),
              0};
  const std::uint64_t span = rising.back().low - std::min(guess.low, rising.back().low);
  while ((span >> guess.shift) >= rising.size()) ++guess.shift;
  guess.slots = static_cast<std::uint32_t>(span >> guess.shift) + 1;
  for (std::uint32_t slot = 0; slot < guess.slots; ++slot)
    guessed_.push_back(first + static_cast<std::uint32_t>(
                                   last_not_above(rising, guess.low + (std::uint64_t{slot} << guess.shift))));
  guessed_.push_back(first + static_cast<std::uint32_t>(rising.size()) - 1);
  guess_.push_back(guess);
}

// The position of the interval that the key is in.
std::size_t LookupIndex::find_interval(std::uint32_t bucket, std::uint64_t key) const {
  const Guess& guess = guess_[bucket];
  if (key < guess.low) return guess.first;
  const std::uint64_t slot = (key - guess.low) >> guess.shift;
  if (slot >= guess.slots) return guessed_[guess.begin + guess.slots];
  const std::uint32_t first = guessed_[guess.begin + slot];
  const std::uint32_t last = guessed_[guess.begin + slot + 1];
  return first + last_not_above({intervals_.data() + first, last - first + std::size_t{1}}, key);
}

std::uint32_t LookupIndex::find_in_bucket(const EntryStore& entries, std::uint32_t bucket, Words key) const {
  if (interval_) return intervals_[find_interval(bucket, interval_->value(key))].best;
  for (std::uint32_t at = bucket_begin_[bucket]; at < bucket_begin_[bucket + 1]; ++at)
    if (in_ranges(entries.layout(), entries.first(members_[at]), entries.second(members_[at]), key))
      return members_[at];
  return kMiss;
}

}  // namespace perfpact::tables
