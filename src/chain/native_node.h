// A native program as a node of a chain.
#pragma once
#include "chain/node.h"

namespace perfpact::chain {

[[nodiscard]] Result<std::unique_ptr<Node>> make_native_node(const NodeSpec& spec,
                                                             const ExploreLimits& limits,
                                                             Diagnostics& diagnostics);

}  // namespace perfpact::chain
