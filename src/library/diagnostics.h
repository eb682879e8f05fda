// What can be wrong with a contract pack.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::library::diag {

inline constexpr DiagnosticKind kConditionSyntax{"pack-condition", Severity::Error,
                                                 "expected {} in the condition, not {}"};
inline constexpr DiagnosticKind kArgument{
    "pack-argument", Severity::Error,
    "'{}' is no argument; expected `argument N`, N from 0 to 5 (those that registers pass)"};
inline constexpr DiagnosticKind kUnknownTerm{
    "pack-unknown-term", Severity::Error,
    "'{}' is nothing that a condition can speak of here: it is no field of the structure{}"};
inline constexpr DiagnosticKind kBytes{"pack-bytes", Severity::Error, "{} cannot be {} bytes; expected {}"};
inline constexpr DiagnosticKind kReturns{
    "pack-returns", Severity::Error,
    "expected a number, a term, `unknown`, or a mapping with `object` and `bytes`, or `bytes` and `assume`"};
inline constexpr DiagnosticKind kSecondObject{"pack-second-object", Severity::Error,
                                              "outcome '{}' gives pointers to two objects; expected one"};
inline constexpr DiagnosticKind kMemory{"pack-memory", Severity::Error,
                                        "'{}' is nothing that a function does to memory; expected copy, "
                                        "fill, compare, compare_strings, length, or one "
                                        "of the last two with `: bounded`"};
inline constexpr DiagnosticKind kMemoryOutcome{"pack-memory-outcome", Severity::Error,
                                               "what '{}' returns and writes follows from `memory`; expected "
                                               "no `structure`, and one outcome at most, with "
                                               "`pcvs: [n]` and costs"};
inline constexpr DiagnosticKind kNoOutcomes{"pack-no-outcomes", Severity::Error,
                                            "method '{}' has no outcome"};
inline constexpr DiagnosticKind kTwice{"pack-twice", Severity::Error, "{} '{}' is there twice"};
inline constexpr DiagnosticKind kUnknownPcv{"pack-unknown-pcv", Severity::Error,
                                            "the formula uses '{}', which is no PCV of outcome '{}'{}"};
inline constexpr DiagnosticKind kQuality{"pack-quality", Severity::Error,
                                         "there is no quality '{}'; expected exact or bounded"};
inline constexpr DiagnosticKind kRange{"pack-range", Severity::Error,
                                       "'{}' is no range of a PCV; expected LOW..HIGH, LOW.. or a term"};

}  // namespace perfpact::library::diag
