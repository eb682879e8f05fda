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
  field_ = IntervalField::of(layout);
  const bool has_ranges = !layout.range_fields().empty() || field_;
  slots_ = HashSlots(has_ranges ? 0 : entries.size());
  tuple_of_.resize(entries.size());
  HashSlots tuples;
  std::vector<std::uint32_t> bucket_of(has_ranges ? entries.size() : 0);
  std::vector<std::uint32_t> bucket_head;
  std::vector<std::uint64_t> mask(mask_words_);
  std::vector<std::uint64_t> value(mask_words_);

  for (std::uint32_t entry = 0; entry < entries.size(); ++entry) {
    std::ranges::copy(entries.second(entry).first(mask_words_), mask.begin());
    if (field_) field_->clear(mask);
    const auto same_mask = [&](std::uint32_t tuple) { return std::ranges::equal(tuple_mask(tuple), mask); };
    std::uint32_t tuple =
        tuples.find_or_insert(hash_words(mask), static_cast<std::uint32_t>(tuples_.size()), same_mask);
    const bool is_new = tuple == HashSlots::kNone;
    if (is_new) {
      tuple = static_cast<std::uint32_t>(tuples_.size());
      tuples_.push_back({entry, found(entries, entry), std::ranges::count(mask, 0U) == std::ssize(mask)});
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
    if (is_new) tuples_[tuple].found = Found(bucket_of[entry]);
  }
  if (has_ranges) build_buckets(bucket_of, bucket_head.size());
  if (field_) build_intervals(entries);
  if (mask_words_ == 1) fill(one_word_, entries, bucket_head);
  if (mask_words_ == 2) fill(two_words_, entries, bucket_head);
}

// The rows of entries that stand for their buckets.
template <std::size_t kWords>
void LookupIndex::fill(RowSlots<kWords>& slots, const EntryStore& entries,
                       std::span<const std::uint32_t> heads) {
  slots_ = HashSlots();
  slots = RowSlots<kWords>(heads.size());
  for (std::uint32_t i = 0; i < heads.size(); ++i) {
    const std::uint32_t tuple = tuple_of_[heads[i]];
    slots.insert(masked<kWords>(entries.first(heads[i]), tuple), tuple,
                 bucket_begin_.empty() ? found(entries, heads[i]) : Found(i));
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

void LookupIndex::build_intervals(const EntryStore& entries) {
  std::vector<IntervalIndex::Member> members;
  for (std::size_t bucket = 0; bucket + 1 < bucket_begin_.size(); ++bucket) {
    members.clear();
    for (std::uint32_t at = bucket_begin_[bucket]; at < bucket_begin_[bucket + 1]; ++at)
      members.push_back({field_->low(entries, members_[at]), field_->high(entries, members_[at]),
                         found(entries, members_[at])});
    intervals_.add_bucket(members);
  }
}

Found LookupIndex::probe(const EntryStore& entries, std::uint32_t tuple, Words key) const {
  const Words mask = tuple_mask(tuple);
  boost::container::small_vector<std::uint64_t, 8> value(mask_words_);
  for (std::size_t i = 0; i < mask_words_; ++i) value[i] = key[i] & mask[i];
  const Words row(value.data(), mask_words_);
  const std::uint32_t id = slots_.find(hash_words(row, tuple), [&](std::uint32_t candidate) {
    const std::uint32_t entry = head(candidate);
    return tuple_of_[entry] == tuple && matches(entries.first(entry), mask, row);
  });
  return id == kMiss || !bucket_begin_.empty() ? Found(id) : found(entries, id);
}

Found LookupIndex::try_bucket(const EntryStore& entries, std::uint32_t bucket, Words key) const {
  for (std::uint32_t at = bucket_begin_[bucket]; at < bucket_begin_[bucket + 1]; ++at)
    if (in_ranges(entries.layout(), entries.first(members_[at]), entries.second(members_[at]), key))
      return found(entries, members_[at]);
  return {};
}

}  // namespace perfpact::tables
