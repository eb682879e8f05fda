// A P4 program as a node of a chain.
#pragma once
#include "chain/node.h"

namespace perfpact::chain {

[[nodiscard]] Result<std::unique_ptr<Node>> make_p4_node(const NodeSpec& spec, const ExploreLimits& limits,
                                                         Diagnostics& diagnostics);

}  // namespace perfpact::chain
