#include "process/inject.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <csignal>

#include "process/memory.h"
#include "process/ptrace.h"

namespace perfpact::process {

std::uint64_t find_syscall_instruction(pid_t pid, const std::vector<Mapping>& mappings) {
  constexpr std::array<std::uint8_t, 2> kSyscall{0x0f, 0x05};
  for (const Mapping& mapping : mappings) {
    if (!mapping.executable || !mapping.readable) continue;
    std::vector<std::uint8_t> bytes(mapping.end - mapping.begin);
    if (!read_memory(pid, mapping.begin, bytes)) continue;
    const auto found = std::ranges::search(bytes, kSyscall);
    if (!found.empty()) return mapping.begin + static_cast<std::uint64_t>(found.begin() - bytes.begin());
  }
  return 0;
}

std::optional<Injected> inject_syscall(pid_t thread, std::uint64_t instruction, long number,
                                       const std::array<std::uint64_t, 6>& arguments) {
  user_regs_struct before{};
  std::uint64_t mask = 0;
  const std::uint64_t all_blocked = ~0ULL;
  if (!read_general(thread, before)) return std::nullopt;
  ptrace(PTRACE_GETSIGMASK, thread, sizeof mask, &mask);
  ptrace(PTRACE_SETSIGMASK, thread, sizeof all_blocked, &all_blocked);
  before.orig_rax = ~0ULL;

  user_regs_struct call = before;
  call.rip = instruction;
  call.rax = static_cast<unsigned long long>(number);
  call.rdi = arguments[0];
  call.rsi = arguments[1];
  call.rdx = arguments[2];
  call.r10 = arguments[3];
  call.r8 = arguments[4];
  call.r9 = arguments[5];
  if (!write_general(thread, call)) return std::nullopt;

  // It stops as the call begins, where a process was made, and as the call ends.
  Injected injected;
  constexpr int kSyscallStop = SIGTRAP | 0x80;
  for (int stops = 0; stops < 2;) {
    if (ptrace(PTRACE_SYSCALL, thread, nullptr, nullptr) != 0) return std::nullopt;
    const std::optional<int> status = wait_for(thread);
    if (!status || !WIFSTOPPED(*status)) return std::nullopt;
    if (*status >> 8 == (SIGTRAP | (PTRACE_EVENT_FORK << 8))) {
      unsigned long child = 0;
      ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &child);
      injected.child = static_cast<pid_t>(child);
    } else if (WSTOPSIG(*status) == kSyscallStop) {
      ++stops;
    }
  }
  user_regs_struct after{};
  if (!read_general(thread, after)) return std::nullopt;
  injected.result = static_cast<std::int64_t>(after.rax);
  if (!write_general(thread, before)) return std::nullopt;
  ptrace(PTRACE_SETSIGMASK, thread, sizeof mask, &mask);
  return injected;
}

}  // namespace perfpact::process
