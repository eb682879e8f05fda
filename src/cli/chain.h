// `perfpact chain`: what packets cost in a chain of programs.
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"

namespace perfpact::cli {

/// Explores the nodes, combines their paths, prints the chain's contract; with `--verify` runs the packet of
/// every path through all nodes (one that does otherwise is our own bug). Gives the exit status: kExitGaps
/// when something was not explored.
[[nodiscard]] Result<int> find_chain_contract(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
