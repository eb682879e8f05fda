// What can be wrong with a program that is counted.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::count::diag {

inline constexpr DiagnosticKind kFailed{"count-failed", Severity::Error,
                                        "'{}' ended with exit status {} after {} calls of '{}'"};
inline constexpr DiagnosticKind kKilled{"count-killed", Severity::Error,
                                        "'{}' was ended by {} after {} calls of '{}'"};
inline constexpr DiagnosticKind kReplaced{
    "count-replaced", Severity::Error,
    "'{}' started another program in its place ('{}') after {} calls of '{}'"};
inline constexpr DiagnosticKind kCalledInChild{
    "count-called-in-child", Severity::Error,
    "a child process of '{}' called '{}'; have the program call it in its own process"};
inline constexpr DiagnosticKind kCannotGive{
    "count-cannot-give", Severity::Error,
    "packet {} of the capture ({} bytes) cannot be given to '{}': there is no room for it at {}"};

inline constexpr DiagnosticKind kNoMethods{
    "count-no-methods", Severity::Error,
    "the program has none of the {} functions that '{}' lists; is it the pack of another library?"};
inline constexpr DiagnosticKind kUnknownPlace{
    "count-unknown-place", Severity::Error,
    "the program has no place '{}'; expected a symbol of it, or symbol+0x10"};
inline constexpr DiagnosticKind kPointedTo{
    "count-pointed-to", Severity::Error,
    "not supported yet: '{}', a function that a pointer tells, by --engine=valgrind; count by --engine=step"};

inline constexpr DiagnosticKind kNoTool{
    "count-no-tool", Severity::Error,
    "the tool for valgrind is not built or not installed: there is no '{}'; build perfpact where valgrind's "
    "package is installed, or count by --engine=step"};
inline constexpr DiagnosticKind kToolFailed{"count-tool-failed", Severity::Error,
                                            "valgrind cannot run '{}'{}"};

}  // namespace perfpact::count::diag
