// What packs call that which runs of a program show.
// Tested by tests/library/naming_test.cpp.
#pragma once
#include "library/pack.h"

namespace perfpact::library {

/// The one outcome that a call ends in which leaves this in rax; null where what outcomes return does not
/// tell.
[[nodiscard]] const Outcome* outcome_returning(const Method& method, std::uint64_t rax);

/// `erase.t` for `hash_map_erase.t`: functions that are called by the names of their methods.
[[nodiscard]] std::string pcv_by_methods(const Pack& pack, const std::string& by_functions);

}  // namespace perfpact::library
