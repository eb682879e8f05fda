// Concat, extract, sign extension: bits are taken from as far inside as possible.
#include <algorithm>

#include "smt/pattern.h"

namespace perfpact::smt {
namespace {

using namespace pattern;

std::uint32_t top(Expr extract) {
  return extract.low() + extract.width() - 1;
}

Expr extract_of_all(Context&, Expr e) {
  return e.width() == e[0].width() ? e[0] : Expr();
}

Expr extract_of_extract(Context& context, Expr e) {
  if (!e[0].is(Op::Extract)) return {};
  const std::uint32_t base = e[0].low();
  return context.extract(top(e) + base, e.low() + base, e[0][0]);
}

Expr extract_of_concat(Context& context, Expr e) {
  if (!e[0].is(Op::Concat)) return {};
  const Expr high = e[0][0];
  const Expr low = e[0][1];
  const std::uint32_t border = low.width();
  if (top(e) < border) return context.extract(top(e), e.low(), low);
  if (e.low() >= border) return context.extract(top(e) - border, e.low() - border, high);
  return context.concat(context.extract(top(e) - border, 0, high), context.extract(border - 1, e.low(), low));
}

Expr extract_of_sign_extension(Context& context, Expr e) {
  if (!e[0].is(Op::SExt)) return {};
  const Expr inner = e[0][0];
  const std::uint32_t sign = inner.width() - 1;
  return context.sext(context.extract(std::min(top(e), sign), std::min(e.low(), sign), inner), e.width());
}

// Its bits can be taken apart without a new extract of a whole operand.
bool is_divisible(Expr e) {
  return e.is_constant() || e.is(Op::Concat) || e.is(Op::SExt);
}

Expr extract_of_bitwise(Context& context, Expr e) {
  const Expr inner = e[0];
  const auto part = [&](Expr operand) { return context.extract(top(e), e.low(), operand); };
  switch (inner.op()) {
    case Op::Not:
      return context.not_(part(inner[0]));
    case Op::And:
    case Op::Or:
    case Op::Xor:
      if (!is_divisible(inner[0]) && !is_divisible(inner[1])) return {};
      return context.make(inner.op(), {part(inner[0]), part(inner[1])});
    case Op::Ite:
      if (!is_divisible(inner[1]) && !is_divisible(inner[2])) return {};
      return context.ite(inner[0], part(inner[1]), part(inner[2]));
    default:
      return {};
  }
}

// The low bits of a sum or product depend on the low bits of its operands only.
Expr extract_of_arithmetic(Context& context, Expr e) {
  const Expr inner = e[0];
  const bool fits = inner.is(Op::Add) || inner.is(Op::Sub) || inner.is(Op::Mul);
  if (e.low() != 0 || !fits || (!is_divisible(inner[0]) && !is_divisible(inner[1]))) return {};
  return context.make(inner.op(),
                      {context.extract(top(e), 0, inner[0]), context.extract(top(e), 0, inner[1])});
}

constexpr Rule kExtract[] = {
    {"x[w-1:0] => x", extract_of_all},
    {"x[h:l][i:j] => x[i+l:j+l]", extract_of_extract},
    {"(x . y)[h:l] => x[..] . y[..]", extract_of_concat},
    {"sext(x)[h:l] => sext(x[..])", extract_of_sign_extension},
    {"(x & y)[h:l] => x[h:l] & y[h:l], likewise |, ^, ~, ite", extract_of_bitwise},
    {"(x + y)[h:0] => x[h:0] + y[h:0], likewise -, *", extract_of_arithmetic},
};

bool are_adjacent(Expr high, Expr low) {
  return high.is(Op::Extract) && low.is(Op::Extract) && high[0] == low[0] && high.low() == top(low) + 1;
}

bool are_mergeable(Expr high, Expr low) {
  return (high.is_constant() && low.is_constant()) || are_adjacent(high, low);
}

Expr merged_left(Context& context, Expr e) {
  if (!e[0].is(Op::Concat) || !are_mergeable(e[0][1], e[1])) return {};
  return context.concat(e[0][0], context.concat(e[0][1], e[1]));
}

Expr merged_right(Context& context, Expr e) {
  if (!e[1].is(Op::Concat) || !are_mergeable(e[0], e[1][0])) return {};
  return context.concat(context.concat(e[0], e[1][0]), e[1][1]);
}

constexpr Rule kConcat[] = {
    {"x[h:m+1] . x[m:l] => x[h:l]",
     [](Context& context, Expr e) {
       return are_adjacent(e[0], e[1]) ? context.extract(top(e[0]), e[1].low(), e[0][0]) : Expr();
     }},
    {"(x . y) . z, y and z are one => x . (y . z)", merged_left},
    {"x . (y . z), x and y are one => (x . y) . z", merged_right},
    {"(c . x) . y => c . (x . y)",
     [](Context& context, Expr e) {
       if (!e[0].is(Op::Concat) || !e[0][0].is_constant()) return Expr();
       return context.concat(e[0][0], context.concat(e[0][1], e[1]));
     }},
    {"x . (y . z), x no constant => (x . y) . z",
     [](Context& context, Expr e) {
       if (!e[1].is(Op::Concat) || e[0].is_constant()) return Expr();
       return context.concat(context.concat(e[0], e[1][0]), e[1][1]);
     }},
    {"ite(p, c, d) . ite(p, x, y) => ite(p, c . x, d . y)",
     [](Context& context, Expr e) {
       if (!e[0].is(Op::Ite) || !e[1].is(Op::Ite) || e[0][0] != e[1][0]) return Expr();
       return context.ite(e[0][0], context.concat(e[0][1], e[1][1]), context.concat(e[0][2], e[1][2]));
     }},
};

Expr extended_by_known_sign(Context& context, Expr e) {
  const auto sign = e[0].facts().sign();
  const std::uint32_t added = e.width() - e[0].width();
  if (!sign || added == 0) return {};
  return context.concat(*sign ? context.ones(added) : context.zero(added), e[0]);
}

constexpr Rule kSExt[] = {
    {"sext(x) to x's width => x", [](Context&, Expr e) { return e.width() == e[0].width() ? e[0] : Expr(); }},
    {"sext(sext(x)) => sext(x)",
     [](Context& context, Expr e) { return e[0].is(Op::SExt) ? context.sext(e[0][0], e.width()) : Expr(); }},
    {"sext(c . x) => s..s . c . x",
     [](Context& context, Expr e) {
       if (!e[0].is(Op::Concat) || !e[0][0].is_constant()) return Expr();
       const Expr high = context.sext(e[0][0], e.width() - e[0][1].width());
       return context.concat(high, e[0][1]);
     }},
    {"sext(x), sign known => s..s . x", extended_by_known_sign},
};

}  // namespace

std::span<const Rule> slicing_rules(Op op) {
  switch (op) {
    case Op::Extract:
      return kExtract;
    case Op::Concat:
      return kConcat;
    case Op::SExt:
      return kSExt;
    default:
      return {};
  }
}

}  // namespace perfpact::smt
