#include "process/copy.h"

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <csignal>

#include "process/inject.h"
#include "process/ptrace.h"

namespace perfpact::process {

Copy::Copy(pid_t thread, std::uint64_t syscall) {
  // A child of ours, not of the copied process, in which it would stay as a zombie.
  constexpr std::uint64_t kFlags = CLONE_PARENT | SIGCHLD;
  const std::optional<Injected> made = inject_syscall(thread, syscall, SYS_clone, {kFlags, 0, 0, 0, 0, 0});
  if (!made || made->child == 0) return;
  const std::optional<int> status = wait_for(made->child);
  if (status && WIFSTOPPED(*status)) pid_ = made->child;
}

Copy::~Copy() {
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  std::optional<int> status = wait_for(pid_);
  while (status && WIFSTOPPED(*status)) status = wait_for(pid_);
}

}  // namespace perfpact::process
