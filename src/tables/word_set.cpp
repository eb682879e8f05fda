#include "tables/word_set.h"

#include <algorithm>

namespace perfpact::tables {

WordSet::WordSet(std::size_t words_per_row, std::size_t expected) : words_(words_per_row), slots_(expected) {
  rows_.reserve(words_ * expected);
}

bool WordSet::insert(std::span<const std::uint64_t> row) {
  const auto is_row = [&](std::uint32_t id) { return std::ranges::equal(this->row(id), row); };
  if (slots_.find_or_insert(hash_words(row), static_cast<std::uint32_t>(size_), is_row) != HashSlots::kNone)
    return false;
  rows_.insert(rows_.end(), row.begin(), row.end());
  ++size_;
  return true;
}

bool WordSet::contains(std::span<const std::uint64_t> row) const {
  const auto is_row = [&](std::uint32_t id) { return std::ranges::equal(this->row(id), row); };
  return slots_.find(hash_words(row), is_row) != HashSlots::kNone;
}

}  // namespace perfpact::tables
