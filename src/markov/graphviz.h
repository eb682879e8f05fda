// A chain as a picture: DOT text for Graphviz.
//
//   digraph chain {
//     s0 [label="begin", shape=circle];
//     s1 [label="start(normal)\ncost-per-size (ms): 0.114 / 0.309394 / 0.438", shape=box];
//     s0 -> s1 [label="1"];
//     ...
//
// Branches carry their probability as a fraction; a choice between rows of unknown probability is drawn
// dashed with the row's name. The numbers are the rewards in the scenarios of each model. Tested by
// tests/markov/graphviz_test.cpp.
#pragma once
#include <string>

#include "base/source.h"
#include "markov/chain.h"

namespace perfpact::markov {

/// `sources` gives the places of events; `title` is shown below the picture.
[[nodiscard]] std::string to_dot(const Chain& chain, const SourceManager& sources, std::string_view title);

}  // namespace perfpact::markov
