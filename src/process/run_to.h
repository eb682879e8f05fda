// Lets a traced process run until one of its threads is about to execute an instruction.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <deque>
#include <utility>
#include <variant>
#include <vector>

#include "process/memory.h"
#include "process/process.h"

namespace perfpact::process {

/// How it ended. Where it was not reached the process may be gone.
struct Reached {
  pid_t thread = 0;  // it stops there; the others run on
};
struct Exited {
  int status = 0;
};
struct Killed {
  int signal = 0;
  std::uint64_t at = 0;           // where it came,
  std::vector<Mapping> mappings;  // and what was mapped; empty where unknown
};
struct TimeUp {};
struct Replaced {
  std::string program;
};
struct ReachedInChild {};
using RunEnd = std::variant<Reached, Exited, Killed, TimeUp, Replaced, ReachedInChild>;

/// Kills a process at a point in time, unless it ends before.
class Deadline {
 public:
  Deadline(int pid_file, std::chrono::milliseconds limit);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  [[nodiscard]] bool is_over() const;
  /// From now on it kills nothing; false where it has.
  [[nodiscard]] bool cancel();

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

/// Put into the code while it exists.
class Breakpoint {
 public:
  Breakpoint(pid_t thread, std::uint64_t address);
  ~Breakpoint();
  Breakpoint(const Breakpoint&) = delete;
  Breakpoint& operator=(const Breakpoint&) = delete;
  [[nodiscard]] std::uint64_t address() const { return address_; }

 private:
  MemoryWriter memory_;
  std::uint64_t address_;
  std::array<std::uint8_t, 1> code_{};
};

/// Lets this thread of the process `pid` go on; the others, and the processes that it makes, run under the
/// trace of the caller's thread.
[[nodiscard]] RunEnd run_to(pid_t pid, pid_t thread, const Breakpoint& breakpoint, const Deadline& deadline);

/// Stops of threads that were met while another was waited for: each with its status as wait(2) has it.
using Backlog = std::deque<std::pair<pid_t, int>>;
/// The same without a limit, `backlog` first; `thread` gets the signal as it goes on (0: none), and does not
/// where it is 0.
[[nodiscard]] RunEnd run_on(pid_t pid, pid_t thread, int signal, const Breakpoint& breakpoint,
                            Backlog& backlog);

/// Stops the other threads of a process for as long as it exists.
class OthersPaused {
 public:
  OthersPaused(pid_t pid, pid_t thread, Backlog& backlog);
  ~OthersPaused();
  OthersPaused(const OthersPaused&) = delete;
  OthersPaused& operator=(const OthersPaused&) = delete;

 private:
  std::vector<pid_t> paused_;
};

/// Whether the signal's default action ends a process as faulty.
[[nodiscard]] bool tells_fault(int signal);

/// Stops all threads of the process but this one, which stands already.
void stop_others(pid_t pid, pid_t thread);

}  // namespace perfpact::process
