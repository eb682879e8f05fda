// Where the entry that a user names lies.
#pragma once
#include "base/diagnostics.h"
#include "process/symbols.h"

namespace perfpact::process {

/// `entry` as Launch has it, or with `module!` before it. The address lies in code.
[[nodiscard]] Result<std::uint64_t> resolve_entry(const std::string& program, std::string_view entry,
                                                  const Modules& modules,
                                                  const std::vector<Mapping>& mappings,
                                                  Diagnostics& diagnostics);

}  // namespace perfpact::process
