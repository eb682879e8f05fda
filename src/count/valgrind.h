// The engine that runs the whole program under valgrind, with the tool in valgrind-tool/.
#pragma once
#include "count/count.h"

namespace perfpact::count {

/// As count() by Engine::Valgrind.
[[nodiscard]] Result<Profile> count_by_valgrind(const Options& options, const Sink& sink,
                                                Diagnostics& diagnostics);

}  // namespace perfpact::count
