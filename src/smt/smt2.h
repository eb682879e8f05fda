// Queries as SMT-LIB 2.6 text, for other solvers and for whoever wants to see what was asked.
//
// Shared parts are functions without parameters, so the text is as long as the graph:
//
//   (set-logic QF_BV)
//   (declare-const |packet.12| (_ BitVec 8))
//   (define-fun n7 () Bool (= |packet.12| #x08))
//   (assert n7)
//   (check-sat)
//
// Truth values are of sort Bool; symbols of 1 bit are (_ BitVec 1). Tested by tests/smt/smt2_test.cpp.
#pragma once
#include <span>
#include <string>

#include "smt/expr.h"

namespace perfpact::smt {

/// `status`: sat, unsat, unknown; other solvers complain where they disagree.
[[nodiscard]] std::string to_smt2(std::span<const Expr> constraints, std::string_view status);

}  // namespace perfpact::smt
