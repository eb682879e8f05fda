#include "process/indirect.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include "process/copy.h"
#include "process/memory.h"
#include "process/ptrace.h"

namespace perfpact::process {
namespace {

constexpr std::uint64_t kNowhere = 0;  // has no code: a return to it stops

// What a function without arguments returns, called in a copy that stands.
std::optional<std::uint64_t> call(pid_t copy, std::uint64_t function, const user_regs_struct& at) {
  constexpr std::uint64_t kRedZone = 128, kAlignment = 16;
  user_regs_struct registers = at;
  registers.rsp = (at.rsp - kRedZone) / kAlignment * kAlignment - sizeof kNowhere;
  registers.rip = function;
  registers.orig_rax = ~0ULL;
  const auto return_address = std::bit_cast<std::array<std::uint8_t, sizeof kNowhere>>(kNowhere);
  if (!MemoryWriter(copy).write(registers.rsp, return_address)) return std::nullopt;
  if (!write_general(copy, registers) || ptrace(PTRACE_CONT, copy, nullptr, nullptr) != 0)
    return std::nullopt;
  const std::optional<int> status = wait_for(copy);
  if (!status || !WIFSTOPPED(*status) || !read_general(copy, registers)) return std::nullopt;
  if (registers.rip != kNowhere) return std::nullopt;
  return registers.rax;
}

}  // namespace

void resolve_indirect_functions(Tracee& tracee) {
  const Copy copy(tracee.thread, tracee.syscall);
  user_regs_struct registers{};
  if (copy.pid() == 0 || !read_general(copy.pid(), registers)) return;
  tracee.modules.resolve_indirect(
      [&](std::uint64_t resolver) { return call(copy.pid(), resolver, registers); });
}

}  // namespace perfpact::process
