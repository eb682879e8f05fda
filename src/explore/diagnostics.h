// What can be wrong with the description of a native program's entry.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::explore::diag {

inline constexpr DiagnosticKind kEntryPreset{"entry-preset", Severity::Error,
                                             "there is no preset '{}'; expected raw or mbuf"};
inline constexpr DiagnosticKind kEntryArgument{"entry-argument", Severity::Error,
                                               "there is no argument '{}' that a packet's function takes{}"};
inline constexpr DiagnosticKind kEntryLength{
    "entry-length", Severity::Error,
    "'{}' is no packet length; expected LOW..HIGH or a number, up to {} bytes"};
inline constexpr DiagnosticKind kEntryMeaning{"entry-meaning", Severity::Error,
                                              "'{}' is no verdict; expected dropped, flood or sent"};
inline constexpr DiagnosticKind kEntryResult{
    "entry-result", Severity::Error, "'{}' is no result of the entry function; expected a number or other"};
inline constexpr DiagnosticKind kEntryAssumption{
    "entry-assumption", Severity::Error,
    "'{}' is no assumption; expected NAME, one of == != < <= > >=, and a number"};
inline constexpr DiagnosticKind kEntryNotYet{"entry-not-yet", Severity::Error,
                                             "not supported yet: '{}' in an entry file"};

}  // namespace perfpact::explore::diag
