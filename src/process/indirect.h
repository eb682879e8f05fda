// Indirect functions (STT_GNU_IFUNC): which of its implementations a program has chosen, by asking again in
// a copy of it.
#pragma once
#include "process/start.h"

namespace perfpact::process {

/// Gives them the addresses of their implementations; those that have none to give stay indirect.
void resolve_indirect_functions(Tracee& tracee);

}  // namespace perfpact::process
