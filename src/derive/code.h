// The machine code of a process, as derivation walks through it: instructions, where they lead, what is
// marked.
#pragma once
#include <map>
#include <unordered_map>

#include "library/pack.h"
#include "process/process.h"
#include "timing/cpu.h"
#include "x86/decode.h"

namespace perfpact::derive {

struct Mark {
  bool is_outcome = false;
  std::string name;
  bool is_told = false;  // by `loops`: the program does not have it, and `count` does not see it
};

class Code {
 public:
  /// Marks are the program's and those of `methods`, whose loops and callbacks that have no place in this
  /// program are reported (derive-unknown-place). With a processor, whose latencies are asked for. Process
  /// and processor are to outlive it.
  Code(const process::Process& process, const std::vector<library::Method>& methods, Diagnostics& diagnostics,
       const timing::Cpu* cpu = nullptr);

  /// Null where there is none.
  [[nodiscard]] const x86::Instruction* at(std::uint64_t address) const;
  /// PCVs and outcomes that count at this address.
  [[nodiscard]] const std::vector<Mark>& marks(std::uint64_t address) const;
  /// The function that is a method and begins here; empty where none does.
  [[nodiscard]] std::string_view method(std::uint64_t address) const;
  /// Where a call or a jump leads; nothing where that is not known before the program runs.
  [[nodiscard]] std::optional<std::uint64_t> target(const x86::Instruction& instruction) const;
  /// Null where latencies are not asked for.
  [[nodiscard]] const timing::Cpu* cpu() const { return cpu_; }
  /// Where they are: cycles of the instruction; nothing where the processor's model does not know it.
  [[nodiscard]] std::optional<std::uint32_t> latency(const x86::Instruction& instruction) const;
  /// Whether a function never returns: `abort` and its like.
  [[nodiscard]] bool never_returns(std::uint64_t function) const;
  /// "hash_map.c:31 (hash_map_get+0x12)", or what is known of that.
  [[nodiscard]] std::string describe(std::uint64_t address) const;

  [[nodiscard]] const process::Process& process() const { return process_; }

 private:
  void add_loops(const library::Method& method, Diagnostics& diagnostics);
  [[nodiscard]] std::optional<std::uint64_t> bound_slot(std::uint64_t slot) const;

  const process::Process& process_;
  const timing::Cpu* cpu_;
  mutable std::unordered_map<std::uint64_t, std::optional<x86::Instruction>> decoded_;
  std::unordered_map<std::uint64_t, std::vector<Mark>> marks_;
  std::unordered_map<std::uint64_t, std::string> methods_;
  std::unordered_map<std::uint64_t, std::uint64_t> callbacks_;  // by the address of the call
};

}  // namespace perfpact::derive
