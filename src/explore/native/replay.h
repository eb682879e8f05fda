// Runs witnesses of native paths through the program itself.
#pragma once
#include "explore/native/explorer.h"

namespace perfpact::explore {

/// The path's witness, stepped.
[[nodiscard]] process::Run replay(const process::Process& process, const NativePath& path);

/// Whether the run executed the path's instructions: of a path that was merged those behind the last merge.
/// (That all of them are as many is for the counts to tell.)
[[nodiscard]] bool goes_its_way(const NativeExplorer& explorer, const NativePath& path,
                                const process::Run& run);

/// Ends the program (PERFPACT_CHECK) where the run does not go the path's way, counts otherwise or gives
/// another verdict.
void verify(const process::Process& process, const NativeExplorer& explorer, const NativePath& path);

}  // namespace perfpact::explore
