// `perfpact paths` for a native program: every execution path of its per-packet function.
#pragma once
#include <functional>

#include "base/diagnostics.h"
#include "cli/options.h"
#include "explore/native/path_cost.h"
#include "timing/machine.h"

namespace perfpact::cli {

/// Whether the program is a native one: an entry is given, or the file is an ELF file.
[[nodiscard]] bool is_native(const Options& options);
[[nodiscard]] bool is_elf(const std::string& file);

/// How the program's entry function is called: by --entry-file, or --entry and --preset.
[[nodiscard]] Result<explore::Entry> read_entry(const Options& options, Diagnostics& diagnostics);

/// Those of --pack.
[[nodiscard]] Result<std::vector<library::Pack>> read_packs(const Options& options, Diagnostics& diagnostics);

/// Runs the program to its entry function, explores, prints; with `--verify` steps every witness through the
/// program itself (one that does otherwise is our own bug). Gives the exit status: kExitGaps when something
/// was not explored.
struct FoundPaths {
  explore::NativeExplorer& explorer;
  const explore::NativeOptions& how;
  const std::vector<explore::NativePath>& paths;
  const timing::Machine* machine;  // null: cycles are not asked for
  const std::vector<explore::PathMetric>& cycles;
};
using UseOfPaths = std::function<Result<void>(const FoundPaths&)>;
/// Finds all paths of the native program that the options name and gives them to `use`.
[[nodiscard]] Result<void> explore_native(const Options& options, Diagnostics& diagnostics,
                                          const UseOfPaths& use);

[[nodiscard]] Result<int> find_native_paths(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
