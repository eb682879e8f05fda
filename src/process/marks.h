// Marks that programs carry: notes in the section `.note.perfpact`, whose description is the distance from
// itself to what is marked (8 bytes) and the mark's name.
#pragma once
#include "base/diagnostics.h"
#include "process/memory.h"
#include "process/symbols.h"

namespace perfpact::process {

/// Those of all modules, in their order; warns of what cannot be read.
[[nodiscard]] std::vector<Process::Mark> read_marks(const Modules& modules, const PageCache& memory,
                                                    Diagnostics& diagnostics);

}  // namespace perfpact::process
