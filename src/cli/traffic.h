// `perfpact traffic`: makes a capture by a recipe.
//
//   fill: packets 0 to 65535
//   replies: packets 65536 to 165535, measured
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"

namespace perfpact::cli {

/// Writes Options::output, and the ports, phases and routes where they are asked for. Gives the exit status.
[[nodiscard]] Result<int> make_traffic(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
