#include "tables/generate.h"

#include <algorithm>

#include "tables/shape.h"

namespace perfpact::tables {
namespace {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Uniform below `end`, which is above 0: draws from the part of 2^64 that is not a multiple again.
  std::uint64_t below(std::uint64_t end) {
    const std::uint64_t uneven = -end % end;
    std::uint64_t value = next();
    while (value < uneven) value = next();
    return value % end;
  }

 private:
  std::uint64_t state_;
};

struct Part {
  Shape shape;
  std::uint64_t entries = 0;
};

class Generator {
 public:
  Generator(const GenerateRequest& request, const WordSet& avoid, EntryStore& store)
      : request_(request),
        avoid_(avoid),
        store_(store),
        layout_(store.layout()),
        existing_(store.size()),
        random_(request.seed),
        row_(layout_.words()),
        second_(layout_.words()) {}

  std::expected<void, std::uint64_t> run() {
    std::vector<Part> parts;
    std::uint64_t missing = request_.entries;
    if (missing > 0) {
      each_shape(layout_, [&](const Shape& shape) {
        const auto count = count_patterns(layout_, shape);
        const std::uint64_t taken = std::min(missing, count ? *count - excluded(shape, 0).size() : missing);
        if (taken > 0) parts.push_back({shape, taken});
        missing -= taken;
        return missing > 0;
      });
    }
    if (missing > 0) return std::unexpected(request_.entries - missing);
    store_.reserve(existing_ + request_.entries);
    origin_ = store_.add_origin(request_.action, request_.span);
    for (const Part& part : parts) fill(part);
    return {};
  }

 private:
  // The patterns of a shape that are not to be used; with room for `more`.
  WordSet excluded(const Shape& shape, std::uint64_t more) const {
    WordSet result(layout_.words(), more + avoid_.size());
    for (std::size_t entry = 0; entry < existing_; ++entry)
      if (has_shape(layout_, shape, store_.first(entry), store_.second(entry)))
        result.insert(store_.first(entry));
    for (std::size_t key = 0; key < avoid_.size(); ++key)
      each_matching_pattern(layout_, shape, avoid_.row(key), [&](auto row) { result.insert(row); });
    return result;
  }

  void fill(const Part& part) {
    WordSet used = excluded(part.shape, part.entries);
    const auto count = count_patterns(layout_, part.shape);
    const bool is_dense = count && (part.entries + used.size()) > *count / 2;
    if (is_dense) return fill_dense(part, used, *count);
    for (std::uint64_t left = part.entries; left > 0;) {
      draw(part.shape);
      if (!used.insert(row_)) continue;
      add(part.shape);
      --left;
    }
  }

  // Goes through all patterns and takes each with the probability that makes every choice equally likely
  // (Knuth, TAOCP volume 2, algorithm 3.4.2 S).
  void fill_dense(const Part& part, const WordSet& used, std::uint64_t count) {
    std::uint64_t free = count - used.size();
    std::uint64_t left = part.entries;
    for (std::uint64_t index = 0; left > 0; ++index) {
      make_pattern(layout_, part.shape, index, row_);
      if (used.contains(row_)) continue;
      if (random_.below(free--) >= left) continue;
      add(part.shape);
      --left;
    }
  }

  void draw(const Shape& shape) {
    for (std::size_t i = 0; i < shape.mask.size(); ++i) row_[i] = random_.next() & shape.mask[i];
    for (std::size_t i = 0; i < shape.extents.size(); ++i) {
      const KeyLayout::Field& range = layout_.range_fields()[i];
      if (shape.extents[i] > 0) {
        row_[range.offset] = random_.below((std::uint64_t{1} << range.width) - shape.extents[i]);
        continue;
      }
      for (std::size_t word = 0; word < range.words(); ++word) row_[range.offset + word] = random_.next();
      if (range.width % 64 != 0) row_[range.offset] &= (std::uint64_t{1} << range.width % 64) - 1;
    }
  }

  void add(const Shape& shape) {
    make_second_row(layout_, shape, row_, second_);
    store_.add_packed(row_, second_, request_.priority, origin_);
  }

  const GenerateRequest& request_;
  const WordSet& avoid_;
  EntryStore& store_;
  const KeyLayout& layout_;
  std::size_t existing_;
  Random random_;
  std::vector<std::uint64_t> row_;
  std::vector<std::uint64_t> second_;
  std::uint32_t origin_ = 0;
};

}  // namespace

std::expected<void, std::uint64_t> generate_entries(const GenerateRequest& request, const WordSet& avoid,
                                                    EntryStore& store) {
  return Generator(request, avoid, store).run();
}

}  // namespace perfpact::tables
