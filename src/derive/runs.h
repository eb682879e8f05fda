// Derived formulas held to what calls cost as the program runs for real.
#pragma once
#include <map>

#include "count/count.h"
#include "derive/derive.h"

namespace perfpact::derive {

/// Holds formulas to calls, one at a time, and notes how far they are above what a call cost. Reports
/// derive-underestimated where one is below, derive-overestimated where one that is exact is above,
/// derive-other-way where a call did what no way through the code does. So what counts wrongly is found out,
/// too.
class RunChecker {
 public:
  /// Both outlive it.
  RunChecker(std::vector<DerivedMethod>& derived, Diagnostics& diagnostics);

  /// Calls of methods that are not derived are passed over.
  void check(const count::MethodCall& call);

 private:
  std::map<std::string, DerivedMethod*> methods_;
  Diagnostics& diagnostics_;
};

/// Runs the program and checks each call of a method out of the entry's own code.
[[nodiscard]] Result<void> hold_to_runs(std::vector<DerivedMethod>& derived, const count::Options& options,
                                        Diagnostics& diagnostics);

}  // namespace perfpact::derive
