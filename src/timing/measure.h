// What accesses to memory cost on the machine that this runs on: a chase of pointers, each load waiting for
// the one before, over growing working sets.
//
//    4 KiB    4.0 cycles        l1    4 cycles
//    8 KiB    4.0 cycles        l2   14 cycles
//   ...                         ...
//
// Pointers lead once through all lines in random order, so that no prefetcher runs ahead and, under LRU, a
// working set larger than a cache always misses it. Huge pages keep the TLB out of it where the system gives
// them. The time stamp counter is told in cycles of the core by a chain of dependent additions, one a cycle.
// Runs are short, so that few are interrupted; what a quarter of them stays below counts.
// Tested by tests/timing.
#pragma once
#include <vector>

#include "timing/latencies.h"

namespace perfpact::timing {

struct MeasuredMemory {
  Latencies latencies;
  double tsc_per_cycle = 0;
  struct Point {
    std::uint64_t bytes = 0;  // working set
    double cycles = 0;        // of an access
  };
  std::vector<Point> points;
};

/// Sizes of caches are what the processor says of them; where it says nothing, the defaults. Reports
/// measure-memory where memory for a working set is missing.
[[nodiscard]] Result<MeasuredMemory> measure_memory(Diagnostics& diagnostics);

/// Of so many dependent additions: time stamp counter ticks per cycle of the core.
[[nodiscard]] double measure_tsc_per_cycle();

/// As Latencies::load reads it.
[[nodiscard]] std::string to_yaml(const MeasuredMemory& measured, std::string_view cpu);
[[nodiscard]] std::string to_text(const MeasuredMemory& measured);

}  // namespace perfpact::timing
