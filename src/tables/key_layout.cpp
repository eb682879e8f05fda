#include "tables/key_layout.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace perfpact::tables {
namespace {

static_assert(sizeof(boost::multiprecision::limb_type) == sizeof(std::uint64_t));

// The limbs of a non-negative value, least significant first.
std::span<const std::uint64_t> limbs_of(const Integer& value) {
  static_assert(std::is_same_v<decltype(value.backend().limbs()), const boost::multiprecision::limb_type*>);
  return {reinterpret_cast<const std::uint64_t*>(value.backend().limbs()), value.backend().size()};
}

// The part of 64 bits from `offset` on that lies in one word, with its mask; calls `use(word, mask)`.
template <class Use>
void each_part(std::size_t offset, unsigned count, Use use) {
  while (count > 0) {
    const unsigned shift = offset % 64;
    const unsigned taken = std::min(count, 64 - shift);
    const std::uint64_t ones = taken == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << taken) - 1;
    use(offset / 64, ones << shift);
    offset += taken;
    count -= taken;
  }
}

}  // namespace

void set_bits(std::span<std::uint64_t> row, std::size_t offset, unsigned count) {
  each_part(offset, count, [&](std::size_t word, std::uint64_t mask) { row[word] |= mask; });
}

unsigned count_bits(std::span<const std::uint64_t> row, std::size_t offset, unsigned count) {
  unsigned ones = 0;
  each_part(offset, count, [&](std::size_t word, std::uint64_t mask) {
    ones += static_cast<unsigned>(std::popcount(row[word] & mask));
  });
  return ones;
}

KeyLayout::KeyLayout(std::span<const KeySchema> keys) {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const KeySchema& key = keys[i];
    if (key.kind == MatchKind::Selector) continue;
    is_exact_ = is_exact_ && key.kind == MatchKind::Exact;
    has_prefix_ = has_prefix_ || key.kind == MatchKind::Lpm;
    if (key.kind == MatchKind::Range) {
      range_fields_.push_back({i, key.kind, key.width, 0});
    } else {
      masked_fields_.push_back({i, key.kind, key.width, bits});
      bits += key.width;
    }
  }
  full_mask_.assign((bits + 63) / 64, 0);
  for (const Field& field : masked_fields_) set_bits(full_mask_, field.offset, field.width);
  words_ = full_mask_.size();
  for (Field& field : range_fields_) {
    field.offset = words_;
    words_ += field.words();
  }
}

void KeyLayout::put(const Field& field, const Integer& value, std::span<std::uint64_t> row) const {
  const auto limbs = limbs_of(value);
  PERFPACT_CHECK(value >= 0 && (value == 0 || msb(value) < field.width), "{} does not fit {} bits",
                 value.str(), field.width);
  for (std::size_t i = 0; i < std::min(limbs.size(), field.words()); ++i) {
    if (field.kind == MatchKind::Range) {
      row[field.offset + field.words() - 1 - i] = limbs[i];
      continue;
    }
    const std::size_t bit = field.offset + 64 * i;
    row[bit / 64] |= limbs[i] << (bit % 64);
    if (bit % 64 != 0 && bit / 64 + 1 < mask_words()) row[bit / 64 + 1] |= limbs[i] >> (64 - bit % 64);
  }
}

void KeyLayout::pack_key(std::span<const Integer> key, std::span<std::uint64_t> row) const {
  std::ranges::fill(row, 0);
  for (const Field& field : masked_fields_) put(field, key[field.key], row);
  for (const Field& field : range_fields_) put(field, key[field.key], row);
}

void KeyLayout::pack_matches(std::span<const Match> matches, std::span<std::uint64_t> first,
                             std::span<std::uint64_t> second) const {
  std::ranges::fill(first, 0);
  std::ranges::fill(second, 0);
  for (const Field& field : masked_fields_) {
    put(field, matches[field.key].value, first);
    if (field.kind == MatchKind::Exact)
      set_bits(second, field.offset, field.width);
    else
      put(field, matches[field.key].mask, second);
  }
  for (std::size_t i = 0; i < mask_words(); ++i) first[i] &= second[i];
  for (const Field& field : range_fields_) {
    put(field, matches[field.key].value, first);
    put(field, matches[field.key].mask, second);
  }
}

Integer KeyLayout::get(const Field& field, std::span<const std::uint64_t> row) {
  Integer value = 0;
  if (field.kind == MatchKind::Range) {
    for (std::uint64_t word : row.subspan(field.offset, field.words())) value = (value << 64) | word;
    return value;
  }
  unsigned done = 0;
  each_part(field.offset, field.width, [&](std::size_t word, std::uint64_t mask) {
    value |= Integer((row[word] & mask) >> std::countr_zero(mask)) << done;
    done += static_cast<unsigned>(std::popcount(mask));
  });
  return value;
}

std::vector<Match> KeyLayout::unpack_matches(std::size_t keys, std::span<const std::uint64_t> first,
                                             std::span<const std::uint64_t> second) const {
  std::vector<Match> matches(keys);
  const auto unpack = [&](const Field& field) {
    matches[field.key] = {get(field, first), get(field, second), 0};
    if (field.kind == MatchKind::Lpm) matches[field.key].prefix_length = prefix_length(second);
  };
  std::ranges::for_each(masked_fields_, unpack);
  std::ranges::for_each(range_fields_, unpack);
  return matches;
}

unsigned KeyLayout::prefix_length(std::span<const std::uint64_t> second) const {
  for (const Field& field : masked_fields_)
    if (field.kind == MatchKind::Lpm) return count_bits(second, field.offset, field.width);
  return 0;
}

}  // namespace perfpact::tables
