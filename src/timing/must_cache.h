// What the L1 data cache holds for certain, whatever the addresses that depend on the input are: the must
// analysis of LRU caches (Ferdinand and Wilhelm, Real-Time Systems 17, 1999), along one path. It begins with
// nothing; a line stays until as many others as the cache has ways may have come into its set.
// Tested by tests/timing.
#pragma once
#include <cstdint>
#include <vector>

#include "timing/latencies.h"

namespace perfpact::timing {

/// A cache line: its number among all lines of the address space where that is known, else what tells it from
/// others that are as unknown.
struct Line {
  std::uint64_t origin = 0;  // 0: `number` is that of the line
  std::uint64_t number = 0;
  friend bool operator==(const Line&, const Line&) = default;
};

class MustCache {
 public:
  explicit MustCache(const Cache& cache);

  /// Accesses the line; whether it is a hit for certain.
  bool access(const Line& line);
  /// Anything may have been accessed.
  void clear();

 private:
  struct Held {
    Line line;
    std::uint32_t age = 0;  // at most: as many lines of its set were accessed since
  };
  using Set = std::vector<Held>;
  /// Those that may be in the set of a line whose age was at most `age`, and younger.
  void grow_older(Set& set, std::uint32_t age) const;

  std::uint32_t ways_;
  std::vector<Set> sets_;
  Set somewhere_;  // lines whose sets are not known
};

}  // namespace perfpact::timing
