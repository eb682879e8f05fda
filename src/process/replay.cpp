#include "process/replay.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <csignal>

#include "process/inject.h"
#include "process/ptrace.h"

namespace perfpact::process {
namespace {

// A forked copy of a process, stopped.
class Copy {
 public:
  Copy(pid_t thread, std::uint64_t syscall) {
    // A child of ours, not of the copied process, in which it would stay as a zombie.
    constexpr std::uint64_t kFlags = CLONE_PARENT | SIGCHLD;
    const std::optional<Injected> made = inject_syscall(thread, syscall, SYS_clone, {kFlags, 0, 0, 0, 0, 0});
    if (!made || made->child == 0) return;
    const std::optional<int> status = wait_for(made->child);
    if (status && WIFSTOPPED(*status)) pid_ = made->child;
  }
  ~Copy() {
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    for (std::optional<int> status = wait_for(pid_); status && WIFSTOPPED(*status);) status = wait_for(pid_);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  /// 0 where it could not be made.
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

}  // namespace

Replayer::Replayer(const Tracee& tracee, const PageCache& memory)
    : tracee_(tracee), steps_(memory, tracee.mappings) {}

Run Replayer::replay(const Input& input, const ReplayOptions& options) {
  const Copy copy(tracee_.thread, tracee_.syscall);
  if (copy.pid() == 0 || !write_registers(copy.pid(), input.registers))
    return {.ending = Run::Ending::Exited};
  const MemoryWriter memory(copy.pid());
  for (const Input::Bytes& bytes : input.memory)
    if (!memory.write(bytes.address, bytes.bytes))
      return {.ending = Run::Ending::Signal, .signal = SIGSEGV, .registers = input.registers};
  return step_to_return(copy.pid(), options, steps_, input.memory);
}

}  // namespace perfpact::process
