// What a large table in memory holds, by value: the addresses that hold the same, as runs. A question about a
// looked-up value becomes one about intervals of the index, however many entries there are.
// Tested by tests/explore/table_index_test.cpp.
#pragma once
#include <map>
#include <vector>

#include "explore/native/memory.h"

namespace perfpact::explore {

class TableIndex {
 public:
  /// Addresses first..last, both included, `step` apart.
  struct Run {
    std::uint64_t first = 0, last = 0;
  };
  struct Value {
    std::uint64_t value = 0;
    std::uint64_t entries = 0;
    std::vector<Run> runs;  // by rising address
  };

  /// Entries of up to 8 bytes at low, low + step, ... up to high, all readable.
  TableIndex(const Snapshot& snapshot, std::uint64_t low, std::uint64_t high, std::uint64_t step,
             std::uint32_t bytes);

  /// Those with most entries first.
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }

 private:
  std::vector<Value> values_;
};

}  // namespace perfpact::explore
