// What can be wrong with the statements of a test that speak of objects of the program, and with an export.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::cli::diag {

inline constexpr DiagnosticKind kUnknownObject{"unknown-object", Severity::Error, "there is no {} '{}'{}"};
inline constexpr DiagnosticKind kObjectIndex{"object-index", Severity::Error,
                                             "'{}' has {} cells; there is none with index {}"};
inline constexpr DiagnosticKind kEntryCounter{"entry-counter", Severity::Error,
                                              "'{}' does not count the hits of entries of table '{}'"};
inline constexpr DiagnosticKind kRegisterValue{"register-value", Severity::Error,
                                               "{} does not fit the {} bits of a cell of '{}'"};

inline constexpr DiagnosticKind kCannotMakeDirectory{"cannot-make-directory", Severity::Error,
                                                     "cannot make the directory '{}': {}"};

inline constexpr DiagnosticKind kCannotWriteFile{"cannot-write-file", Severity::Error,
                                                 "cannot write '{}': {}"};

inline constexpr DiagnosticKind kLatencyCpu{
    "pack-latency-cpu", Severity::Warning,
    "the latencies in '{0}' are those of {1}, not of {2}: what its methods add to cycles.bound is not known; "
    "derive it with --cpu {2}"};

inline constexpr DiagnosticKind kExportGap{
    "export-gap", Severity::Error,
    "cannot export: packets of probability {} are not followed to their end ({}), so that the model would be "
    "too cheap"};

}  // namespace perfpact::cli::diag
