// What the lowering reports.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::p4::core::diag {

inline constexpr DiagnosticKind kNotSupported{"not-supported", Severity::Error, "not supported yet: {}"};
inline constexpr DiagnosticKind kNoMain{
    "no-main", Severity::Error, "the program has no `main`; expected an instance of V1Switch named main"};
inline constexpr DiagnosticKind kNotConstant{"not-constant", Severity::Error,
                                             "{} must be known at compile time"};
inline constexpr DiagnosticKind kEntryPriority{
    "entry-priority", Severity::Error, "the priority of an entry must be a whole number from 0 to 2^62 - 1"};

}  // namespace perfpact::p4::core::diag
