// What can be wrong with a cost model, or with pricing by it.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::cost::diag {

inline constexpr DiagnosticKind kScenarios{"cost-scenarios", Severity::Error,
                                           "a cost model needs at least one scenario"};
inline constexpr DiagnosticKind kScenarioTwice{"cost-scenario-twice", Severity::Error,
                                               "scenario '{}' stands twice"};
inline constexpr DiagnosticKind kConstantName{"cost-constant-name", Severity::Error,
                                              "'{}' is no name for a constant; expected letters, digits and "
                                              "'_', not starting with a digit, and none of "
                                              "and, or, not"};
inline constexpr DiagnosticKind kConstantShadows{
    "cost-constant-shadows", Severity::Error,
    "constant '{}' has the name of an attribute of {}; formulas could mean either"};
inline constexpr DiagnosticKind kConstantScenario{"cost-constant-scenario", Severity::Error,
                                                  "constant '{}' has no value for scenario '{}'"};
inline constexpr DiagnosticKind kUnknownScenario{"cost-unknown-scenario", Severity::Error,
                                                 "there is no scenario '{}'{}"};
inline constexpr DiagnosticKind kUnknownEvent{"cost-unknown-event", Severity::Error,
                                              "there is no event '{}'{}"};
inline constexpr DiagnosticKind kUnknownAttribute{"cost-unknown-attribute", Severity::Error,
                                                  "event '{}' has no attribute '{}'{}"};
inline constexpr DiagnosticKind kImpossibleValue{"cost-impossible-value", Severity::Error,
                                                 "attribute '{}' of event '{}' is never '{}'{}"};
inline constexpr DiagnosticKind kUnreachableRow{
    "cost-unreachable-row", Severity::Warning,
    "this row never counts for '{}': the row in line {} matches every such event before it"};
inline constexpr DiagnosticKind kUnknownVariable{"cost-unknown-variable", Severity::Error,
                                                 "'{}' is no constant of this cost model{}{}"};

inline constexpr DiagnosticKind kEventWithoutCost{
    "event-without-cost", Severity::Error,
    "cost model '{}' gives no cost to the event {}: it has no row for it and no 'others'"};
inline constexpr DiagnosticKind kNegativeCost{"cost-negative", Severity::Error,
                                              "the cost of {} in scenario '{}' is {}, below zero"};

}  // namespace perfpact::cost::diag
