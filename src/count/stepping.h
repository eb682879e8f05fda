// The engine that executes the calls of the entry instruction by instruction.
#pragma once
#include "count/count.h"

namespace perfpact::count {

/// As count() by Engine::Step.
[[nodiscard]] Result<Profile> count_by_stepping(const Options& options, const Sink& sink,
                                                Diagnostics& diagnostics);

}  // namespace perfpact::count
