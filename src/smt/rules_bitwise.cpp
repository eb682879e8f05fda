// And, or, exclusive or, complement; shifts.
#include <algorithm>
#include <optional>

#include "smt/pattern.h"

namespace perfpact::smt {
namespace {

using namespace pattern;

bool has_parts(Expr e) {
  return e.is(Op::Concat) || e.is_constant();
}

// A bitwise operation goes into a concat where the other operand has parts too: `x << 8 | y` of bytes
// becomes the concat of x and y.
Expr by_parts(Context& context, Expr e) {
  const bool first = e[0].is(Op::Concat) && has_parts(e[1]);
  const bool second = e[1].is(Op::Concat) && has_parts(e[0]);
  if (!first && !second) return {};
  const std::uint32_t low = (first ? e[0] : e[1])[1].width();
  const auto part = [&](std::uint32_t top, std::uint32_t bottom) {
    return context.make(e.op(), {context.extract(top, bottom, e[0]), context.extract(top, bottom, e[1])});
  };
  return context.concat(part(e.width() - 1, low), part(low - 1, 0));
}

// The ones of a mask that is one run of them, between zeros.
struct Run {
  std::uint32_t high = 0, low = 0;
};
std::optional<Run> run_of(const Value& mask) {
  if (mask.is_zero()) return std::nullopt;
  const Integer number = mask.number();
  const Run run{static_cast<std::uint32_t>(msb(number)), static_cast<std::uint32_t>(lsb(number))};
  const Integer shifted = number >> run.low;
  return shifted == all_ones(run.high - run.low + 1) ? std::optional(run) : std::nullopt;
}

Expr masked_run(Context& context, Expr e) {
  const auto run = e[1].is_constant() ? run_of(e[1].value()) : std::nullopt;
  if (!run) return {};
  const Expr upper = context.zext(context.extract(run->high, run->low, e[0]), e.width() - run->low);
  return run->low == 0 ? upper : context.concat(upper, context.zero(run->low));
}

// An operand that cannot have a one where the mask has a zero.
Expr mask_without_effect(Context&, Expr e) {
  if (e.width() > kWordBits || !e[1].is_constant()) return {};
  return (~e[0].facts().zeros & word_mask(e.width()) & ~e[1].value().word()) == 0 ? e[0] : Expr();
}

bool is_equation_with_constant(Expr e) {
  return e.is(Op::Eq) && e[1].is_constant();
}

// x == c excludes x == d, where c and d differ.
Expr two_equations(Context& context, Expr e) {
  for (const bool swapped : {false, true}) {
    const Expr first = e[swapped ? 1 : 0];
    const Expr second = e[swapped ? 0 : 1];
    if (!is_equation_with_constant(first)) continue;
    const bool negated = second.is(Op::Not);
    const Expr other = negated ? second[0] : second;
    if (!is_equation_with_constant(other) || first[0] != other[0] || first[1] == other[1]) continue;
    return negated ? first : context.boolean(false);
  }
  return {};
}

constexpr Rule kAnd[] = {
    PERFPACT_RULE(x & zero, zero),
    PERFPACT_RULE(x& ones, x),
    PERFPACT_RULE(x& x, x),
    PERFPACT_RULE(x & ~x, zero),
    PERFPACT_RULE((x & c) & d, x&(c& d)),
    PERFPACT_RULE((x & y) & x, x& y),
    PERFPACT_RULE((x | y) & x, x),
    PERFPACT_RULE((~x & y) & x, zero),
    PERFPACT_RULE((~x | y) & x, x& y),
    PERFPACT_RULE(~(x | y) & x, zero),
    PERFPACT_RULE(~(x& y) & x, x & ~y),
    PERFPACT_RULE(~x & ~y, ~(x | y)),
    {"(x == c) & (x == d) => 0; (x == c) & ~(x == d) => x == c; c, d differ", two_equations},
    {"x & c, c covers x => x", mask_without_effect},
    {"x & 0..01..10..0 => 0..0 . x[h:l] . 0..0", masked_run},
    {"(x . y) & (z . c) => (x & z) . (y & c)", by_parts},
};

constexpr Rule kOr[] = {
    PERFPACT_RULE(x | zero, x),
    PERFPACT_RULE(x | ones, ones),
    PERFPACT_RULE(x | x, x),
    PERFPACT_RULE(x | ~x, ones),
    PERFPACT_RULE((x | c) | d, x | (c | d)),
    PERFPACT_RULE((x | y) | x, x | y),
    PERFPACT_RULE((x & y) | x, x),
    PERFPACT_RULE((~x | y) | x, ones),
    PERFPACT_RULE((~x & y) | x, x | y),
    PERFPACT_RULE(~(x& y) | x, ones),
    PERFPACT_RULE(~(x | y) | x, x | ~y),
    PERFPACT_RULE(~x | ~y, ~(x& y)),
    {"(x . y) | (z . c) => (x | z) . (y | c)", by_parts},
};

constexpr Rule kXor[] = {
    PERFPACT_RULE(x ^ zero, x),
    PERFPACT_RULE(x ^ ones, ~x),
    PERFPACT_RULE(x ^ x, zero),
    PERFPACT_RULE(x ^ ~x, ones),
    PERFPACT_RULE((x ^ c) ^ d, x ^ (c ^ d)),
    PERFPACT_RULE((x ^ c) ^ y, (x ^ y) ^ c),
    PERFPACT_RULE((x ^ y) ^ x, y),
    PERFPACT_RULE(~x ^ c, x ^ ~c),
    PERFPACT_RULE(~x ^ y, ~(x ^ y)),
    {"(x . y) ^ (z . c) => (x ^ z) . (y ^ c)", by_parts},
};

constexpr Rule kNot[] = {
    PERFPACT_RULE(~(~x), x),
    PERFPACT_RULE(~(x ^ c), x ^ ~c),
    PERFPACT_RULE(~(-x), x + ones),
    PERFPACT_RULE(~(x + c), ~c - x),
    PERFPACT_RULE(~(c - x), x + ~c),
    PERFPACT_RULE(~ite(p, c, x), ite(p, ~c, ~x)),
    PERFPACT_RULE(~ite(p, x, c), ite(p, ~x, ~c)),
};

// The amount of a shift by a constant, at most the width.
std::optional<std::uint32_t> amount(Expr e) {
  if (!e[1].is_constant()) return std::nullopt;
  const Integer number = e[1].value().number();
  return number >= e.width() ? e.width() : static_cast<std::uint32_t>(number);
}

Expr shifted_left(Context& context, Expr e) {
  const auto k = amount(e);
  if (!k || *k == 0) return {};
  if (*k == e.width()) return context.zero(*k);
  return context.concat(context.extract(e.width() - 1 - *k, 0, e[0]), context.zero(*k));
}

Expr shifted_right(Context& context, Expr e) {
  const auto k = amount(e);
  if (!k || *k == 0) return {};
  if (*k == e.width()) return context.zero(*k);
  return context.zext(context.extract(e.width() - 1, *k, e[0]), e.width());
}

Expr shifted_right_signed(Context& context, Expr e) {
  const auto k = amount(e);
  if (!k || *k == 0) return {};
  return context.sext(context.extract(e.width() - 1, std::min(*k, e.width() - 1), e[0]), e.width());
}

constexpr Rule kShl[] = {
    PERFPACT_RULE(shl(x, zero), x),
    PERFPACT_RULE(shl(zero, x), zero),
    {"x << k => x[w-1-k:0] . 0", shifted_left},
};

constexpr Rule kLShr[] = {
    PERFPACT_RULE(lshr(x, zero), x),
    PERFPACT_RULE(lshr(zero, x), zero),
    {"x >> k => 0 . x[w-1:k]", shifted_right},
};

constexpr Rule kAShr[] = {
    PERFPACT_RULE(ashr(x, zero), x),
    {"ashr(x, k) => sign extension of x[w-1:k]", shifted_right_signed},
    {"ashr(x, y), x positive => x >> y",
     [](Context& context, Expr e) {
       return e[0].facts().sign() == false ? context.lshr(e[0], e[1]) : Expr();
     }},
};

}  // namespace

std::span<const Rule> bitwise_rules(Op op) {
  switch (op) {
    case Op::And:
      return kAnd;
    case Op::Or:
      return kOr;
    case Op::Xor:
      return kXor;
    case Op::Not:
      return kNot;
    default:
      return {};
  }
}

std::span<const Rule> shift_rules(Op op) {
  switch (op) {
    case Op::Shl:
      return kShl;
    case Op::LShr:
      return kLShr;
    case Op::AShr:
      return kAShr;
    default:
      return {};
  }
}

}  // namespace perfpact::smt
