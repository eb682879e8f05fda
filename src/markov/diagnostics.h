// What can be wrong with the input of the markov stage: the directory that an export goes to.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::markov::diag {

inline constexpr DiagnosticKind kExportNotADirectory{
    "export-not-a-directory", Severity::Error, "cannot export to '{}': it exists and is not a directory"};
inline constexpr DiagnosticKind kExportDirectoryInUse{
    "export-directory-in-use", Severity::Error,
    "cannot export to '{}': it holds '{}', which no earlier export wrote; name a new or an empty directory"};
inline constexpr DiagnosticKind kExportCannotWrite{"export-cannot-write", Severity::Error,
                                                   "cannot write '{}': {}"};

}  // namespace perfpact::markov::diag
