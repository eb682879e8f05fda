// What can be wrong with the statements of a test that speak of objects of the program.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::cli::diag {

inline constexpr DiagnosticKind kUnknownObject{"unknown-object", Severity::Error, "there is no {} '{}'{}"};
inline constexpr DiagnosticKind kObjectIndex{"object-index", Severity::Error,
                                             "'{}' has {} cells; there is none with index {}"};
inline constexpr DiagnosticKind kRegisterValue{"register-value", Severity::Error,
                                               "{} does not fit the {} bits of a cell of '{}'"};

}  // namespace perfpact::cli::diag
