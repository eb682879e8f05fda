// `perfpact paths`: every execution path of a program, each with a packet that takes it.
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"
#include "p4/core/core.h"

namespace perfpact::cli {

/// Explores, runs every witness through the reference interpreter (one that takes another path is our own
/// bug), prints. Gives the exit status: kExitGaps when something was not explored.
[[nodiscard]] Result<int> find_paths(const p4::core::Program& program, const Options& options,
                                     Diagnostics& diagnostics);

}  // namespace perfpact::cli
