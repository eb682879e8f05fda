// What can be wrong with a workload.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::workload::diag {

inline constexpr DiagnosticKind kStateUnknown{
    "workload-state-unknown", Severity::Error,
    "not supported yet: state: unknown (registers and counters start "
    "at zero: state: zero)"};
inline constexpr DiagnosticKind kStateValue{"workload-state", Severity::Error,
                                            "state is zero or unknown, not '{}'{}"};
inline constexpr DiagnosticKind kNoRows{"workload-no-rows", Severity::Error,
                                        "a workload needs at least one row of packets"};
inline constexpr DiagnosticKind kNameTwice{"workload-name-twice", Severity::Error,
                                           "there are two rows of the name '{}'"};
inline constexpr DiagnosticKind kPacketForm{"workload-packet-form", Severity::Error,
                                            "row '{}' has {}; expected exactly one of headers, hex, pcap"};
inline constexpr DiagnosticKind kPayloadWithoutHeaders{"workload-payload", Severity::Error,
                                                       "'payload' goes with 'headers' only"};
inline constexpr DiagnosticKind kEmptyCapture{"workload-empty-capture", Severity::Error,
                                              "capture '{}' holds no packet"};
inline constexpr DiagnosticKind kHeaderForm{
    "workload-header-form", Severity::Error,
    "a header is written as a name or as 'name: {{field: value}}', not as {}"};
inline constexpr DiagnosticKind kFrequency{"workload-frequency", Severity::Error,
                                           "row '{}' has {}; expected exactly one of probability and weight"};
inline constexpr DiagnosticKind kMixedWeights{
    "workload-mixed-weights", Severity::Error,
    "row '{}' has a weight and row '{}' a probability; use one of them on all rows"};
inline constexpr DiagnosticKind kProbabilityRange{"workload-probability-range", Severity::Error,
                                                  "probability {} is not between 0 and 1"};
inline constexpr DiagnosticKind kNegativeWeight{"workload-negative-weight", Severity::Error,
                                                "weight {} is below zero"};
inline constexpr DiagnosticKind kZeroWeights{"workload-zero-weights", Severity::Error,
                                             "all weights are zero"};
inline constexpr DiagnosticKind kProbabilitySum{"workload-probability-sum", Severity::Error,
                                                "the probabilities sum to {}, which is {} {} than 1"};
inline constexpr DiagnosticKind kNothingLeft{
    "workload-nothing-left", Severity::Warning,
    "the known probabilities sum to 1, so the rows of unknown probability have probability 0"};

}  // namespace perfpact::workload::diag
