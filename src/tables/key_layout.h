// How the key fields of a table are packed into 64-bit words, so that matching is a few word operations.
//
// The fields that match under a mask (exact, optional, ternary, lpm) stand bit by bit one after the other in
// the leading `mask_words()` words, least significant bits first. Every range field follows with words of its
// own, most significant word first, so that comparing word by word compares the numbers. Selector fields do
// not match and have no place.
// An entry is two such rows: (value, mask) in the leading words, (low, high) in the words of range fields.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tables/schema.h"

namespace perfpact::tables {

class KeyLayout {
 public:
  struct Field {
    std::size_t key;  // index into TableSchema::keys
    MatchKind kind;
    unsigned width;      // bits
    std::size_t offset;  // masked fields: of the lowest bit; range fields: of the first word
    [[nodiscard]] std::size_t words() const { return (width + 63) / 64; }
  };

  explicit KeyLayout(std::span<const KeySchema> keys);

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::size_t mask_words() const { return full_mask_.size(); }
  [[nodiscard]] std::span<const Field> masked_fields() const { return masked_fields_; }
  [[nodiscard]] std::span<const Field> range_fields() const { return range_fields_; }
  /// Every masked bit, mask_words() words.
  [[nodiscard]] std::span<const std::uint64_t> full_mask() const { return full_mask_; }
  /// Whether all fields that match are exact: then the second row of every entry is full_mask().
  [[nodiscard]] bool is_exact() const { return is_exact_; }

  /// `row` has words() words. One value per key, each below 2^width.
  void pack_key(std::span<const Integer> key, std::span<std::uint64_t> row) const;
  /// Bits of a value outside its mask are dropped. Prefix lengths follow from the masks.
  void pack_matches(std::span<const Match> matches, std::span<std::uint64_t> first,
                    std::span<std::uint64_t> second) const;

  /// What pack_matches packed; of selector fields nothing.
  [[nodiscard]] std::vector<Match> unpack_matches(std::size_t keys, std::span<const std::uint64_t> first,
                                                  std::span<const std::uint64_t> second) const;

  [[nodiscard]] bool has_prefix() const { return has_prefix_; }
  /// Number of ones that the lpm field has in the second row of an entry; 0 without an lpm field.
  [[nodiscard]] unsigned prefix_length(std::span<const std::uint64_t> second) const;

 private:
  void put(const Field& field, const Integer& value, std::span<std::uint64_t> row) const;
  [[nodiscard]] static Integer get(const Field& field, std::span<const std::uint64_t> row);

  std::vector<Field> masked_fields_;
  std::vector<Field> range_fields_;
  std::vector<std::uint64_t> full_mask_;
  std::size_t words_ = 0;
  bool is_exact_ = true;
  bool has_prefix_ = false;
};

/// Sets `count` ones in `row` from bit `offset` on.
void set_bits(std::span<std::uint64_t> row, std::size_t offset, unsigned count);
/// Number of ones among `count` bits from bit `offset` on.
[[nodiscard]] unsigned count_bits(std::span<const std::uint64_t> row, std::size_t offset, unsigned count);

}  // namespace perfpact::tables
