// What a packet does on its way, in words.
#pragma once
#include <string>
#include <vector>

#include "program/trace.h"

namespace perfpact::report {

struct Doing {
  bool is_parser_state = false;
  std::string text;  // of a parser state its name
};
/// Parser states, look-ups with their actions (with the ranks of entries, or without), further passes, the
/// parser error, in order.
[[nodiscard]] std::vector<Doing> doings(const program::Trace& trace, bool with_ranks);

/// `parser start, parse_ipv4; ingress.ipv4_fib hit (1 of 1 visited), ingress.fib_hit_nexthop; then clone;
/// ...`.
[[nodiscard]] std::string what_it_does(const program::Trace& trace, bool with_ranks = true);

}  // namespace perfpact::report
