// Whether a contract pack fits a program: its costs are of the code that the program has, and none is below
// what the ways through this code cost. Tested by tests/derive.
#pragma once
#include "library/pack.h"
#include "process/process.h"

namespace perfpact::derive {

/// Of the methods of a derived pack that the process has. Reports derive-other-code, derive-pack-below, and
/// warns of formulas that are not linear in the PCVs (derive-pack-unchecked). Latencies are checked where
/// LLVM knows the processor that they are of.
[[nodiscard]] Result<void> check_pack(const process::Process& process, const library::Pack& pack,
                                      Diagnostics& diagnostics);

}  // namespace perfpact::derive
