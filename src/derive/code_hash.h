// Which code costs are of. The hash is that of what a method and what it calls execute and of their marks,
// not of where it lies: the same object files linked into another program have it too.
#pragma once
#include "derive/graph.h"

namespace perfpact::derive {

/// Of the instructions in the order of the graph: their bytes but for addresses, the numbers of the
/// instructions that they lead to, and their marks. SHA-256 in hex.
[[nodiscard]] std::string code_sha256(const Code& code, const Graph& graph);

}  // namespace perfpact::derive
