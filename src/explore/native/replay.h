// Runs witnesses of native paths through the program itself.
#pragma once
#include "explore/native/explorer.h"

namespace perfpact::explore {

/// The path's witness, stepped.
[[nodiscard]] process::Run replay(const process::Process& process, const NativePath& path);

/// Ends the program (PERFPACT_CHECK) where the run does not go the path's way, counts otherwise or gives
/// another verdict.
void verify(const process::Process& process, const NativeExplorer& explorer, const NativePath& path);

}  // namespace perfpact::explore
