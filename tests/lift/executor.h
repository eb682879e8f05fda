// Runs lifted blocks on numbers, for tests: the LLVM IR of a block is evaluated, an instruction at a time.
//
//   Executor executor(memory);
//   Executed executed = executor.run(lifter.block(registers.rip), registers);
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "lift/lifter.h"

namespace perfpact::lift {

struct Memory {
  std::function<void(std::uint64_t address, std::span<std::uint8_t> bytes)> load;
  std::function<void(std::uint64_t address, std::span<const std::uint8_t> bytes)> store;
};

struct Executed {
  std::optional<Trap> trap;
  std::vector<std::uint32_t> sites;  // of the instructions that began
};

class Executor {
 public:
  /// `time` is asked for the time-stamp counter.
  explicit Executor(Memory memory, std::function<std::uint64_t()> time = nullptr);
  ~Executor();

  /// Registers are those before and become those after; `rip` too.
  Executed run(const Block& block, x86::Registers& registers);

 private:
  class Compiled;
  Memory memory_;
  std::function<std::uint64_t()> time_;
  std::unordered_map<const llvm::Function*, std::unique_ptr<Compiled>> compiled_;
};

}  // namespace perfpact::lift
