// Executes a stopped copy of a process instruction by instruction, and counts.
#pragma once
#include <sys/types.h>
#include <sys/user.h>

#include <unordered_map>

#include "process/memory.h"
#include "process/process.h"

namespace perfpact::process {

/// What stepping has to know of an instruction.
struct Step {
  enum class Kind : std::uint8_t {
    Plain,
    Repeats,    // one iteration a step, by rcx
    Repeats32,  // by ecx
    Time,       // rdtsc, rdtscp
    Traps,      // int3 and its like: the trap behind it is its own
    PushFlags,  // the processor's trap flag, set to step, must not be seen
    Syscall,
    NoInstruction,
  };
  Kind kind{};
  std::uint32_t loads = 0, stores = 0;
  std::uint32_t length = 0;
  bool is_rdtscp = false;
  bool jumps_anywhere = false;  // a return, or a jump to what a register or memory holds
};

/// The instruction that these bytes begin with.
[[nodiscard]] Step decode_step(std::span<const std::uint8_t> bytes, std::uint64_t address);
/// The instruction at an address of a process as it is now.
[[nodiscard]] Step read_step(pid_t pid, std::uint64_t address);
/// Whether it repeats, and zero times.
[[nodiscard]] bool has_no_iteration(const Step& step, const user_regs_struct& registers);
/// Clears the processor's trap flag in the flags that were pushed last.
void hide_trap_flag(const MemoryWriter& memory, pid_t pid, const user_regs_struct& registers);

/// Instructions of code that does not change, kept from run to run.
class StepCache {
 public:
  StepCache(const PageCache& memory, const std::vector<Mapping>& mappings)
      : memory_(memory), mappings_(mappings) {}

  /// Null where the code can change: it is to be decoded as it is.
  [[nodiscard]] const Step* find(std::uint64_t address);

 private:
  const PageCache& memory_;
  const std::vector<Mapping>& mappings_;
  std::unordered_map<std::uint64_t, Step> steps_;
};

/// Runs the process, which this thread traces and which stands at the beginning of a function with all its
/// signals blocked. What `changed` holds was written to its memory: code there is not that of the cache.
[[nodiscard]] Run step_to_return(pid_t pid, const ReplayOptions& options, StepCache& cache,
                                 std::span<const Input::Bytes> changed);

}  // namespace perfpact::process
