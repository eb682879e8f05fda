// How often a packet can come through a block, so that engines can bound its work at few places: every cycle
// of a procedure's blocks goes through a loop head, and calls are acyclic.
#pragma once
#include <vector>

#include "p4/core/core.h"

namespace perfpact::p4::core {

/// The blocks that the terminator may go to.
[[nodiscard]] std::vector<BlockId> successors(const Terminator& terminator);

/// By block: whether a depth-first walk from the entry finds an edge back to it.
[[nodiscard]] std::vector<bool> loop_heads(const Procedure& procedure);

struct Work {
  /// By procedure: its blocks, with those of everything that it calls, each call counted.
  std::vector<std::uint64_t> blocks;
  /// By procedure and block: of a loop head, the blocks (calls included) of the cycles through it, which is
  /// the most that is executed before a head is entered again or the cycles are left; 0 of other blocks.
  std::vector<std::vector<std::uint64_t>> loops;
};
/// Numbers stop growing at 2^32.
[[nodiscard]] Work work(const Program& program);

}  // namespace perfpact::p4::core
