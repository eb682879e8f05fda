// A set of rows of words, all of one length, kept in one array in the order of insertion.
#pragma once
#include "tables/hash_slots.h"

namespace perfpact::tables {

class WordSet {
 public:
  explicit WordSet(std::size_t words_per_row, std::size_t expected = 0);

  /// False when the row is in the set already.
  bool insert(std::span<const std::uint64_t> row);
  [[nodiscard]] bool contains(std::span<const std::uint64_t> row) const;
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const std::uint64_t> row(std::size_t index) const {
    return {rows_.data() + index * words_, words_};
  }

 private:
  std::size_t words_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> rows_;
  HashSlots slots_;
};

}  // namespace perfpact::tables
