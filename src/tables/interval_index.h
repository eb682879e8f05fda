// Which entry wins a number, for every bucket of a look-up index whose entries match an interval each. A
// bucket is cut into elementary intervals, each with its winner; where to look for a number among them is
// guessed from the number, so that few are left to bisect. Tested by tests/tables/lookup_test.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tables/row_slots.h"

namespace perfpact::tables {

class IntervalIndex {
 public:
  struct Member {
    std::uint64_t low;
    std::uint64_t high;  // included; below `low`: matches nothing
    Found entry;
  };
  /// The next bucket; of its members the first one that matches wins.
  void add_bucket(std::span<const Member> members);

  /// The winner.
  [[nodiscard]] Found find(std::uint32_t bucket, std::uint64_t number) const {
    return intervals_[locate(guesses_[bucket], number)].winner;
  }

 private:
  /// From `low` up to that of the next one.
  struct Interval {
    std::uint64_t low = 0;
    Found winner;
  };
  /// Where to look in a bucket: from the position that the slot of the number gives up to that of the next.
  /// Slots have 2^shift numbers each, from `low` on; what is below is in `first`.
  struct Guess {
    std::uint64_t low = 0;
    unsigned shift = 0;
    std::uint32_t first = 0;  // position of the bucket's first interval
    std::uint32_t begin = 0;  // in positions_
    std::uint32_t slots = 0;
  };

  static std::vector<Interval> paint(std::span<const Member> members);

  [[nodiscard]] std::size_t locate(const Guess& guess, std::uint64_t number) const {
    if (number < guess.low) return guess.first;
    const std::uint64_t slot = (number - guess.low) >> guess.shift;
    if (slot >= guess.slots) return positions_[guess.begin + guess.slots];
    const std::uint32_t first = positions_[guess.begin + slot];
    const std::uint32_t last = positions_[guess.begin + slot + 1];
    return first + last_not_above({intervals_.data() + first, last - first + std::size_t{1}}, number);
  }

  /// The last position whose `low` is not above the number; that of the first one is not. Without a branch
  /// that depends on the number.
  static std::size_t last_not_above(std::span<const Interval> rising, std::uint64_t number) {
    const Interval* base = rising.data();
    for (std::size_t left = rising.size(); left > 1;) {
      const std::size_t half = left / 2;
      base = base[half].low <= number ? base + half : base;
      left -= half;
    }
    return static_cast<std::size_t>(base - rising.data());
  }

  std::vector<Guess> guesses_;            // per bucket
  std::vector<std::uint32_t> positions_;  // in intervals_
  std::vector<Interval> intervals_;       // of the buckets, one behind the other; in each from 0 on, rising
};

}  // namespace perfpact::tables
