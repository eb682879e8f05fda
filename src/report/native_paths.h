// The paths that `perfpact paths` found in a native program.
//
//   firewall: 17 paths, 0 gaps; entry nf_process; packets of 14 to 1514 bytes; no state that packets change
//
//   path 5a6a66a23f9d02a6: sent(1); 57 instructions, 12 loads, 3 stores
//     when: 34 <= length
//           packet[12] . packet[13] == 0x800
//     state: counter = 0x1f
//     witness: port 0, at 0 ns, 34 bytes, sent(1): 0200...
//   ...
//   gap: not supported yet: the instruction cpuid, nf_process+0x1c
//
// As JSON: `perfpact.paths/1` (docs/formats.md, section 10). Tested by tests/golden/native.
#pragma once
#include <string>
#include <vector>

#include "explore/native/path_cost.h"
#include "timing/machine.h"

namespace perfpact::report {

struct NativePathsView {
  const std::string& program;
  const explore::NativeOptions& options;
  const std::vector<explore::NativePath>& paths;
  const std::vector<explore::NativeGap>& gaps;
  std::vector<std::string> state;  // variables that packets change
  const timing::Machine* machine;  // that cycles are told for; null: they are not
  const std::vector<explore::PathMetric>& cycles;
};

[[nodiscard]] std::string to_text(const NativePathsView& view);
[[nodiscard]] std::string to_json(const NativePathsView& view);

}  // namespace perfpact::report
