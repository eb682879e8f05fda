// What can be wrong with a file of input classes.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::contract::diag {

inline constexpr DiagnosticKind kClassTwice{"class-twice", Severity::Error, "class '{}' is there twice"};
inline constexpr DiagnosticKind kNoClasses{"class-none", Severity::Error, "the file has no class"};
inline constexpr DiagnosticKind kReservedClass{
    "class-reserved", Severity::Error, "a class cannot be called '{}': that is what falls in no class"};
inline constexpr DiagnosticKind kWhereTerm{
    "class-where-term", Severity::Error,
    "'{}' is nothing that `where` can speak of{}; expected port, length, now_ns, dropped, flood, sent, "
    "STRUCTURE.METHOD == OUTCOME, or a number"};
inline constexpr DiagnosticKind kWhereForm{
    "class-where-form", Severity::Error,
    "not supported yet in `where`: {}; expected comparisons joined by and, or, "
    "not"};
inline constexpr DiagnosticKind kWhereOutcome{"class-where-outcome", Severity::Error,
                                              "'{}' has no outcome '{}'{}"};
inline constexpr DiagnosticKind kClassPcv{"class-pcv", Severity::Error,
                                          "'{}' is no value of a PCV; expected a number, or [LOW, HIGH]"};
inline constexpr DiagnosticKind kUnusedPcv{"class-unused-pcv", Severity::Warning,
                                           "no path of class '{}' has a PCV '{}'{}"};
inline constexpr DiagnosticKind kFilterForm{
    "class-filter-form", Severity::Error,
    "not supported yet: what the filter '{}' loads from places that the packet "
    "tells"};
inline constexpr DiagnosticKind kBinding{"contract-binding", Severity::Error,
                                         "'{}' binds nothing; expected PCV=NUMBER"};

}  // namespace perfpact::contract::diag
