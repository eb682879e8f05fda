// Where a procedure can come back to: every cycle of its blocks goes through a loop head.
#pragma once
#include <vector>

#include "p4/core/core.h"

namespace perfpact::p4::core {

/// By block: whether a depth-first walk from the entry finds an edge back to it. Engines bound how often a
/// packet enters such blocks.
[[nodiscard]] std::vector<bool> loop_heads(const Procedure& procedure);

/// The blocks that the terminator may go to.
[[nodiscard]] std::vector<BlockId> successors(const Terminator& terminator);

}  // namespace perfpact::p4::core
