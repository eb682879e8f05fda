// Exact solutions of a chain: expected total rewards and probabilities of reaching a label.
//
// The chain has no cycle but the loop of `done`, and every transition leads to a larger state number: one
// pass from the last state to the first solves it, in rationals. What PRISM computes by
//
//   R{"cost_per_size_average"}=? [ F "done" ]      expected_reward(chain, reward, Branching::Random)
//   P=? [ F "hit_ingress_ipv4_fib" ]               reach_probability(chain, label, Branching::Random)
//
// (Rmin, Rmax, Pmin, Pmax for the ends of the interval where choices are open).
// Tested by tests/markov/solve_test.cpp against the estimators of cost::price and against PRISM.
#pragma once
#include "markov/chain.h"

namespace perfpact::markov {

enum class Branching {
  Random,  // branches are taken with their probabilities
  Free,    // probabilities forgotten: every branch may be taken (the envelope)
};

/// The least and the greatest expected reward collected until `done`, over all ways to resolve what is open:
/// the choices between unknown rows, and with Branching::Free every branch too.
[[nodiscard]] Interval expected_reward(const Chain& chain, RewardId reward, Branching branching);

/// The least and the greatest probability that a state with the label is visited.
[[nodiscard]] Interval reach_probability(const Chain& chain, LabelId label, Branching branching);

}  // namespace perfpact::markov
