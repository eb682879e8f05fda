// The cells of a register or counter: some words each, zero at first. Small objects are one array, so that a
// cell is found in one step; of large ones only the cells that are used are kept.
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace perfpact::p4::jit {

class Cells {
 public:
  Cells(std::uint64_t size, std::uint64_t words) : words_(words), is_dense_(size <= kDenseWords / words) {
    if (is_dense_) dense_.resize(size * words);
  }

  /// The words of a cell, least significant first; they stay where they are. `index` is below the size.
  [[nodiscard]] std::uint64_t* at(std::uint64_t index) {
    if (is_dense_) {
      if (used_.size() < kMostUsed) used_.push_back(index);
      return dense_.data() + index * words_;
    }
    auto& cell = sparse_[index];
    if (cell == nullptr) cell = std::make_unique<std::uint64_t[]>(words_);
    return cell.get();
  }
  void reset() {
    sparse_.clear();
    if (used_.size() == kMostUsed) {
      std::ranges::fill(dense_, 0);
    } else {
      for (std::uint64_t index : used_)
        std::fill_n(dense_.begin() + static_cast<std::ptrdiff_t>(index * words_), words_, 0);
    }
    used_.clear();
  }

 private:
  static constexpr std::uint64_t kDenseWords = 1 << 20;
  static constexpr std::size_t kMostUsed = 64;

  std::uint64_t words_;
  bool is_dense_;
  std::vector<std::uint64_t> dense_;
  std::vector<std::uint64_t> used_;  // cells of dense_ that may not be zero; full: any of them
  std::unordered_map<std::uint64_t, std::unique_ptr<std::uint64_t[]>> sparse_;
};

}  // namespace perfpact::p4::jit
