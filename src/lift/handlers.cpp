#include "lift/lifting.h"

namespace perfpact::lift {

const Handlers& handlers() {
  static const Handlers kHandlers = [] {
    Handlers made{};
    for (const auto add : {add_arithmetic, add_multiplication, add_logic, add_shifts, add_bits, add_moves,
                           add_conditional, add_control, add_strings, add_system, add_vector_moves,
                           add_vector_logic, add_vector_arithmetic, add_vector_multiplication,
                           add_vector_shifts, add_vector_shuffles, add_vector_lanes, add_vector_strings})
      add(made);
    return made;
  }();
  return kHandlers;
}

}  // namespace perfpact::lift
