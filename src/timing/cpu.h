// A processor as LLVM's scheduling models describe it.
//
//   Result<Cpu> cpu = Cpu::find("skylake", diagnostics);
//   cpu->latency(bytes, address);  // imul rax, rax: 3
//
// Latencies are of one instruction by itself: from its operands to its results, a load taken to hit L1. What
// the models call 100 cycles (string and system instructions of some processors) is LLVM's word for "long".
// Tested by tests/timing.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace perfpact::timing {

/// The machine's own, as LLVM names it.
[[nodiscard]] std::string host_cpu();

class Cpu {
 public:
  /// By LLVM's name; an empty one means the machine's own. Reports unknown-cpu, cpu-without-model.
  [[nodiscard]] static Result<Cpu> find(std::string_view name, Diagnostics& diagnostics);
  Cpu(Cpu&&) noexcept;
  Cpu& operator=(Cpu&&) noexcept;
  ~Cpu();

  [[nodiscard]] const std::string& name() const;
  /// Cycles of a load that hits L1.
  [[nodiscard]] std::uint32_t load_latency() const;
  /// Cycles of an iteration of an instruction that repeats, behind the first: it loads, and it stores.
  [[nodiscard]] std::uint32_t iteration_latency() const { return load_latency() + 1; }
  /// Cycles of the instruction that `bytes` begin with, at least 1: nothing is free in a sum of latencies.
  /// Nothing where the model does not know it.
  [[nodiscard]] std::optional<std::uint32_t> latency(std::span<const std::uint8_t> bytes,
                                                     std::uint64_t address) const;

  /// LLVM's own, for those parts of this stage that use it (llvm_target.h).
  struct Target;
  [[nodiscard]] const Target& target() const { return *target_; }

 private:
  explicit Cpu(std::unique_ptr<Target> target);
  std::unique_ptr<Target> target_;
};

}  // namespace perfpact::timing
