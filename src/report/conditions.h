// Conditions of paths in words.
#pragma once
#include <string>
#include <vector>

#include "base/number.h"
#include "smt/constraints.h"

namespace perfpact::report {

/// `length >= 34`, `packet[12] . packet[13] == 0x800`, ...
[[nodiscard]] std::vector<std::string> condition(const smt::Constraints& constraints);
/// The same under `  when: `, a line each; nothing where there is no condition.
[[nodiscard]] std::string when(const std::vector<std::string>& condition);

/// `0x1f`.
[[nodiscard]] std::string hexadecimal(const Integer& value);

}  // namespace perfpact::report
