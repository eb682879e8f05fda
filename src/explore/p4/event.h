// An event of an explored path: its numbers are expressions over the input.
#pragma once
#include <array>
#include <cstdint>

#include "smt/expr.h"

namespace perfpact::explore {

struct Event {
  std::uint32_t site = 0;            // index into the program's sites
  std::array<smt::Expr, 5> numbers;  // 64 bits each; null where the kind has none
};

}  // namespace perfpact::explore
