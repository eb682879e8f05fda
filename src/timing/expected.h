// `cycles.expected` of a path: its own instructions in the processor's pipeline (pipeline.h), one packet
// behind the other, with the caches warm: as the witness leaves them when it has gone the path once
// (hierarchy.h). A call that was cut out costs what the name `flows.get.cycles.expected` says.
// Tested by tests/timing.
#pragma once
#include <unordered_map>

#include "explore/native/path_cost.h"
#include "timing/machine.h"
#include "timing/pipeline.h"

namespace perfpact::timing {

class ExpectedPricer {
 public:
  /// All outlive it.
  ExpectedPricer(const process::Process& process, const explore::NativeExplorer& explorer,
                 const Machine& machine);

  /// Of a path with accesses that is not merged. An instruction that the model does not know costs what the
  /// name `latency.MNEMONIC` says.
  [[nodiscard]] formula::Formula of(const explore::NativePath& path);

 private:
  [[nodiscard]] std::vector<std::uint32_t> waits(const explore::NativePath& path) const;
  [[nodiscard]] std::optional<std::uint32_t> number(std::uint32_t site);

  const process::Process& process_;
  const explore::NativeExplorer& explorer_;
  const Machine& machine_;
  Pipeline pipeline_;
  std::uint32_t iteration_;
  std::unordered_map<std::uint32_t, std::optional<std::uint32_t>> numbers_;  // by site
};

}  // namespace perfpact::timing
