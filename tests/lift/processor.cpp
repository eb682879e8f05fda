#include "processor.h"

#include <asm/prctl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"

namespace perfpact::lift {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::uint8_t kBreakpoint = 0xcc;
constexpr std::array<int, x86::kGprs> kGregs{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                             REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                             REG_R12, REG_R13, REG_R14, REG_R15};

// The host waits at a breakpoint of its own while the guest runs. Intel SDM vol. 1, 13.4: the area of a
// signal frame is that of xsave, whose header says which parts it holds.
constexpr std::size_t kFrameBytes = 512 + 64;
constexpr std::size_t kHeader = 512;
constexpr std::uint8_t kX87AndSse = 3;

struct Exchange {
  x86::Registers* registers = nullptr;  // null: no guest runs
  bool is_inside = false;
  int signal = 0;
  gregset_t host_registers{};
  std::array<std::uint8_t, kFrameBytes> host_frame{};
};
Exchange exchange;

void enter(ucontext_t& context) {
  auto& machine = context.uc_mcontext;
  std::memcpy(&exchange.host_registers, &machine.gregs, sizeof(gregset_t));
  std::memcpy(exchange.host_frame.data(), machine.fpregs, kFrameBytes);
  const x86::Registers& guest = *exchange.registers;
  for (std::size_t i = 0; i < x86::kGprs; ++i) machine.gregs[kGregs[i]] = static_cast<greg_t>(guest.gpr[i]);
  machine.gregs[REG_RIP] = static_cast<greg_t>(guest.rip);
  const auto others = static_cast<std::uint64_t>(machine.gregs[REG_EFL]) & ~kFlags;
  machine.gregs[REG_EFL] = static_cast<greg_t>(others | (guest.rflags & kFlags));
  std::memcpy(machine.fpregs->_xmm, guest.xmm.data(), sizeof(guest.xmm));
  reinterpret_cast<std::uint8_t*>(machine.fpregs)[kHeader] |= kX87AndSse;
  exchange.is_inside = true;
}

void come_back(ucontext_t& context, int signal) {
  auto& machine = context.uc_mcontext;
  x86::Registers& guest = *exchange.registers;
  for (std::size_t i = 0; i < x86::kGprs; ++i)
    guest.gpr[i] = static_cast<std::uint64_t>(machine.gregs[kGregs[i]]);
  const bool is_breakpoint = signal == SIGTRAP;
  guest.rip = static_cast<std::uint64_t>(machine.gregs[REG_RIP]) - (is_breakpoint ? 1 : 0);
  guest.rflags = static_cast<std::uint64_t>(machine.gregs[REG_EFL]) & kFlags;
  std::memcpy(guest.xmm.data(), machine.fpregs->_xmm, sizeof(guest.xmm));
  exchange.signal = is_breakpoint ? 0 : signal;
  exchange.is_inside = false;
  std::memcpy(&machine.gregs, &exchange.host_registers, sizeof(gregset_t));
  std::memcpy(machine.fpregs, exchange.host_frame.data(), kFrameBytes);
}

void on_signal(int signal, siginfo_t*, void* context) {
  auto& user = *static_cast<ucontext_t*>(context);
  if (exchange.is_inside) return come_back(user, signal);
  if (exchange.registers != nullptr && signal == SIGTRAP) return enter(user);
  // A fault of the test itself: it happens again, with the default action.
  ::signal(signal, SIG_DFL);
}

}  // namespace

Processor& Processor::instance() {
  static Processor processor;
  return processor;
}

Processor::Processor() {
  void* const pages = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  PERFPACT_CHECK(pages != MAP_FAILED, "no memory for code");
  pages_ = static_cast<std::uint8_t*>(pages);
  syscall(SYS_arch_prctl, ARCH_GET_FS, &fs_base_);
  syscall(SYS_arch_prctl, ARCH_SET_GS, gs_base());
  static std::array<std::uint8_t, 1 << 16> stack;
  const stack_t alternative{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGTRAP, SIGFPE, SIGILL, SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

std::uint64_t Processor::code() const {
  return reinterpret_cast<std::uint64_t>(pages_) + kPage / 2;
}

std::span<std::uint8_t> Processor::data() const {
  return {pages_ + kPage, kPage};
}

void Processor::put(std::span<const std::uint8_t> instruction) {
  std::memset(pages_, kBreakpoint, kPage);
  std::ranges::copy(instruction, pages_ + kPage / 2);
}

int Processor::run(x86::Registers& registers) {
  exchange.registers = &registers;
  asm volatile("int3" ::: "memory");
  exchange.registers = nullptr;
  return exchange.signal;
}

}  // namespace perfpact::lift
