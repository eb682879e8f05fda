#include "process/start.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "process/diagnostics.h"
#include "process/entry.h"
#include "process/indirect.h"
#include "process/inject.h"
#include "process/launch.h"
#include "process/mappings.h"
#include "process/memory.h"
#include "process/private_memory.h"
#include "process/run_to.h"
#include "process/scratch.h"

namespace perfpact::process {
namespace {

constexpr std::size_t kShownLines = 5;

struct File {
  int number = -1;
  ~File() {
    if (number >= 0) close(number);
  }
};

std::string read_all(int file) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, lseek(file, 0, SEEK_END))), '\0');
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
  return text;
}

// The end of what a program wrote, indented.
std::string last_lines(std::string_view output) {
  while (output.ends_with('\n')) output.remove_suffix(1);
  std::size_t begin = output.size();
  for (std::size_t lines = 0; lines < kShownLines && begin != std::string_view::npos && begin > 0; ++lines)
    begin = output.rfind('\n', begin - 1);
  std::string text;
  for (const char c : output.substr(begin == std::string_view::npos ? 0 : begin)) {
    text += c;
    if (c == '\n') text += "    ";
  }
  return text.starts_with('\n') ? text : "\n    " + text;
}

bool ends_process(const RunEnd& end) {
  return std::holds_alternative<Exited>(end) || std::holds_alternative<Killed>(end) ||
         std::holds_alternative<TimeUp>(end);
}

}  // namespace

bool is_program(const std::string& path, Diagnostics& diagnostics) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  const auto cannot_start = [&](const std::string& reason) {
    diagnostics.report(diag::kCannotStart, {}, path, reason);
    return false;
  };
  if (!std::filesystem::exists(status)) return cannot_start("no such file");
  if (!std::filesystem::is_regular_file(status)) return cannot_start("it is no file");
  std::string beginning(64, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) return cannot_start(std::strerror(errno));
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  if (const std::optional<NoProgram> why = why_no_program(beginning)) {
    diagnostics.report(why->is_elf ? diag::kWrongMachine : diag::kNotElf, {}, path, why->what);
    return false;
  }
  return true;
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

void note_output(const std::string& output, Diagnostics& diagnostics) {
  if (!output.empty()) diagnostics.note({}, "the end of its output:" + last_lines(output));
}

std::string Tracee::output() const {
  return read_all(output_);
}

Tracee::~Tracee() {
  if (output_ >= 0) close(output_);
  if (!is_alive) return;
  kill(pid, SIGKILL);
  int status = 0;
  while (true) {
    const pid_t stopped = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (stopped < 0 && errno != EINTR) return;
    if (stopped == pid && !WIFSTOPPED(status)) return;
  }
}

class Starter {
 public:
  Starter(const Launch& launch, Purpose purpose, Diagnostics& diagnostics)
      : launch_(launch), purpose_(purpose), diagnostics_(diagnostics) {}

  Result<std::unique_ptr<Tracee>> start() {
    if (!is_program(launch_.program, diagnostics_)) return std::unexpected(diagnostics_.already_reported());
    const auto launched = launch(launch_);
    if (!launched)
      return std::unexpected(diagnostics_.report(diag::kCannotStart, {}, launch_.program, launched.error()));
    const File pid_file{launched->pid_file};
    tracee_.reset(new Tracee(launched->pid, launched->output));
    program_ = executable_of(tracee_->pid);
    const bool reached = run_to_entry(pid_file.number);
    if (!reached) return std::unexpected(diagnostics_.already_reported());
    tracee_->syscall = find_syscall_instruction(tracee_->thread, tracee_->mappings);
    if (purpose_ == Purpose::Keep) keep_memory();
    resolve_indirect_functions(*tracee_);
    return std::move(tracee_);
  }

 private:
  bool run_to_entry(int pid_file) {
    const AuxiliaryVector vector = read_auxiliary_vector(tracee_->pid);
    fix_randomness(vector);
    Deadline deadline(pid_file, launch_.time_limit);
    {
      const Breakpoint loaded(tracee_->thread, vector.entry);
      if (!run(loaded, deadline)) return false;
    }
    read_modules();
    const Result<std::uint64_t> entry =
        resolve_entry(launch_.program, launch_.entry, tracee_->modules, tracee_->mappings, diagnostics_);
    if (!entry) return false;
    tracee_->entry = *entry;
    if (*entry != vector.entry) {
      const Breakpoint breakpoint(tracee_->thread, *entry);
      if (!run(breakpoint, deadline)) return false;
      if (purpose_ == Purpose::Keep) stop_others(tracee_->pid, tracee_->thread);
    }
    if (!deadline.cancel()) {
      report(TimeUp{});
      return false;
    }
    read_modules();
    return true;
  }

  void keep_memory() {
    for (const std::string& file : make_memory_private(tracee_->thread, tracee_->mappings, tracee_->syscall))
      diagnostics_.report(diag::kStaysShared, {}, launch_.program, file);
    tracee_->scratch = map_scratch(tracee_->thread, tracee_->syscall);
  }

  // Of stack protectors and the like.
  void fix_randomness(const AuxiliaryVector& vector) const {
    constexpr std::array<std::uint8_t, 16> kBytes{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                                  0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
    (void)MemoryWriter(tracee_->pid).write(vector.random, kBytes);
  }

  void read_modules() {
    tracee_->mappings = read_mappings(tracee_->thread);
    tracee_->modules = Modules(program_, tracee_->mappings, tracee_->thread);
  }

  bool run(const Breakpoint& breakpoint, const Deadline& deadline) {
    const RunEnd end = run_to(tracee_->pid, tracee_->thread, breakpoint, deadline);
    if (const auto* reached = std::get_if<Reached>(&end); reached != nullptr && !deadline.is_over()) {
      tracee_->thread = reached->thread;
      return true;
    }
    std::visit([this](const auto& how) { report(how); }, deadline.is_over() ? RunEnd(TimeUp{}) : end);
    tracee_->is_alive = !ends_process(end);
    note_output(tracee_->output(), diagnostics_);
    return false;
  }

  void report(const Reached&) const {}
  void report(const Exited& end) const {
    diagnostics_.report(diag::kExited, {}, launch_.program, end.status, launch_.entry);
  }
  void report(const Killed& end) const {
    const Modules modules(program_, end.mappings, tracee_->pid);
    const std::string place =
        end.mappings.empty() ? "an unknown place" : modules.describe(end.at, end.mappings);
    diagnostics_.report(diag::kKilled, {}, launch_.program, signal_name(end.signal), place, launch_.entry);
  }
  void report(const TimeUp&) const {
    diagnostics_.report(diag::kTimeLimit, {}, launch_.program, launch_.entry, launch_.time_limit.count());
  }
  void report(const Replaced& end) const {
    diagnostics_.report(diag::kReplaced, {}, launch_.program, end.program, launch_.entry);
  }
  void report(const ReachedInChild&) const {
    diagnostics_.report(diag::kEntryInChild, {}, launch_.program, launch_.entry);
  }

  const Launch& launch_;
  Purpose purpose_;
  Diagnostics& diagnostics_;
  std::unique_ptr<Tracee> tracee_;
  std::string program_;  // its path as the kernel has it
};

Result<std::unique_ptr<Tracee>> start_at_entry(const Launch& launch, Purpose purpose,
                                               Diagnostics& diagnostics) {
  return Starter(launch, purpose, diagnostics).start();
}

}  // namespace perfpact::process
