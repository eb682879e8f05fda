// What can be wrong with contracts that are to be compared.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::diff::diag {

inline constexpr DiagnosticKind kNotAContract{
    "diff-not-a-contract", Severity::Error,
    "'{}' is no contract: {}; expected a program (ELF), or what `perfpact contract --json` printed"};
inline constexpr DiagnosticKind kOnlyInOne{"diff-only-in-one", Severity::Warning,
                                           "class '{}' is in the {} contract only: not compared"};
inline constexpr DiagnosticKind kNothing{"diff-nothing", Severity::Error,
                                         "the contracts have no class in common"};

}  // namespace perfpact::diff::diag
