// Maps memory into a stopped process that it knows nothing of.
#pragma once
#include <sys/types.h>

#include "process/process.h"

namespace perfpact::process {

/// With pages around it that cannot be accessed. Empty where the kernel gives none.
[[nodiscard]] Scratch map_scratch(pid_t thread, std::uint64_t syscall);

}  // namespace perfpact::process
