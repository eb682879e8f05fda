// /proc/pid/maps.
#pragma once
#include <sys/types.h>

#include <string_view>
#include <vector>

#include "process/process.h"

namespace perfpact::process {

/// By rising address; empty where the process is gone.
[[nodiscard]] std::vector<Mapping> read_mappings(pid_t pid);
/// The one that holds the address; null where none does.
[[nodiscard]] const Mapping* find_mapping(const std::vector<Mapping>& mappings, std::uint64_t address);

/// The path of the program it runs, as the kernel has it.
[[nodiscard]] std::string executable_of(pid_t pid);

}  // namespace perfpact::process
