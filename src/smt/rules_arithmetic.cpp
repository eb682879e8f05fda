// Addition, subtraction, negation, multiplication.
#include <optional>

#include "smt/pattern.h"

namespace perfpact::smt {
namespace {

using namespace pattern;

// The exponent of a power of two.
std::optional<std::uint32_t> exponent(Expr constant) {
  const Value& value = constant.value();
  if (value.is_zero()) return std::nullopt;
  const Integer number = value.number();
  const auto top = static_cast<std::uint32_t>(msb(number));
  return lsb(number) == top ? std::optional(top) : std::nullopt;
}

// A sum modulo 2 is an exclusive or.
Expr single_bit_sum(Context& context, Expr e) {
  return e.width() == 1 ? context.xor_(e[0], e[1]) : Expr();
}

constexpr Rule kAdd[] = {
    PERFPACT_RULE(x + zero, x),
    PERFPACT_RULE(x + -x, zero),
    PERFPACT_RULE(x + ~x, ones),
    {"x + y, 1 bit => x ^ y", single_bit_sum},
    PERFPACT_RULE((x + c) + d, x + (c + d)),
    PERFPACT_RULE((x + c) + y, (x + y) + c),
    PERFPACT_RULE((c - x) + d, (c + d) - x),
    PERFPACT_RULE((x - y) + y, x),
    PERFPACT_RULE(~x + one, -x),
    PERFPACT_RULE(x + -y, x - y),
    PERFPACT_RULE(ite(p, c, x) + d, ite(p, c + d, x + d)),
    PERFPACT_RULE(ite(p, x, c) + d, ite(p, x + d, c + d)),
};

constexpr Rule kSub[] = {
    PERFPACT_RULE(x - x, zero),
    {"x - y, 1 bit => x ^ y", single_bit_sum},
    PERFPACT_RULE(x - c, x + -c),
    PERFPACT_RULE(zero - x, -x),
    PERFPACT_RULE(ones - x, ~x),
    PERFPACT_RULE(x - -y, x + y),
    PERFPACT_RULE((x + y) - x, y),
    PERFPACT_RULE(x - (x + y), -y),
    PERFPACT_RULE(x - (x - y), y),
    PERFPACT_RULE((x - y) - x, -y),
    PERFPACT_RULE(c - (x + d), (c - d) - x),
    PERFPACT_RULE(c - (d - x), x + (c - d)),
    PERFPACT_RULE((x + c) - y, (x - y) + c),
    PERFPACT_RULE(x - (y + c), (x - y) + -c),
};

constexpr Rule kNeg[] = {
    {"-x, 1 bit => x", [](Context&, Expr e) { return e.width() == 1 ? e[0] : Expr(); }},
    PERFPACT_RULE(-(-x), x),
    PERFPACT_RULE(-(~x), x + one),
    PERFPACT_RULE(-(x - y), y - x),
    PERFPACT_RULE(-(x + c), (-c) - x),
};

constexpr Rule kMul[] = {
    {"x * y, 1 bit => x & y",
     [](Context& context, Expr e) { return e.width() == 1 ? context.and_(e[0], e[1]) : Expr(); }},
    PERFPACT_RULE(x* zero, zero),
    PERFPACT_RULE(x* one, x),
    PERFPACT_RULE(x* ones, -x),
    PERFPACT_RULE((x * c) * d, x*(c* d)),
    PERFPACT_RULE((x * c) * y, (x * y) * c),
    {"x * 2^k => x << k",
     [](Context& context, Expr e) {
       const auto k = e[1].is_constant() ? exponent(e[1]) : std::nullopt;
       return k ? context.shl(e[0], context.constant(e.width(), *k)) : Expr();
     }},
    PERFPACT_RULE((-x) * y, -(x* y)),
    PERFPACT_RULE((x + c) * d, (x * d) + (c * d)),
};

constexpr Rule kUDiv[] = {
    PERFPACT_RULE(udiv(x, zero), ones),
    PERFPACT_RULE(udiv(x, one), x),
    {"udiv(x, 2^k) => x >> k",
     [](Context& context, Expr e) {
       const auto k = e[1].is_constant() ? exponent(e[1]) : std::nullopt;
       return k ? context.lshr(e[0], context.constant(e.width(), *k)) : Expr();
     }},
};

constexpr Rule kURem[] = {
    PERFPACT_RULE(urem(x, zero), x),
    PERFPACT_RULE(urem(x, one), zero),
    PERFPACT_RULE(urem(x, x), zero),
    PERFPACT_RULE(urem(zero, x), zero),
    {"urem(x, 2^k) => x's low k bits",
     [](Context& context, Expr e) {
       const auto k = e[1].is_constant() ? exponent(e[1]) : std::nullopt;
       return k && *k > 0 ? context.zext(context.extract(*k - 1, 0, e[0]), e.width()) : Expr();
     }},
    {"urem(x, y), x < y => x",
     [](Context&, Expr e) {
       return e.width() <= kWordBits && e[0].facts().high < e[1].facts().low ? e[0] : Expr();
     }},
};

bool are_positive(Expr e) {
  return e[0].facts().sign() == false && e[1].facts().sign() == false;
}

constexpr Rule kSDiv[] = {
    {"sdiv(x, 1), more than 1 bit => x",
     [](Context&, Expr e) {
       return e.width() > 1 && e[1].is_constant() && e[1].value().is_one() ? e[0] : Expr();
     }},
    {"sdiv(x, -1) => -x",
     [](Context& context, Expr e) {
       return e[1].is_constant() && e[1].value().is_ones() ? context.neg(e[0]) : Expr();
     }},
    {"sdiv(x, y), both positive => udiv(x, y)",
     [](Context& context, Expr e) { return are_positive(e) ? context.udiv(e[0], e[1]) : Expr(); }},
};

constexpr Rule kSRem[] = {
    PERFPACT_RULE(srem(x, zero), x),
    PERFPACT_RULE(srem(x, one), zero),
    PERFPACT_RULE(srem(x, ones), zero),
    PERFPACT_RULE(srem(x, x), zero),
    {"srem(x, y), both positive => urem(x, y)",
     [](Context& context, Expr e) { return are_positive(e) ? context.urem(e[0], e[1]) : Expr(); }},
};

}  // namespace

std::span<const Rule> arithmetic_rules(Op op) {
  switch (op) {
    case Op::Add:
      return kAdd;
    case Op::Sub:
      return kSub;
    case Op::Neg:
      return kNeg;
    case Op::Mul:
      return kMul;
    default:
      return {};
  }
}

std::span<const Rule> division_rules(Op op) {
  switch (op) {
    case Op::UDiv:
      return kUDiv;
    case Op::URem:
      return kURem;
    case Op::SDiv:
      return kSDiv;
    case Op::SRem:
      return kSRem;
    default:
      return {};
  }
}

}  // namespace perfpact::smt
