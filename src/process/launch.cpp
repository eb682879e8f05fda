#include "process/launch.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

extern "C" {  // which glibc 2.36 leaves out
#include <sys/pidfd.h>
}

#include "process/ptrace.h"

namespace perfpact::process {
namespace {

// The C library's string functions for processors without these, so that a run does not depend on the
// processor and keeps to instructions of x86-64; no restartable sequences, for which the kernel writes the
// number of the processor to memory (glibc manual, "Tunables").
constexpr std::string_view kTunables =
    "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-SSSE3,"
    "-SSE4_1,-SSE4_2,-BMI1,-BMI2,-LZCNT,-MOVBE,-RTM:glibc.pthread.rseq=0";

std::vector<char*> as_pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
  int ends[2];  // read, write
};

// In the new process: only what is safe between fork(2) and execve(2).
[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment, int output,
                         Pipe& gate, Pipe& failure) {
  char byte = 0;
  close(gate.ends[1]);
  if (read(gate.ends[0], &byte, 1) != 1) _exit(0);
  setpgid(0, 0);
  const int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (input > STDERR_FILENO) close(input);
  personality(ADDR_NO_RANDOMIZE);
  execve(program, arguments, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure.ends[1], &error, sizeof error);
  _exit(127);
}

// Why the traced process did not become the program; nothing where it did.
std::optional<std::string> why_not_started(pid_t pid, Pipe& failure) {
  failure.close_end(1);
  const std::optional<int> status = wait_for(pid);
  if (status && WIFSTOPPED(*status) && *status >> 8 == (SIGTRAP | (PTRACE_EVENT_EXEC << 8)))
    return std::nullopt;
  int error = 0;
  if (read(failure.ends[0], &error, sizeof error) == sizeof error) return std::strerror(error);
  return "it ended at once";
}

}  // namespace

std::vector<std::string> program_environment() {
  std::vector<std::string> texts;
  std::string tunables(kTunables);
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    if (variable.starts_with("GLIBC_TUNABLES="))
      tunables = fmt::format("{}:{}", variable.substr(variable.find('=') + 1), kTunables);
    else if (!variable.starts_with("LD_BIND_NOW="))
      texts.emplace_back(variable);
  }
  texts.push_back("LD_BIND_NOW=1");
  texts.push_back("GLIBC_TUNABLES=" + tunables);
  return texts;
}

std::expected<Launched, std::string> launch(const Launch& launch) {
  std::vector<std::string> texts{launch.program};
  texts.insert(texts.end(), launch.arguments.begin(), launch.arguments.end());
  const std::vector<char*> arguments = as_pointers(texts);
  std::vector<std::string> environment = program_environment();
  const std::vector<char*> variables = as_pointers(environment);
  Pipe gate, failure;

  Launched launched;
  launched.output = memfd_create("output", MFD_CLOEXEC);
  launched.pid = fork();
  if (launched.pid == 0)
    become(texts.front().c_str(), arguments.data(), variables.data(), launched.output, gate, failure);

  const auto give_up = [&](std::string reason) -> std::unexpected<std::string> {
    close(launched.output);
    if (launched.pid_file >= 0) close(launched.pid_file);
    return std::unexpected(std::move(reason));
  };
  if (launched.pid < 0) return give_up(std::strerror(errno));
  launched.pid_file = pidfd_open(launched.pid, 0);
  constexpr long kOptions = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                            PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
  if (ptrace(PTRACE_SEIZE, launched.pid, nullptr, kOptions) != 0) {
    const std::string reason = fmt::format("ptrace: {}", std::strerror(errno));
    gate.close_end(1);
    (void)wait_for(launched.pid);
    return give_up(reason);
  }
  [[maybe_unused]] const ssize_t opened = write(gate.ends[1], "", 1);
  if (auto reason = why_not_started(launched.pid, failure)) return give_up(std::move(*reason));
  return launched;
}

AuxiliaryVector read_auxiliary_vector(pid_t pid) {
  AuxiliaryVector vector;
  std::ifstream file(fmt::format("/proc/{}/auxv", pid), std::ios::binary);
  for (Elf64_auxv_t at{}; file.read(reinterpret_cast<char*>(&at), sizeof at);) {
    if (at.a_type == AT_ENTRY) vector.entry = at.a_un.a_val;
    if (at.a_type == AT_RANDOM) vector.random = at.a_un.a_val;
  }
  return vector;
}

}  // namespace perfpact::process
