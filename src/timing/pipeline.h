// The cycles that a sequence of instructions takes in a processor's pipeline, by LLVM's machine code analyser
// (llvm/MCA). As that has it: branches are predicted, stores do not delay the loads behind them.
// Tested by tests/timing.
#pragma once
#include <map>
#include <span>

#include "timing/cpu.h"

namespace perfpact::timing {

class Pipeline {
 public:
  /// The processor outlives it.
  explicit Pipeline(const Cpu& cpu);
  ~Pipeline();

  /// The number of the instruction that `bytes` begin with, or of an iteration behind the first of one that
  /// repeats; nothing where the model does not know it.
  [[nodiscard]] std::optional<std::uint32_t> add(std::span<const std::uint8_t> bytes, std::uint64_t address);
  [[nodiscard]] std::uint32_t iteration();

  struct Executed {
    std::uint32_t number = 0;
    std::uint32_t wait = 0;  // cycles that it waits longer for memory than it would for L1
  };
  /// Of one run among many, one behind the other.
  [[nodiscard]] std::uint64_t cycles(std::span<const Executed> run);

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace perfpact::timing
