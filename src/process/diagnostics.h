// What can be wrong with a native program that is to be run until its entry function is called.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::process::diag {

// The file.
inline constexpr DiagnosticKind kCannotStart{"process-cannot-start", Severity::Error,
                                             "cannot start '{}': {}"};
inline constexpr DiagnosticKind kNotElf{"process-not-elf", Severity::Error,
                                        "'{}' is {}; expected an ELF program for x86-64"};
inline constexpr DiagnosticKind kWrongMachine{"process-wrong-machine", Severity::Error,
                                              "'{}' is a program for {}; only x86-64 (64 bits) is supported"};

// The entry. The last argument is a hint or a suggestion.
inline constexpr DiagnosticKind kUnknownEntry{"process-unknown-entry", Severity::Error,
                                              "'{}' has no function '{}'{}"};
inline constexpr DiagnosticKind kUnknownModule{"process-unknown-module", Severity::Error,
                                               "'{}' has not loaded a module '{}'{}"};
inline constexpr DiagnosticKind kBadEntry{"process-bad-entry", Severity::Error,
                                          "'{}' names no place in code; expected a function, function+0x10, "
                                          "0x1139, or one of these behind module!"};
inline constexpr DiagnosticKind kNoCode{"process-no-code", Severity::Error,
                                        "'{}' has no code at '{}'; its code lies at {}"};
inline constexpr DiagnosticKind kAmbiguousEntry{"process-ambiguous-entry", Severity::Error,
                                                "'{}' has {} functions '{}'; give the address of one: {}"};
inline constexpr DiagnosticKind kIndirectEntry{"process-indirect-entry", Severity::Error,
                                               "not supported yet: '{}' chooses what '{}' is as it starts "
                                               "(an indirect function); give the function that it "
                                               "chooses"};

// The run to it.
inline constexpr DiagnosticKind kExited{"process-exited", Severity::Error,
                                        "'{}' ended with exit status {} before it called '{}'"};
inline constexpr DiagnosticKind kKilled{"process-killed", Severity::Error,
                                        "'{}' was ended by {} in {} before it called '{}'"};
inline constexpr DiagnosticKind kTimeLimit{"process-time-limit", Severity::Error,
                                           "'{}' has not called '{}' within {} ms"};
inline constexpr DiagnosticKind kReplaced{
    "process-replaced", Severity::Error,
    "'{}' started another program in its place ('{}') before it called '{}'; give that one"};
inline constexpr DiagnosticKind kEntryInChild{
    "process-entry-in-child", Severity::Error,
    "a child process of '{}' called '{}' first; have the program call it in its own process"};

// What it carries.
inline constexpr DiagnosticKind kBadMark{"process-bad-mark", Severity::Warning,
                                         "the marks of '{}' cannot all be read: {}"};
inline constexpr DiagnosticKind kBadDebugInformation{
    "process-bad-debug-information", Severity::Warning,
    "'{}' has debug information that cannot be read ({}); its code is shown without lines"};

inline constexpr DiagnosticKind kStaysShared{
    "process-stays-shared", Severity::Warning,
    "memory of '{}' is shared through '{}' and cannot be read as a whole; runs of its entry can change it"};

}  // namespace perfpact::process::diag
