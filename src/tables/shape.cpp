#include "tables/shape.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/check.h"

namespace perfpact::tables {
namespace {

using Field = KeyLayout::Field;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
constexpr unsigned kCountableBits = 63;

std::uint64_t add_saturated(std::uint64_t a, std::uint64_t b) {
  return b > kUnlimited - a ? kUnlimited : a + b;
}

std::uint64_t top_of(const Field& range) {
  PERFPACT_CHECK(range.width < kCountableBits, "a range of {} bits has too many extents", range.width);
  return (std::uint64_t{1} << range.width) - 1;
}

// A field's shapes are ordered by how many bits (range: how much extent) they give up: their breadth.
std::uint64_t max_breadth(const Field& field) {
  if (field.kind == MatchKind::Exact) return 0;
  if (field.kind == MatchKind::Range) return field.width < kCountableBits ? top_of(field) : kUnlimited;
  return field.width;
}

class Enumerator {
 public:
  Enumerator(const KeyLayout& layout, const std::function<bool(const Shape&)>& visit)
      : visit_(visit), fields_(layout.masked_fields().begin(), layout.masked_fields().end()) {
    fields_.insert(fields_.end(), layout.range_fields().begin(), layout.range_fields().end());
    breadth_left_.assign(fields_.size() + 1, 0);
    for (std::size_t i = fields_.size(); i-- > 0;)
      breadth_left_[i] = add_saturated(breadth_left_[i + 1], max_breadth(fields_[i]));
    shape_.mask.assign(layout.mask_words(), 0);
    shape_.extents.assign(layout.range_fields().size(), 0);
    first_range_ = layout.masked_fields().size();
  }

  void run() {
    for (std::uint64_t breadth = 0;; ++breadth)
      if (!choose(0, breadth) || breadth == breadth_left_[0]) return;
  }

 private:
  // Chooses the shapes of the fields from `at` on so that they give up `breadth` together.
  bool choose(std::size_t at, std::uint64_t breadth) {
    if (at == fields_.size()) return visit_(shape_);
    const std::uint64_t rest = breadth_left_[at + 1];
    const std::uint64_t least = breadth > rest ? breadth - rest : 0;
    const std::uint64_t most = std::min(breadth, max_breadth(fields_[at]));
    for (std::uint64_t given_up = least; given_up <= most; ++given_up)
      if (!choose_field(at, given_up, breadth - given_up)) return false;
    return true;
  }

  bool choose_field(std::size_t at, std::uint64_t given_up, std::uint64_t breadth) {
    const Field& field = fields_[at];
    const auto wildcards = static_cast<unsigned>(std::min<std::uint64_t>(given_up, field.width));
    switch (field.kind) {
      case MatchKind::Range:
        shape_.extents[at - first_range_] = given_up;
        return choose(at + 1, breadth);
      case MatchKind::Ternary:
        return choose_ternary(at, wildcards, breadth);
      case MatchKind::Optional:
        if (wildcards != 0 && wildcards != field.width) return true;
        [[fallthrough]];
      case MatchKind::Lpm:
      case MatchKind::Exact:
      case MatchKind::Selector: {
        const auto saved = shape_.mask;
        set_bits(shape_.mask, field.offset + wildcards, field.width - wildcards);
        const bool go_on = choose(at + 1, breadth);
        shape_.mask = saved;
        return go_on;
      }
    }
    return true;
  }

  // Every way to leave `wildcards` bits of the field out of the mask.
  bool choose_ternary(std::size_t at, unsigned wildcards, std::uint64_t breadth) {
    const Field& field = fields_[at];
    const auto saved = shape_.mask;
    if (wildcards == 0) {
      set_bits(shape_.mask, field.offset, field.width);
      const bool go_on = choose(at + 1, breadth);
      shape_.mask = saved;
      return go_on;
    }
    PERFPACT_CHECK(field.width < kCountableBits, "a ternary field of {} bits has too many masks",
                   field.width);
    const std::uint64_t end = std::uint64_t{1} << field.width;
    std::uint64_t left_out = (std::uint64_t{1} << wildcards) - 1;
    while (left_out < end) {
      for (unsigned bit = 0; bit < field.width; ++bit)
        if ((left_out >> bit & 1) == 0) set_bits(shape_.mask, field.offset + bit, 1);
      const bool go_on = choose(at + 1, breadth);
      shape_.mask = saved;
      if (!go_on) return false;
      // The next larger number with as many ones (Gosper).
      const std::uint64_t lowest = left_out & -left_out;
      const std::uint64_t carried = left_out + lowest;
      left_out = ((left_out ^ carried) >> 2) / lowest | carried;
    }
    return true;
  }

  const std::function<bool(const Shape&)>& visit_;
  std::vector<Field> fields_;
  std::vector<std::uint64_t> breadth_left_;  // of the fields from an index on
  std::size_t first_range_ = 0;
  Shape shape_;
};

// Lower ends that a range field with this extent can have.
std::uint64_t count_lows(const Field& range, std::uint64_t extent) {
  return top_of(range) - extent + 1;
}

}  // namespace

void each_shape(const KeyLayout& layout, const std::function<bool(const Shape&)>& visit) {
  Enumerator(layout, visit).run();
}

std::optional<std::uint64_t> count_patterns(const KeyLayout& layout, const Shape& shape) {
  unsigned bits = 0;
  for (std::uint64_t word : shape.mask) bits += static_cast<unsigned>(std::popcount(word));
  for (const Field& range : layout.range_fields()) bits += range.width;
  if (bits >= kCountableBits) return std::nullopt;
  for (const Field& range : layout.range_fields()) bits -= range.width;
  std::uint64_t count = std::uint64_t{1} << bits;
  for (std::size_t i = 0; i < shape.extents.size(); ++i)
    count *= count_lows(layout.range_fields()[i], shape.extents[i]);
  return count;
}

void make_pattern(const KeyLayout& layout, const Shape& shape, std::uint64_t index,
                  std::span<std::uint64_t> row) {
  std::ranges::fill(row, 0);
  for (std::size_t word = 0; word < shape.mask.size(); ++word)
    for (std::uint64_t left = shape.mask[word]; left != 0; left &= left - 1) {
      if (index & 1) row[word] |= left & -left;
      index >>= 1;
    }
  for (std::size_t i = 0; i < shape.extents.size(); ++i) {
    const Field& range = layout.range_fields()[i];
    const std::uint64_t lows = count_lows(range, shape.extents[i]);
    if (range.words() > 0) row[range.offset] = index % lows;
    index /= lows;
  }
}

void make_second_row(const KeyLayout& layout, const Shape& shape, std::span<const std::uint64_t> first,
                     std::span<std::uint64_t> second) {
  std::ranges::copy(first, second.begin());
  std::ranges::copy(shape.mask, second.begin());
  for (std::size_t i = 0; i < shape.extents.size(); ++i)
    if (shape.extents[i] > 0) second[layout.range_fields()[i].offset] += shape.extents[i];
}

bool has_shape(const KeyLayout& layout, const Shape& shape, std::span<const std::uint64_t> first,
               std::span<const std::uint64_t> second) {
  if (!std::ranges::equal(second.first(shape.mask.size()), shape.mask)) return false;
  for (std::size_t i = 0; i < shape.extents.size(); ++i) {
    const Field& range = layout.range_fields()[i];
    const auto low = first.subspan(range.offset, range.words());
    const auto high = second.subspan(range.offset, range.words());
    // An extent above 0 occurs with narrow fields only; wide ones have it in several words.
    const bool same = shape.extents[i] == 0 ? std::ranges::equal(low, high)
                                            : high[0] >= low[0] && high[0] - low[0] == shape.extents[i];
    if (!same) return false;
  }
  return true;
}

void each_matching_pattern(const KeyLayout& layout, const Shape& shape, std::span<const std::uint64_t> key,
                           const std::function<void(std::span<const std::uint64_t>)>& visit) {
  std::vector<std::uint64_t> row(key.begin(), key.end());
  for (std::size_t i = 0; i < shape.mask.size(); ++i) row[i] &= shape.mask[i];
  const auto choose = [&](const auto& self, std::size_t at) -> void {
    if (at == shape.extents.size()) return visit(row);
    const std::uint64_t extent = shape.extents[at];
    if (extent == 0) return self(self, at + 1);
    const Field& range = layout.range_fields()[at];
    std::uint64_t& low = row[range.offset];
    const std::uint64_t value = low;
    const std::uint64_t last = std::min(value, top_of(range) - extent);
    for (low = value - std::min(value, extent); low <= last; ++low) self(self, at + 1);
    low = value;
  };
  choose(choose, 0);
}

}  // namespace perfpact::tables
