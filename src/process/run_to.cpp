#include "process/run_to.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

extern "C" {  // which glibc 2.36 leaves out
#include <sys/pidfd.h>
}

#include "process/mappings.h"
#include "process/ptrace.h"

namespace perfpact::process {

struct Deadline::Watch {
  std::mutex mutex;
  std::condition_variable_any ended;
  bool over = false;
  bool is_cancelled = false;
  std::jthread thread;
};

Deadline::Deadline(int pid_file, std::chrono::milliseconds limit) : watch_(std::make_unique<Watch>()) {
  watch_->thread = std::jthread([watch = watch_.get(), pid_file, limit](const std::stop_token& stop) {
    std::unique_lock lock(watch->mutex);
    watch->ended.wait_for(lock, stop, limit, [] { return false; });
    if (stop.stop_requested() || watch->is_cancelled) return;
    watch->over = true;
    pidfd_send_signal(pid_file, SIGKILL, nullptr, 0);
  });
}

Deadline::~Deadline() = default;

bool Deadline::cancel() {
  const std::lock_guard lock(watch_->mutex);
  watch_->is_cancelled = true;
  return !watch_->over;
}

bool Deadline::is_over() const {
  const std::lock_guard lock(watch_->mutex);
  return watch_->over;
}

namespace {

bool is_thread_of(pid_t pid, pid_t thread) {
  return access(fmt::format("/proc/{}/task/{}", pid, thread).c_str(), F_OK) == 0;
}

// One process, and those it makes, on their way to a breakpoint.
class Runner {
 public:
  /// `deadline` may be null.
  Runner(pid_t pid, std::uint64_t address, const Deadline* deadline)
      : pid_(pid), address_(address), deadline_(deadline) {}

  RunEnd run(pid_t thread, int signal, Backlog& backlog) {
    if (tells_fault(signal)) note_fault(thread, signal);
    if (thread != 0) resume(thread, signal);
    for (; !backlog.empty(); backlog.pop_front())
      if (const auto end = at(backlog.front().first, backlog.front().second)) {
        backlog.pop_front();
        return *end;
      }
    while (true) {
      int status = 0;
      const pid_t stopped = waitpid(-1, &status, __WALL | __WNOTHREAD);
      if (stopped < 0 && errno == EINTR) continue;
      if (stopped < 0) return killed(SIGKILL);
      if (const auto end = at(stopped, status)) return *end;
    }
  }

 private:
  std::optional<RunEnd> at(pid_t thread, int status) {
    return WIFSTOPPED(status) ? at_stop(thread, status) : at_end(thread, status);
  }

  static void resume(pid_t thread, int signal) { ptrace(PTRACE_CONT, thread, nullptr, signal); }

  std::optional<RunEnd> at_end(pid_t ended, int status) const {
    if (ended != pid_) return std::nullopt;
    if (WIFEXITED(status)) return Exited{WEXITSTATUS(status)};
    return killed(WTERMSIG(status));
  }

  [[nodiscard]] RunEnd killed(int signal) const {
    if (deadline_ != nullptr && deadline_->is_over()) return TimeUp{};
    if (signal == fault_.signal) return fault_;
    return Killed{signal, 0, {}};
  }

  std::optional<RunEnd> at_stop(pid_t thread, int status) {
    const int event = status >> 16;
    const int signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_EXEC && thread == pid_) return Replaced{executable_of(pid_)};
    if (event != 0) {
      resume(thread, 0);  // a new thread or process, or a group stop, which is not kept
      return std::nullopt;
    }
    if (signal == SIGTRAP && stands_at_breakpoint(thread)) {
      if (!is_thread_of(pid_, thread)) return ReachedInChild{};
      step_back(thread);
      return Reached{thread};
    }
    if (tells_fault(signal) && is_thread_of(pid_, thread)) note_fault(thread, signal);
    resume(thread, signal);
    return std::nullopt;
  }

  [[nodiscard]] bool stands_at_breakpoint(pid_t thread) const {
    user_regs_struct registers{};
    return read_general(thread, registers) && registers.rip == address_ + 1;
  }

  void step_back(pid_t thread) const {
    user_regs_struct registers{};
    if (!read_general(thread, registers)) return;
    registers.rip = address_;
    (void)write_general(thread, registers);
  }

  void note_fault(pid_t thread, int signal) {
    user_regs_struct registers{};
    if (read_general(thread, registers)) fault_ = {signal, registers.rip, read_mappings(thread)};
  }

  pid_t pid_;
  std::uint64_t address_;
  const Deadline* deadline_;
  Killed fault_;
};

std::set<pid_t> threads_of(pid_t pid) {
  std::set<pid_t> threads;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid), gone))
    threads.insert(std::stoi(entry.path().filename().string()));
  return threads;
}

// A leader that has ended while other threads run stays as a zombie, which does not stop.
bool is_zombie(pid_t pid, pid_t thread) {
  std::ifstream file(fmt::format("/proc/{}/task/{}/stat", pid, thread));
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  return name_end == std::string::npos || text.substr(name_end + 1, 2) == " Z";
}

}  // namespace

Breakpoint::Breakpoint(pid_t thread, std::uint64_t address) : memory_(thread), address_(address) {
  constexpr std::array<std::uint8_t, 1> kInt3{0xcc};
  // Where this fails the process is gone, or has no code there: it will not be reached.
  if (read_memory(thread, address, code_)) (void)memory_.write(address, kInt3);
}

Breakpoint::~Breakpoint() {
  (void)memory_.write(address_, code_);
}

RunEnd run_to(pid_t pid, pid_t thread, const Breakpoint& breakpoint, const Deadline& deadline) {
  Backlog none;
  return Runner(pid, breakpoint.address(), &deadline).run(thread, 0, none);
}

RunEnd run_on(pid_t pid, pid_t thread, int signal, const Breakpoint& breakpoint, Backlog& backlog) {
  return Runner(pid, breakpoint.address(), nullptr).run(thread, signal, backlog);
}

bool tells_fault(int signal) {
  constexpr std::array kFaults{SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                               SIGFPE,  SIGSEGV, SIGXCPU, SIGXFSZ, SIGSYS};
  return std::ranges::find(kFaults, signal) != kFaults.end();
}

OthersPaused::OthersPaused(pid_t pid, pid_t thread, Backlog& backlog) {
  const std::set<pid_t> threads = threads_of(pid);
  if (threads.size() == 1) return;
  for (const pid_t other : threads) {
    const bool stands = other == thread || is_zombie(pid, other) ||
                        std::ranges::any_of(backlog, [&](const auto& stop) { return stop.first == other; });
    if (stands || ptrace(PTRACE_INTERRUPT, other, nullptr, nullptr) != 0) continue;
    const std::optional<int> status = wait_for(other);
    if (status && WIFSTOPPED(*status) && *status >> 16 == PTRACE_EVENT_STOP)
      paused_.push_back(other);
    else if (status)
      backlog.emplace_back(other, *status);
  }
}

OthersPaused::~OthersPaused() {
  for (const pid_t other : paused_) ptrace(PTRACE_CONT, other, nullptr, 0);
}

void stop_others(pid_t pid, pid_t thread) {
  std::set<pid_t> stopped{thread};
  for (bool found_new = true; found_new;) {
    found_new = false;
    for (const pid_t other : threads_of(pid)) {
      if (stopped.contains(other) || is_zombie(pid, other)) continue;
      ptrace(PTRACE_INTERRUPT, other, nullptr, nullptr);
      (void)wait_for(other);
      stopped.insert(other);
      found_new = true;
    }
  }
}

}  // namespace perfpact::process
