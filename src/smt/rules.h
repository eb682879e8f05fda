// The simplifier: rules, each written match => result, tried in order on a node about to be made.
//
// Rules are grouped by the operation at their root, one file a theme (rules_*.cpp). Every rule must hold for
// every assignment and make progress towards one canonical form: constants last and outermost, comparisons
// with constants as `x < c`, zero extensions as concats, shifts by constants as concats and extracts, bits
// taken from as far inside as possible. Tested one by one by tests/smt/rules_test.cpp: each must fire, and
// what it gives must agree with the match for all values at small widths.
#pragma once
#include <span>

#include "smt/context.h"

namespace perfpact::smt {

struct Rule {
  const char* text;                                 // "x + 0 => x"
  Expr (*apply)(Context& context, Expr candidate);  // no Expr: the rule does not match
};

/// The rules for nodes of this operation.
[[nodiscard]] std::span<const Rule> rules_for(Op op);
/// What the first rule that matches gives; no Expr where none does. The candidate's operands are simplified,
/// the candidate itself is not shared yet.
[[nodiscard]] Expr rewrite(Context& context, Expr candidate);

// By theme; empty for operations of other themes.
[[nodiscard]] std::span<const Rule> arithmetic_rules(Op op);
[[nodiscard]] std::span<const Rule> division_rules(Op op);
[[nodiscard]] std::span<const Rule> bitwise_rules(Op op);
[[nodiscard]] std::span<const Rule> shift_rules(Op op);
[[nodiscard]] std::span<const Rule> slicing_rules(Op op);
[[nodiscard]] std::span<const Rule> comparison_rules(Op op);
[[nodiscard]] std::span<const Rule> choice_rules(Op op);

}  // namespace perfpact::smt
