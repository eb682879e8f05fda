// Starts a program under ptrace(2), in a state that is the same from run to run.
#pragma once
#include <sys/types.h>

#include <expected>
#include <string>
#include <vector>

#include "process/process.h"

namespace perfpact::process {

/// A program that stands behind its execve(2), before its first instruction.
struct Launched {
  pid_t pid = 0;
  int pid_file = -1;  // pidfd_open(2)
  int output = -1;    // memfd_create(2): standard output and error
};

/// The error says why it cannot be started. The files are the caller's to close.
[[nodiscard]] std::expected<Launched, std::string> launch(const Launch& launch);

/// The environment in which a program runs the same from run to run, "NAME=value".
[[nodiscard]] std::vector<std::string> program_environment();

/// Entries of the auxiliary vector (getauxval(3)).
struct AuxiliaryVector {
  std::uint64_t entry = 0;   // of the program, behind the dynamic linker
  std::uint64_t random = 0;  // address of 16 random bytes
};
[[nodiscard]] AuxiliaryVector read_auxiliary_vector(pid_t pid);

}  // namespace perfpact::process
