// What can be wrong with a program whose methods' costs are to be derived.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::derive::diag {

inline constexpr DiagnosticKind kUnknownPlace{
    "derive-unknown-place", Severity::Error,
    "'{}' is nowhere in the program; expected a symbol, symbol+0x10, or *symbol"};
inline constexpr DiagnosticKind kNoMethods{"derive-no-methods", Severity::Error,
                                           "the program has none of the {} methods that '{}' lists"};
inline constexpr DiagnosticKind kSkipped{"derive-skipped", Severity::Warning,
                                         "the program does not have these methods, which are left out: {}"};
inline constexpr DiagnosticKind kRecursion{"derive-recursion", Severity::Error,
                                           "cannot derive '{}': {} calls '{}', which it is called by"};
inline constexpr DiagnosticKind kIndirect{
    "derive-indirect", Severity::Error,
    "cannot derive '{}': where {} leads is not known before it runs; tell it by `callbacks: {{{}: "
    "FUNCTION}}`"};
inline constexpr DiagnosticKind kRepeats{
    "derive-repeats", Severity::Error,
    "cannot derive '{}': how often '{}' repeats at {} is not known before it runs"};
inline constexpr DiagnosticKind kNotDecoded{"derive-not-decoded", Severity::Error,
                                            "cannot derive '{}': there is no instruction at {}"};
inline constexpr DiagnosticKind kTooLarge{"derive-too-large", Severity::Error,
                                          "cannot derive '{}': there are more than {} ways to go on in it"};
inline constexpr DiagnosticKind kNoLatency{
    "derive-no-latency", Severity::Error,
    "cannot derive the latency of '{}': the model of {} does not know '{}' at {}; leave --cpu out, or name "
    "another"};
inline constexpr DiagnosticKind kUnmarkedLoop{
    "derive-unmarked-loop", Severity::Error,
    "cannot derive '{}': the loop at {} has no mark; put PERFPACT_PCV into it, or tell it by `loops: {{{}: "
    "PCV}}`"};
inline constexpr DiagnosticKind kNoWay{
    "derive-no-way", Severity::Warning,
    "no way through '{}' ends in outcome '{}', which has no cost therefore{}"};
inline constexpr DiagnosticKind kUnlistedOutcome{"derive-unlisted-outcome", Severity::Error,
                                                 "'{}' can end in outcome '{}', which is not listed{}"};
inline constexpr DiagnosticKind kNoOutcome{
    "derive-no-outcome", Severity::Error,
    "'{}' can return without an outcome, at {}: a PERFPACT_OUTCOME is missing"};
inline constexpr DiagnosticKind kUnderestimated{
    "derive-underestimated", Severity::Error,
    "a real call of '{}' that ended in '{}' cost {} {}, more than the {} of its derived formula: a mark or "
    "`callbacks` is wrong"};
inline constexpr DiagnosticKind kOverestimated{
    "derive-overestimated", Severity::Error,
    "a real call of '{}' that ended in '{}' cost {} {}, less than the {} that every way through its code "
    "costs: a mark or `callbacks` is wrong"};
inline constexpr DiagnosticKind kOtherWay{
    "derive-other-way", Severity::Error,
    "a real call of '{}' {}, which no way through its code does: a mark or `callbacks` is wrong"};
inline constexpr DiagnosticKind kOtherCode{"derive-other-code", Severity::Error,
                                           "the costs of '{}' are those of other code (sha256 {}; that of "
                                           "this program is {}); derive them from this "
                                           "program: perfpact derive PROGRAM --methods {} -o PACK"};
inline constexpr DiagnosticKind kPackBelow{"derive-pack-below", Severity::Error,
                                           "the {} of '{}' that ends in '{}' can be more than '{}', by the "
                                           "program's code: the pack was edited; derive it "
                                           "from this program: perfpact derive PROGRAM --methods {} -o PACK"};
inline constexpr DiagnosticKind kPackUnchecked{"derive-pack-unchecked", Severity::Warning,
                                               "the {} of '{}' that ends in '{}', '{}', are no sum over "
                                               "PCVs: that they are not below what its code costs "
                                               "is not checked"};

}  // namespace perfpact::derive::diag
