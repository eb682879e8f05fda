#include "lift/lifting.h"

namespace perfpact::lift {

const Handlers& handlers() {
  static const Handlers kHandlers = [] {
    Handlers made{};
    for (const auto add : {add_arithmetic, add_multiplication, add_logic, add_shifts, add_bits, add_moves,
                           add_conditional, add_control, add_strings, add_system})
      add(made);
    return made;
  }();
  return kHandlers;
}

}  // namespace perfpact::lift
