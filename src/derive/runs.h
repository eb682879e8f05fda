// Derived formulas held to what calls cost as the program runs for real.
#pragma once
#include "count/count.h"
#include "derive/derive.h"

namespace perfpact::derive {

/// Runs the program and notes of each call of a method out of the entry's own code how far its formulas are
/// above what it cost. Reports derive-underestimated where one is below, derive-overestimated where one that
/// is exact is above, derive-other-way where a call did what no way through the code does.
[[nodiscard]] Result<void> hold_to_runs(std::vector<DerivedMethod>& derived, const count::Options& options,
                                        Diagnostics& diagnostics);

}  // namespace perfpact::derive
