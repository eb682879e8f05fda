// What a packet does on its way, in one line.
#pragma once
#include <string>

#include "program/trace.h"

namespace perfpact::report {

/// `parser start, parse_ipv4; ingress.ipv4_fib hit (1 of 1 visited), ingress.fib_hit_nexthop; then clone;
/// ...`, with the ranks of entries or without.
[[nodiscard]] std::string what_it_does(const program::Trace& trace, bool with_ranks = true);

}  // namespace perfpact::report
