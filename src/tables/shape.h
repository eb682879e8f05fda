// The shapes that entries of a table can have: what of the key an entry looks at, without the values.
//
// All match sets of a table are exactly the pairs of a shape and one of its patterns; two different pairs are
// two different match sets. A shape is a mask for the fields that match under a mask, and an extent (upper
// end minus lower end) for each range field; a pattern gives values under the mask and lower ends.
// Enumerating shapes from the most specific on, and counting the patterns of each, is how `generate:` counts
// exactly what is possible.
#pragma once
#include <functional>

#include "tables/key_layout.h"

namespace perfpact::tables {

struct Shape {
  std::vector<std::uint64_t> mask;     // KeyLayout::mask_words()
  std::vector<std::uint64_t> extents;  // one per range field
};

/// Calls `visit` with every shape of the layout, falling number of bits that matter, until it returns false.
/// Must be stopped after the first shape where that one has 2^63 patterns or more.
void each_shape(const KeyLayout& layout, const std::function<bool(const Shape&)>& visit);

/// Number of patterns; nothing for 2^63 or more.
[[nodiscard]] std::optional<std::uint64_t> count_patterns(const KeyLayout& layout, const Shape& shape);

/// The index-th pattern as the first row of an entry; index < count_patterns().
void make_pattern(const KeyLayout& layout, const Shape& shape, std::uint64_t index,
                  std::span<std::uint64_t> row);

/// The second row of an entry with this shape and this first row.
void make_second_row(const KeyLayout& layout, const Shape& shape, std::span<const std::uint64_t> first,
                     std::span<std::uint64_t> second);

/// Whether an entry has this shape.
[[nodiscard]] bool has_shape(const KeyLayout& layout, const Shape& shape,
                             std::span<const std::uint64_t> first, std::span<const std::uint64_t> second);

/// Calls `visit` with every pattern of the shape that matches the key.
void each_matching_pattern(const KeyLayout& layout, const Shape& shape, std::span<const std::uint64_t> key,
                           const std::function<void(std::span<const std::uint64_t>)>& visit);

}  // namespace perfpact::tables
