#include "count/tool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

extern "C" {  // which glibc 2.36 leaves out
#include <sys/pidfd.h>
}

#include "count/diagnostics.h"
#include "process/diagnostics.h"
#include "process/launch.h"
#include "process/mappings.h"
#include "process/start.h"

namespace perfpact::count {
namespace {

constexpr std::string_view kName = "perfpact-amd64-linux";
constexpr std::size_t kBuffer = 1 << 16;

// Beside perfpact as it was built, else where it is installed.
std::filesystem::path find_directory() {
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::filesystem::path built = own / "valgrind-tool";
  if (std::filesystem::exists(built / kName, error)) return built;
  return own.parent_path() / "lib" / "perfpact" / "valgrind-tool";
}

std::vector<char*> as_pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// A name without a folder would be looked for along PATH.
std::string with_folder(const std::string& program) {
  return program.find('/') == std::string::npos ? "./" + program : program;
}

// All registers are in memory at every instruction; blocks end at every jump; nothing is read from the
// user's own settings of valgrind.
std::vector<std::string> command_line(const std::string& tool, int connection, const Options& options) {
  std::vector<std::string> texts{tool,
                                 "--command-line-only=yes",
                                 "-q",
                                 "--vgdb=no",
                                 "--log-file=/dev/null",
                                 "--run-libc-freeres=no",
                                 "--px-default=allregs-at-each-insn",
                                 "--px-file-backed=allregs-at-each-insn",
                                 "--vex-guest-chase=no",
                                 "--vex-iropt-unroll-thresh=0",
                                 fmt::format("--connection={}", connection),
                                 options.wants_profile ? "--profile=yes" : "--profile=no",
                                 with_folder(options.launch.program)};
  texts.insert(texts.end(), options.launch.arguments.begin(), options.launch.arguments.end());
  return texts;
}

// In the new process: only what is safe between fork(2) and execve(2).
[[noreturn]] void become(const char* tool, char* const* arguments, char* const* environment, int output) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (input > STDERR_FILENO) close(input);
  personality(ADDR_NO_RANDOMIZE);
  execve(tool, arguments, environment);
  _exit(127);
}

}  // namespace

Result<std::unique_ptr<Tool>> Tool::start(const Options& options, Diagnostics& diagnostics) {
  if (!process::is_program(options.launch.program, diagnostics))
    return std::unexpected(diagnostics.already_reported());
  if (access(options.launch.program.c_str(), X_OK) != 0)
    return std::unexpected(
        diagnostics.report(process::diag::kCannotStart, {}, options.launch.program, std::strerror(errno)));
  const std::filesystem::path directory =
      options.tool_directory.empty() ? find_directory() : std::filesystem::path(options.tool_directory);
  std::unique_ptr<Tool> tool(new Tool);
  tool->path_ = (directory / kName).string();
  if (access(tool->path_.c_str(), X_OK) != 0)
    return std::unexpected(diagnostics.report(diag::kNoTool, {}, tool->path_));

  int ends[2]{-1, -1};
  const auto cannot_start = [&] {
    return std::unexpected(diagnostics.report(diag::kToolFailed, {}, options.launch.program,
                                              fmt::format(": {}", std::strerror(errno))));
  };
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return cannot_start();
  tool->connection_ = ends[0];
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  tool->output_ = memfd_create("output", MFD_CLOEXEC);
  std::vector<std::string> texts = command_line(tool->path_, ends[1], options);
  const std::vector<char*> arguments = as_pointers(texts);
  std::vector<std::string> environment = process::program_environment();
  environment.push_back("VALGRIND_LIB=" + directory.string());
  environment.push_back("VALGRIND_LAUNCHER=" + tool->path_);
  const std::vector<char*> variables = as_pointers(environment);
  tool->pid_ = fork();
  if (tool->pid_ == 0) become(tool->path_.c_str(), arguments.data(), variables.data(), tool->output_);
  close(ends[1]);
  if (tool->pid_ < 0) return cannot_start();
  tool->pid_file_ = pidfd_open(tool->pid_, 0);
  return tool;
}

Tool::~Tool() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    (void)wait();
  }
  for (const int file : {pid_file_, connection_, output_})
    if (file >= 0) close(file);
}

bool Tool::receive(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    if (used_ == received_.size()) {
      received_.resize(kBuffer);
      ssize_t size = 0;
      do {
        size = read(connection_, received_.data(), received_.size());
      } while (size < 0 && errno == EINTR);
      received_.resize(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
      used_ = 0;
      if (received_.empty()) return false;
    }
    const std::size_t size = std::min(bytes.size(), received_.size() - used_);
    std::memcpy(bytes.data(), received_.data() + used_, size);
    used_ += size;
    bytes = bytes.subspan(size);
  }
  return true;
}

void Tool::answer(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t size = send(connection_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;  // it is gone, as the next receive() shows
    bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
}

bool Tool::sends_before_replaced() const {
  constexpr int kWait = 5;  // milliseconds
  while (used_ == received_.size()) {
    pollfd readable{connection_, POLLIN, 0};
    if (poll(&readable, 1, kWait) != 0) return true;
    if (!replaced_by().empty()) return false;
  }
  return true;
}

std::string Tool::replaced_by() const {
  std::error_code error;
  const std::string now = process::executable_of(pid_);
  return std::filesystem::equivalent(now, path_, error) || error ? "" : now;
}

process::RunEnd Tool::wait() {
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(pid_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  pid_ = 0;
  if (ended < 0 || WIFSIGNALED(status)) return process::Killed{ended < 0 ? SIGKILL : WTERMSIG(status), 0, {}};
  return process::Exited{WEXITSTATUS(status)};
}

std::string Tool::output() const {
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, lseek(output_, 0, SEEK_END))), '\0');
  const ssize_t size = pread(output_, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
  return text;
}

}  // namespace perfpact::count
