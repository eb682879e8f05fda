#include "process/live.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "process/mappings.h"
#include "process/ptrace.h"
#include "x86/decode.h"

namespace perfpact::process {
namespace {

// Whether the kernel sent the signal for what the thread itself did.
bool is_caused_by_instruction(pid_t thread, int signal) {
  siginfo_t information{};
  return tells_fault(signal) && ptrace(PTRACE_GETSIGINFO, thread, nullptr, &information) == 0 &&
         information.si_code > 0;
}

}  // namespace

LiveProcess::LiveProcess(std::unique_ptr<Tracee> tracee)
    : tracee_(std::move(tracee)),
      code_(tracee_->pid),
      steps_(code_, tracee_->mappings),
      memory_(tracee_->pid) {
  // The entry's page is kept as it is without the breakpoint.
  std::array<std::uint8_t, x86::kLongestInstruction> bytes{};
  (void)code_.read(tracee_->entry, bytes);
  breakpoint_.emplace(thread(), tracee_->entry);
}

Result<std::unique_ptr<LiveProcess>> LiveProcess::start(const Launch& launch, Diagnostics& diagnostics) {
  Result<std::unique_ptr<Tracee>> tracee = start_at_entry(launch, Purpose::RunOn, diagnostics);
  if (!tracee) return std::unexpected(tracee.error());
  return std::unique_ptr<LiveProcess>(new LiveProcess(std::move(*tracee)));
}

LiveProcess::WalkEnd LiveProcess::walk(Visitor& visitor) {
  using How = WalkEnd::How;
  user_regs_struct registers{};
  std::uint64_t repeating = 0;  // address of an instruction that is between two iterations
  while (read_general(thread(), registers)) {
    const std::uint64_t address = registers.rip;
    if (!visitor.arrive(registers)) return {.how = How::Stopped};
    const Step step = step_at(address);
    const bool repeats = step.kind == Step::Kind::Repeats || step.kind == Step::Kind::Repeats32;
    const bool is_first = !repeats || address != repeating;
    if (step.kind == Step::Kind::NoInstruction) return {.how = How::NotDecoded, .at = address};
    visitor.execute(registers, step, is_first);
    const bool is_idle = has_no_iteration(step, registers);
    const auto end = address == tracee_->entry ? step_over_breakpoint(registers, step.kind)
                                               : this->step(registers, step.kind);
    if (end) return *end;
    if (step.kind == Step::Kind::PushFlags) {
      if (!read_general(thread(), registers)) break;
      hide_trap_flag(memory_, thread(), registers);
    }
    visitor.executed({1, is_idle ? 0 : step.loads, is_idle ? 0 : step.stores});
    repeating = repeats ? address : 0;
  }
  return {.how = How::Gone};
}

Step LiveProcess::step_at(std::uint64_t address) {
  const Step* kept = steps_.find(address);
  return kept != nullptr ? *kept : read_step(thread(), address);
}

std::optional<LiveProcess::WalkEnd> LiveProcess::step_over_breakpoint(const user_regs_struct& registers,
                                                                      Step::Kind kind) {
  const OthersPaused paused(tracee_->pid, thread(), backlog_);
  breakpoint_.reset();
  const auto end = step(registers, kind);
  breakpoint_.emplace(thread(), tracee_->entry);
  return end;
}

std::optional<LiveProcess::WalkEnd> LiveProcess::step(const user_regs_struct& registers, Step::Kind kind) {
  using How = WalkEnd::How;
  while (true) {
    if (ptrace(PTRACE_SINGLESTEP, thread(), nullptr, nullptr) != 0) return WalkEnd{.how = How::Gone};
    const std::optional<int> status = wait_for(thread());
    if (!status || !WIFSTOPPED(*status)) {
      if (status && thread() == tracee_->pid) end_ = status;
      return WalkEnd{.how = How::Gone};
    }
    if (*status >> 16 == PTRACE_EVENT_EXEC) {
      backlog_.emplace_back(thread(), *status);
      return WalkEnd{.how = How::Gone};
    }
    if (*status >> 16 != 0) continue;  // a new thread or process, a group stop: nothing was executed
    const int signal = WSTOPSIG(*status);
    if (signal == SIGTRAP && kind != Step::Kind::Traps) return std::nullopt;
    if (signal == SIGTRAP || is_caused_by_instruction(thread(), signal)) {
      signal_ = signal;
      return WalkEnd{.how = How::Signal, .signal = signal, .at = registers.rip};
    }
    held_signals_.push_back(signal);
  }
}

RunEnd LiveProcess::run_on() {
  const pid_t stood = std::exchange(tracee_->thread, tracee_->pid);
  RunEnd end = Killed{SIGKILL, 0, {}};
  if (end_) {
    end = WIFEXITED(*end_) ? RunEnd(Exited{WEXITSTATUS(*end_)}) : RunEnd(Killed{WTERMSIG(*end_), 0, {}});
  } else {
    for (const int signal : std::exchange(held_signals_, {}))
      syscall(SYS_tgkill, tracee_->pid, stood, signal);
    end = process::run_on(tracee_->pid, stood, std::exchange(signal_, 0), *breakpoint_, backlog_);
  }
  if (const auto* reached = std::get_if<Reached>(&end)) tracee_->thread = reached->thread;
  tracee_->is_alive = !std::holds_alternative<Exited>(end) && !std::holds_alternative<Killed>(end);
  return end;
}

bool LiveProcess::read_code(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  const Mapping* mapping = find_mapping(tracee_->mappings, address);
  const bool is_fixed = mapping != nullptr && mapping->executable && !mapping->writable;
  return is_fixed ? code_.read(address, bytes) : read_memory(thread(), address, bytes);
}

bool LiveProcess::write_registers(const x86::Registers& registers) const {
  return process::write_registers(thread(), registers);
}

bool LiveProcess::write_memory(std::uint64_t address, std::span<const std::uint8_t> bytes) const {
  return memory_.write(address, bytes);
}

}  // namespace perfpact::process
