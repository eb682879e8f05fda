// Memory that a process shares, with others or with a file, is made its own, so that what its copies write
// reaches nobody.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "process/process.h"

namespace perfpact::process {

/// Of a process that will not run any more, by the `syscall` instruction at this address. Gives the files of
/// what stays shared, since it cannot be read as a whole.
[[nodiscard]] std::vector<std::string> make_memory_private(pid_t thread, const std::vector<Mapping>& mappings,
                                                           std::uint64_t syscall);

}  // namespace perfpact::process
