#include "process/ptrace.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

namespace perfpact::process {
namespace {

// user_regs_struct has the registers in the order of the kernel's stack; this is the encoding's.
constexpr std::array<unsigned long long user_regs_struct::*, x86::kGprs> kGeneral{
    &user_regs_struct::rax, &user_regs_struct::rcx, &user_regs_struct::rdx, &user_regs_struct::rbx,
    &user_regs_struct::rsp, &user_regs_struct::rbp, &user_regs_struct::rsi, &user_regs_struct::rdi,
    &user_regs_struct::r8,  &user_regs_struct::r9,  &user_regs_struct::r10, &user_regs_struct::r11,
    &user_regs_struct::r12, &user_regs_struct::r13, &user_regs_struct::r14, &user_regs_struct::r15};

static_assert(sizeof(user_fpregs_struct::xmm_space) >= sizeof(x86::Registers::xmm));

}  // namespace

bool read_general(pid_t thread, user_regs_struct& registers) {
  return ptrace(PTRACE_GETREGS, thread, nullptr, &registers) == 0;
}

bool write_general(pid_t thread, const user_regs_struct& registers) {
  return ptrace(PTRACE_SETREGS, thread, nullptr, &registers) == 0;
}

x86::Registers from_general(const user_regs_struct& general) {
  x86::Registers registers;
  for (std::size_t i = 0; i < x86::kGprs; ++i) registers.gpr[i] = general.*kGeneral[i];
  registers.rip = general.rip;
  registers.rflags = general.eflags;
  registers.fs_base = general.fs_base;
  registers.gs_base = general.gs_base;
  return registers;
}

void to_general(const x86::Registers& registers, user_regs_struct& general) {
  for (std::size_t i = 0; i < x86::kGprs; ++i) general.*kGeneral[i] = registers.gpr[i];
  general.rip = registers.rip;
  general.eflags = registers.rflags;
  general.fs_base = registers.fs_base;
  general.gs_base = registers.gs_base;
  general.orig_rax = ~0ULL;
}

x86::Registers read_registers(pid_t thread) {
  user_regs_struct general{};
  user_fpregs_struct vector{};
  if (!read_general(thread, general) || ptrace(PTRACE_GETFPREGS, thread, nullptr, &vector) != 0) return {};
  x86::Registers registers = from_general(general);
  std::memcpy(registers.xmm.data(), vector.xmm_space, sizeof registers.xmm);
  return registers;
}

bool write_registers(pid_t thread, const x86::Registers& registers) {
  user_regs_struct general{};
  user_fpregs_struct vector{};
  if (!read_general(thread, general) || ptrace(PTRACE_GETFPREGS, thread, nullptr, &vector) != 0) return false;
  to_general(registers, general);
  std::memcpy(vector.xmm_space, registers.xmm.data(), sizeof registers.xmm);
  return write_general(thread, general) && ptrace(PTRACE_SETFPREGS, thread, nullptr, &vector) == 0;
}

std::optional<int> wait_for(pid_t thread) {
  int status = 0;
  pid_t waited = 0;
  do {
    waited = waitpid(thread, &status, __WALL);
  } while (waited < 0 && errno == EINTR);
  if (waited != thread) return std::nullopt;
  return status;
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
