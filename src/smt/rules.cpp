#include "smt/rules.h"

namespace perfpact::smt {
namespace {

std::array<std::span<const Rule>, kOps> rules_by_op() {
  std::array<std::span<const Rule>, kOps> table;
  for (std::size_t i = 0; i < kOps; ++i) {
    for (const auto theme : {arithmetic_rules, division_rules, bitwise_rules, shift_rules, slicing_rules,
                             comparison_rules, choice_rules}) {
      if (const auto rules = theme(static_cast<Op>(i)); !rules.empty()) table[i] = rules;
    }
  }
  return table;
}

}  // namespace

std::span<const Rule> rules_for(Op op) {
  static const auto table = rules_by_op();
  return table[static_cast<std::size_t>(op)];
}

Expr rewrite(Context& context, Expr candidate) {
  for (const Rule& rule : rules_for(candidate.op())) {
    if (const Expr result = rule.apply(context, candidate)) return result;
  }
  return {};
}

}  // namespace perfpact::smt
