// `perfpact diff`: what got dearer from one program, or contract, to the other.
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"

namespace perfpact::cli {

/// Gives the exit status: kExitNo where something is dearer than --allow says, else kExitGaps where one of
/// the contracts is incomplete.
[[nodiscard]] Result<int> find_differences(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
