// States that meet at a loop head with a PCV mark go on as one, where their events and PCVs are the same
// (machine_merge.cpp). What differs between them, registers and pieces of memory, is a symbol to the state
// that goes on: `merged.rbx`, the same wherever states are merged, so that questions are the same as well.
// What is known of such symbols is an invariant of all members, and less than they know; so a path is
// possible only when an input was found that takes it all the way (machine_realize.cpp).
//
// Expressions of a state speak of inputs (packet[i], length, ...), of the symbols of the merge that it comes
// from, and of its own reads. They mean nothing to a state of another merge.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "explore/native/state.h"

namespace perfpact::explore {

struct Merge;
using Bindings = std::vector<std::pair<smt::Expr, smt::Expr>>;  // symbol and what it stands for

/// A path from one merge to the next.
struct Segment {
  std::shared_ptr<const Merge> origin;  // null: from where the packet comes
  smt::Constraints constraints;
  std::vector<Read> reads;
  Bindings values;  // of the symbols of the merge at its end, in its own terms
};

/// Inputs that surely come to a merge: those with these values of some symbols, whatever the others are.
struct Sample {
  Bindings inputs;
  Bindings values;  // of the merge's symbols, made of the other inputs
};

struct Merge {
  std::vector<Segment> members;
  smt::Constraints constraints;  // of the merged state
  /// They hold of the inputs that come here and of no others.
  bool is_exact = false;
  Integer ways;  // how many paths come here
  mutable std::vector<Sample> samples;
};

}  // namespace perfpact::explore
