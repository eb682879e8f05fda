// System calls made in the name of a stopped process.
#pragma once
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "process/process.h"

namespace perfpact::process {

/// The address of a `syscall` instruction, which every program has, for it could not end otherwise.
[[nodiscard]] std::uint64_t find_syscall_instruction(pid_t pid, const std::vector<Mapping>& mappings);

/// What a system call made in a stopped thread gave.
struct Injected {
  std::int64_t result = 0;
  pid_t child = 0;  // the traced process it made
};
/// Has the thread make a system call by the `syscall` instruction at this address, with all its signals
/// blocked; its registers and signal mask are then what they were. Nothing where the thread was killed.
[[nodiscard]] std::optional<Injected> inject_syscall(pid_t thread, std::uint64_t instruction, long number,
                                                     const std::array<std::uint64_t, 6>& arguments);

}  // namespace perfpact::process
