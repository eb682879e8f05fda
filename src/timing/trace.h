// `cycles.expected` of packets as a program executes them, methods too: each packet's instructions in the
// processor's pipeline (pipeline.h), as if packets like it came one behind the other; the caches are as all
// packets so far have left them (hierarchy.h).
// Tested by tests/timing.
#pragma once
#include <optional>
#include <unordered_map>

#include "timing/hierarchy.h"
#include "timing/machine.h"
#include "timing/pipeline.h"
#include "x86/executed.h"

namespace perfpact::timing {

class TracePricer {
 public:
  /// It outlives this.
  explicit TracePricer(const Machine& machine);

  /// Of the next packet. Nothing where it executes an instruction that the processor's model does not know.
  [[nodiscard]] std::optional<std::uint64_t> next(std::span<const x86::Executed> packet);
  /// The first such instruction.
  [[nodiscard]] const std::optional<x86::Executed>& unknown() const { return unknown_; }

 private:
  [[nodiscard]] std::optional<std::uint32_t> number(const x86::Executed& one);

  Pipeline pipeline_;
  Waits waits_;
  std::uint32_t iteration_;
  std::unordered_map<std::uint64_t, std::optional<std::uint32_t>> numbers_;  // by address
  std::optional<x86::Executed> unknown_;
};

}  // namespace perfpact::timing
