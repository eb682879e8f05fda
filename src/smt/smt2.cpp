#include "smt/smt2.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "smt/node_map.h"

namespace perfpact::smt {
namespace {

bool is_truth(Expr expr) {
  return expr.width() == 1 && !expr.is_array();
}

std::string vector_sort(std::uint32_t width) {
  return fmt::format("(_ BitVec {})", width);
}

std::string sort_of(Expr expr) {
  if (!expr.is_array()) return vector_sort(expr.width());
  return fmt::format("(Array {} {})", vector_sort(expr.index_width()), vector_sort(expr.width()));
}

std::string constant_text(const Value& value) {
  const Integer number = value.number();
  const std::uint32_t width = value.width();
  if (width % 4 != 0) {
    std::string digits(width, '0');
    for (std::uint32_t i = 0; i < width; ++i) digits[width - 1 - i] = bit_test(number, i) ? '1' : '0';
    return "#b" + digits;
  }
  const std::string digits = to_hex(number).substr(2);
  return "#x" + std::string(width / 4 - digits.size(), '0') + digits;
}

// Quoted; with its number where the quotes would not hold it.
std::string symbol_text(Expr symbol) {
  if (symbol.name().find_first_of("|\\") == std::string::npos) return "|" + symbol.name() + "|";
  std::string clean = symbol.name();
  std::replace_if(clean.begin(), clean.end(), [](char c) { return c == '|' || c == '\\'; }, '_');
  return fmt::format("|{} (symbol {})|", clean, symbol.symbol());
}

// How an operand is written where a bit vector or array is expected, and where a truth value is.
std::string as_vector(Expr expr) {
  if (expr.is(Op::Symbol)) return symbol_text(expr);
  if (expr.is_constant()) return constant_text(expr.value());
  return is_truth(expr) ? fmt::format("(ite n{} #b1 #b0)", expr.id()) : fmt::format("n{}", expr.id());
}
std::string as_truth(Expr expr) {
  if (expr.is_constant()) return expr.is_true() ? "true" : "false";
  if (expr.is(Op::Symbol)) return fmt::format("(= {} #b1)", symbol_text(expr));
  return fmt::format("n{}", expr.id());
}

std::string logical_name(Op op) {
  switch (op) {
    case Op::Not:
      return "not";
    case Op::And:
      return "and";
    case Op::Or:
      return "or";
    case Op::Xor:
      return "xor";
    case Op::Ite:
      return "ite";
    default:
      return "";
  }
}

std::string operator_text(Expr expr) {
  switch (expr.op()) {
    case Op::Extract:
      return fmt::format("(_ extract {} {})", expr.low() + expr.width() - 1, expr.low());
    case Op::SExt:
      return fmt::format("(_ sign_extend {})", expr.width() - expr[0].width());
    case Op::ConstantArray:
      return fmt::format("(as const {})", sort_of(expr));
    default:
      return std::string(to_string(expr.op()));
  }
}

std::string application(Expr expr) {
  const std::string logical = is_truth(expr) ? logical_name(expr.op()) : "";
  std::string text = "(" + (logical.empty() ? operator_text(expr) : logical);
  for (std::size_t i = 0; i < expr.arity(); ++i) {
    const bool truth = !logical.empty() || (expr.is(Op::Ite) && i == 0);
    text += " " + (truth ? as_truth(expr[i]) : as_vector(expr[i]));
  }
  text += ")";
  const bool is_comparison = expr.is(Op::Eq) || expr.is(Op::Ult) || expr.is(Op::Slt);
  return is_truth(expr) && logical.empty() && !is_comparison ? fmt::format("(= {} #b1)", text) : text;
}

}  // namespace

std::string to_smt2(std::span<const Expr> constraints, std::string_view status) {
  std::vector<Expr> order;
  NodeMap<bool> seen;
  bool has_arrays = false;
  for (const Expr constraint : constraints) {
    post_order(
        constraint, [&](Expr e) { return seen.find(e) != nullptr; },
        [&](Expr e) {
          seen.set(e, true);
          order.push_back(e);
          has_arrays = has_arrays || e.is_array();
        });
  }
  std::string text =
      fmt::format("(set-info :status {})\n(set-logic {})\n", status, has_arrays ? "QF_ABV" : "QF_BV");
  for (const Expr e : order) {
    if (e.is(Op::Symbol)) text += fmt::format("(declare-const {} {})\n", symbol_text(e), sort_of(e));
  }
  for (const Expr e : order) {
    if (e.is(Op::Symbol) || e.is_constant()) continue;
    text +=
        fmt::format("(define-fun n{} () {} {})\n", e.id(), is_truth(e) ? "Bool" : sort_of(e), application(e));
  }
  for (const Expr constraint : constraints) text += fmt::format("(assert {})\n", as_truth(constraint));
  return text + "(check-sat)\n";
}

}  // namespace perfpact::smt
