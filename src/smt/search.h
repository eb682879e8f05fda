// Local search: makes a model that satisfies given constraints from one that satisfies most of them.
//
// Propagation of target values, as in Niemetz, Preiner, Biere: Precise and complete propagation based local
// search for satisfiability modulo theories (CAV 2016), without its randomness: a target for a truth value is
// pushed down one way to symbols, by inverting the operations on it with the other operands as they are.
// Nearly every branch of a packet program is answered by this. Incomplete: it may find nothing.
// Tested by tests/smt/solver_test.cpp.
#pragma once
#include <memory>
#include <span>

#include "smt/learned.h"
#include "smt/model.h"

namespace perfpact::smt {

/// A model of all constraints that differs from `start` in few symbols; null where none was found. `facts`
/// hold of every model of the constraints.
[[nodiscard]] std::shared_ptr<const Model> search_model(const std::shared_ptr<const Model>& start,
                                                        std::span<const Expr> constraints,
                                                        LearnedFacts& facts);

}  // namespace perfpact::smt
