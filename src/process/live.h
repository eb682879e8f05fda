// A native program that is run as a whole, call by call of its entry: it stops as the entry is called, is
// stepped through the call, and runs on at full speed to the next.
//
//   auto program = LiveProcess::start(launch, diagnostics);       // stands at the first call
//   do program->walk(visitor);                                    // until the visitor has enough
//   while (std::holds_alternative<Reached>(program->run_on()));
//
// It is started as Process is, but nothing of it is changed: memory that it shares stays shared, other
// threads run. Calls by several threads come one after the other: a thread that reaches the entry while
// another is stepped waits. Signals that a thread gets while it is stepped come after the call; those that
// an instruction of its own causes end the walk.
//
// To be used by the thread that made it. Tested by tests/count.
#pragma once
#include "process/run_to.h"
#include "process/start.h"
#include "process/stepper.h"

namespace perfpact::process {

class LiveProcess {
 public:
  [[nodiscard]] static Result<std::unique_ptr<LiveProcess>> start(const Launch& launch,
                                                                  Diagnostics& diagnostics);

  [[nodiscard]] const Tracee& tracee() const { return *tracee_; }
  /// The thread that stands at the entry.
  [[nodiscard]] pid_t thread() const { return tracee_->thread; }

  /// What sees each instruction.
  class Visitor {
   public:
    virtual ~Visitor() = default;
    /// The thread stands before an instruction; false ends the walk there.
    virtual bool arrive(const user_regs_struct& registers) = 0;
    /// It is about to execute `step`, or an iteration of it; `is_first` unless the one before was an
    /// iteration of the same execution.
    virtual void execute(const user_regs_struct& registers, const Step& step, bool is_first) = 0;
    /// It was executed, or an iteration of it, with these loads and stores.
    virtual void executed(const Counts& counts) = 0;
  };
  struct WalkEnd {
    /// Signal: an instruction caused it, which does not count. Gone: the thread has ended, or its program was
    /// replaced. NotDecoded: it came to an instruction that cannot be counted.
    enum class How : std::uint8_t { Stopped, Signal, Gone, NotDecoded };
    How how{};
    int signal = 0;
    std::uint64_t at = 0;
  };
  [[nodiscard]] WalkEnd walk(Visitor& visitor);

  /// Lets the program run to the next call of the entry.
  [[nodiscard]] RunEnd run_on();

  /// The bytes of code as they are without the breakpoint at the entry; false where they are not readable.
  [[nodiscard]] bool read_code(std::uint64_t address, std::span<std::uint8_t> bytes) const;
  /// Of the thread that stands.
  [[nodiscard]] bool write_registers(const x86::Registers& registers) const;
  [[nodiscard]] bool write_memory(std::uint64_t address, std::span<const std::uint8_t> bytes) const;

 private:
  explicit LiveProcess(std::unique_ptr<Tracee> tracee);
  [[nodiscard]] std::optional<WalkEnd> step(const user_regs_struct& registers, Step::Kind kind);
  [[nodiscard]] std::optional<WalkEnd> step_over_breakpoint(const user_regs_struct& registers,
                                                            Step::Kind kind);
  [[nodiscard]] Step step_at(std::uint64_t address);

  std::unique_ptr<Tracee> tracee_;
  PageCache code_;
  StepCache steps_;
  MemoryWriter memory_;
  std::optional<Breakpoint> breakpoint_;
  Backlog backlog_;
  std::vector<int> held_signals_;  // of the thread that is stepped
  int signal_ = 0;                 // that an instruction of it caused
  std::optional<int> end_;         // how the process ended, where stepping saw it
};

}  // namespace perfpact::process
