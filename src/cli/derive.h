// `perfpact derive`: a contract pack from the machine code of a program.
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"

namespace perfpact::cli {

/// Derives, holds the formulas to a run where one is asked for, writes Options::output and prints a table.
/// Nothing is written where a method cannot be derived. Gives the exit status.
[[nodiscard]] Result<int> derive_pack(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
