// What can be wrong with a chain.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::chain::diag {

inline constexpr DiagnosticKind kNoNodes{"chain-no-nodes", Severity::Error, "the chain has no node"};
inline constexpr DiagnosticKind kNodeName{"chain-node-name", Severity::Error,
                                          "'{}' is no name of a node; expected letters, digits, '_' and '-'"};
inline constexpr DiagnosticKind kUnknownNode{"chain-unknown-node", Severity::Error,
                                             "there is no node '{}'{}"};
inline constexpr DiagnosticKind kPortTwice{"chain-port-twice", Severity::Error,
                                           "port {} of '{}' is joined twice"};
inline constexpr DiagnosticKind kCycle{"chain-cycle", Severity::Error,
                                       "packets could go round: {}; a chain has no cycle"};
inline constexpr DiagnosticKind kNotReached{
    "chain-not-reached", Severity::Error,
    "no packet comes to node '{}': no edge leads to it from '{}', at which packets enter"};
inline constexpr DiagnosticKind kEntered{
    "chain-entered", Severity::Error,
    "edges lead to '{}', at which packets enter; what enters and what is handed on would be mixed up"};
inline constexpr DiagnosticKind kWrongKey{"chain-wrong-key", Severity::Error,
                                          "'{}' goes with {} programs only"};
inline constexpr DiagnosticKind kEntry{
    "chain-entry", Severity::Error,
    "node '{}' is a native program: it needs its per-packet function, as 'entry' or 'entry_file'"};
inline constexpr DiagnosticKind kLength{
    "chain-length", Severity::Error,
    "'{}' is no packet length; expected LOW..HIGH or a number, up to {} bytes"};
inline constexpr DiagnosticKind kNoCost{
    "chain-no-cost", Severity::Error,
    "node '{}' is a P4 program: it needs a 'cost_model' that says what its operations cost"};
inline constexpr DiagnosticKind kPreset{
    "chain-preset", Severity::Error,
    "not supported yet: node '{}' takes an mbuf; its packet could begin elsewhere when it is handed on"};
inline constexpr DiagnosticKind kPort{"chain-port", Severity::Error,
                                      "packets cannot come to '{}' by port {}: its ports have {} bits"};
inline constexpr DiagnosticKind kWhere{
    "chain-where", Severity::Error,
    "not supported yet: 'where' of a class when packets enter at a P4 program ('{}')"};

}  // namespace perfpact::chain::diag
