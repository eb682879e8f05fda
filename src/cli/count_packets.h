// `perfpact count`: what the packets of a native program cost as it runs for real.
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"

namespace perfpact::cli {

/// Runs the program and prints a line for each packet, or a summary. Gives the exit status: kExitGaps where
/// a packet could not be counted to its end.
[[nodiscard]] Result<int> count_packets(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
