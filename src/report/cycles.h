// The machine that cycles were told for, and what they rest on.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "timing/machine.h"

namespace perfpact::report {

/// cycles of znver4; a line that L1 may not hold comes from llc; l1 5, l2 15, llc 70, dram 300 cycles
/// (defaults)
[[nodiscard]] std::string to_text(const timing::Machine& machine);
/// What packets are expected to take by: cycles: znver4; l1 5, l2 15, llc 70, dram 300 cycles (defaults); ...
[[nodiscard]] std::string to_text_of_expected(const timing::Machine& machine);
[[nodiscard]] nlohmann::ordered_json to_json(const timing::Machine& machine);

}  // namespace perfpact::report
