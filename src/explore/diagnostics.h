// What can be wrong with the description of a native program's entry.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::explore::diag {

inline constexpr DiagnosticKind kEntryPreset{"entry-preset", Severity::Error,
                                             "there is no preset '{}'; expected raw or mbuf"};
inline constexpr DiagnosticKind kEntryArgument{"entry-argument", Severity::Error,
                                               "there is no argument '{}' that a packet's function takes{}"};
inline constexpr DiagnosticKind kEntrySamePosition{"entry-same-position", Severity::Error,
                                                   "'{}' and '{}' are both argument {}"};
inline constexpr DiagnosticKind kEntryLength{
    "entry-length", Severity::Error,
    "'{}' is no packet length; expected LOW..HIGH or a number, up to {} bytes"};
inline constexpr DiagnosticKind kEntryMeaning{"entry-meaning", Severity::Error,
                                              "'{}' is no verdict; expected dropped, flood or sent"};
inline constexpr DiagnosticKind kEntryResult{
    "entry-result", Severity::Error,
    "'{}' is no result of the entry function; expected a number of 32 bits, each only once, or other"};
inline constexpr DiagnosticKind kEntryAssumption{
    "entry-assumption", Severity::Error,
    "'{}' is no assumption; expected NAME, one of == != < <= > >=, and a number without a sign"};
inline constexpr DiagnosticKind kEntryAssumedName{
    "entry-assumed-name", Severity::Warning,
    "the assumption on '{}' is on nothing: it is no argument, no state that packets change and no object{}"};
inline constexpr DiagnosticKind kEntryPlace{"entry-place", Severity::Warning,
                                            "'{}' is no place of a structure; expected &NAME, *NAME or "
                                            "*(NAME+0x10) of a global variable that is there"};
inline constexpr DiagnosticKind kNeverCalled{"pack-never-called", Severity::Warning,
                                             "methods of the packs that are there and are never called as "
                                             "functions: {}; where they should be, the compiler "
                                             "may have inlined them"};
inline constexpr DiagnosticKind kEntryNotYet{"entry-not-yet", Severity::Error,
                                             "not supported yet: '{}' in an entry file"};

}  // namespace perfpact::explore::diag
