// `cycles.bound` of a path: a conservative sum, after BOLT (NSDI'19, section 3.3).
//
//   own code:  latency of each instruction, as if none overlapped, + what each access takes longer than one
//              to L1 where its line is not certain to be there (must_cache.h)
//   a call that was cut out: what its pack says (`latency`, loads and stores, each a miss), or the name
//              `flows.get.cycles.bound`; behind it L1 holds nothing for certain
//
// It holds for every packet of the path: addresses are those of the exploration, not of the witness. It rests
// on this: branches are predicted; code is in the instruction cache and pages in the TLB; global
// variables and the packet lie in lines as they do in the kept process (the stack: in the dearest way); a
// miss costs what `Machine::miss` does at most; the two lines of an access that crosses lines come at once.
// Tested by tests/timing.
#pragma once
#include <unordered_map>

#include "explore/native/path_cost.h"
#include "timing/machine.h"

namespace perfpact::timing {

class BoundPricer {
 public:
  /// All outlive it.
  BoundPricer(const process::Process& process, const explore::NativeExplorer& explorer,
              const Machine& machine);

  /// Of a path with accesses that is not merged. An instruction without a latency costs what the name
  /// `latency.MNEMONIC` says.
  [[nodiscard]] formula::Formula of(const explore::NativePath& path);

 private:
  [[nodiscard]] std::optional<std::uint32_t> latency(std::uint32_t site);
  [[nodiscard]] std::uint64_t waits(const explore::NativePath& path, std::uint64_t shift) const;
  [[nodiscard]] formula::Formula of(const explore::NativeCall& call) const;

  const process::Process& process_;
  const explore::NativeExplorer& explorer_;
  const Machine& machine_;
  formula::Formula sum_of_call_;                                               // of `latency` and `accesses`
  std::unordered_map<std::uint32_t, std::optional<std::uint32_t>> latencies_;  // by site
};

}  // namespace perfpact::timing
