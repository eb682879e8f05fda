#include "smt/infix.h"

#include <fmt/format.h>

#include <optional>

namespace perfpact::smt {
namespace {

std::string constant(const Integer& number) {
  constexpr int kFirstHexadecimal = 1000;
  return number < kFirstHexadecimal ? number.str() : "0x" + number.str(0, std::ios_base::hex);
}

std::optional<std::string_view> sign_of(Op op) {
  switch (op) {
    case Op::Add:
      return "+";
    case Op::Sub:
      return "-";
    case Op::Mul:
      return "*";
    case Op::UDiv:
      return "/";
    case Op::URem:
      return "%";
    case Op::And:
      return "&";
    case Op::Or:
      return "|";
    case Op::Xor:
      return "^";
    case Op::Shl:
      return "<<";
    case Op::LShr:
      return ">>";
    case Op::AShr:
      return ">>s";
    case Op::Eq:
      return "==";
    case Op::Ult:
      return "<";
    case Op::Slt:
      return "<s";
    case Op::Concat:
      return ".";
    default:
      return std::nullopt;
  }
}

class Printer {
 public:
  std::string print(Expr expr, unsigned depth) {
    if (expr.is_constant()) return constant(expr.value().number());
    if (expr.is(Op::Symbol)) return expr.name();
    if (depth == 0) return "...";
    if (expr.is(Op::Not)) return negated(expr[0], depth);
    if (std::string text = extended(expr, depth); !text.empty()) return text;
    if (std::string text = difference(expr, depth); !text.empty()) return text;
    if (const auto sign = sign_of(expr.op())) return joined(expr, expr.op(), *sign, depth);
    if (expr.is(Op::Extract))
      return fmt::format("{}[{}:{}]", inner(expr[0], depth), expr.low() + expr.width() - 1, expr.low());
    if (expr.is(Op::Neg)) return fmt::format("-{}", inner(expr[0], depth));
    if (expr.is(Op::Ite))
      return fmt::format("{} ? {} : {}", inner(expr[0], depth), inner(expr[1], depth), inner(expr[2], depth));
    if (expr.is(Op::Select)) return fmt::format("{}[{}]", inner(expr[0], depth), print(expr[1], depth - 1));
    std::string out = fmt::format("{}(", to_string(expr.op()));
    for (std::size_t i = 0; i < expr.arity(); ++i)
      out += fmt::format("{}{}", i == 0 ? "" : ", ", print(expr[i], depth - 1));
    return out + ")";
  }

 private:
  std::string negated(Expr expr, unsigned depth) {
    if (expr.is(Op::Eq)) return fmt::format("{} != {}", inner(expr[0], depth), inner(expr[1], depth));
    if (expr.is(Op::Ult) || expr.is(Op::Slt))
      return fmt::format("{} {} {}", inner(expr[0], depth), expr.is(Op::Ult) ? ">=" : ">=s",
                         inner(expr[1], depth));
    return fmt::format("{}{}", expr.width() == 1 ? "not " : "~", inner(expr, depth));
  }
  // 0...0 . x is x, x . 0...0 is x * 2^n; else empty.
  std::string extended(Expr expr, unsigned depth) {
    if (!expr.is(Op::Concat)) return {};
    if (expr[0].is_constant() && expr[0].value().is_zero()) return print(expr[1], depth);
    if (!expr[1].is_constant() || !expr[1].value().is_zero()) return {};
    return fmt::format("{} * {}", inner(expr[0], depth), constant(Integer(1) << expr[1].width()));
  }
  // x + c is x - (2^n - c) where that is less; else empty.
  std::string difference(Expr expr, unsigned depth) {
    if (!expr.is(Op::Add) || !expr[1].is_constant()) return {};
    const Integer all = Integer(1) << expr.width();
    const Integer& added = expr[1].value().number();
    if (added * 2 < all) return {};
    return fmt::format("{} - {}", inner(expr[0], depth), constant(all - added));
  }
  // A chain of the same associative operation needs no brackets.
  std::string joined(Expr expr, Op op, std::string_view sign, unsigned depth) {
    std::string out;
    for (std::size_t i = 0; i < expr.arity(); ++i) {
      if (i > 0) out += fmt::format(" {} ", sign);
      const bool is_chain = expr[i].is(op) && (is_commutative(op) || op == Op::Concat) && op != Op::Eq;
      out += is_chain ? joined(expr[i], op, sign, depth == 1 ? 1 : depth - 1) : inner(expr[i], depth);
    }
    return out;
  }
  std::string inner(Expr expr, unsigned depth) {
    const std::string text = print(expr, depth - 1);
    return text.contains(' ') ? fmt::format("({})", text) : text;
  }
};

}  // namespace

std::string to_infix(Expr expr, unsigned depth) {
  return Printer().print(expr, depth);
}

}  // namespace perfpact::smt
