// What can be wrong with a formula.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::formula::diag {

inline constexpr DiagnosticKind kSyntax{"formula-syntax", Severity::Error,
                                        "expected {} in the formula, not {}"};
inline constexpr DiagnosticKind kUnknownFunction{"formula-unknown-function", Severity::Error,
                                                 "there is no function '{}'{}"};
inline constexpr DiagnosticKind kArguments{"formula-arguments", Severity::Error,
                                           "function '{}' takes {}, not {}"};
inline constexpr DiagnosticKind kTooDeep{"formula-too-deep", Severity::Error,
                                         "the formula nests more than {} levels deep"};
inline constexpr DiagnosticKind kUnknownName{"formula-unknown-name", Severity::Error,
                                             "the formula uses '{}', which has no value here"};
inline constexpr DiagnosticKind kDivisionByZero{"formula-division-by-zero", Severity::Error,
                                                "division by zero in the formula"};
inline constexpr DiagnosticKind kLogarithm{"formula-logarithm", Severity::Error,
                                           "log2_ceil of {}, which is below 1"};

}  // namespace perfpact::formula::diag
