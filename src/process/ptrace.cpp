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

}  // namespace perfpact::process
