// `perfpact measure memory`.
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"

namespace perfpact::cli {

[[nodiscard]] Result<int> measure_memory(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
