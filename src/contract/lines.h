// Of which source lines a path's own cost comes. Tested by tests/golden/native/diff.golden.
#pragma once
#include "explore/native/explorer.h"

namespace perfpact::contract {

struct LineCost {
  std::string file;  // empty where debug information does not tell; `function` is then a symbol
  std::uint32_t line = 0;
  std::string function;
  process::Counts counts;          // of a `rep` instruction what one iteration loads and stores
  std::vector<std::string> calls;  // made from there, in order: `flows.get hit`
  std::string text;  // of the source; empty where the file is not there or newer than the program
};

/// By file and line. Empty for a path that was merged: its instructions are not all known.
[[nodiscard]] std::vector<LineCost> lines_of(const explore::NativeExplorer& explorer,
                                             const explore::NativePath& path, const std::string& program);

}  // namespace perfpact::contract
