// Equality, unsigned and signed order.
#include "smt/pattern.h"

namespace perfpact::smt {
namespace {

using namespace pattern;

bool have_equal_parts(Expr e) {
  return e[0].is(Op::Concat) && e[1].is(Op::Concat) && e[0][1].width() == e[1][1].width();
}

// Equality goes through concats: each field by itself.
Expr equal_parts(Context& context, Expr e) {
  if (!have_equal_parts(e) && !(e[0].is(Op::Concat) && e[1].is_constant())) return {};
  const std::uint32_t border = e[0][1].width();
  const std::uint32_t last = e[0].width() - 1;
  return context.and_(context.eq(e[0][0], context.extract(last, border, e[1])),
                      context.eq(e[0][1], context.extract(border - 1, 0, e[1])));
}

Expr equal_sign_extension(Context& context, Expr e) {
  if (!e[0].is(Op::SExt)) return {};
  const Expr inner = e[0][0];
  if (e[1].is(Op::SExt) && e[1][0].width() == inner.width()) return context.eq(inner, e[1][0]);
  if (!e[1].is_constant()) return {};
  const Expr cut = context.extract(inner.width() - 1, 0, e[1]);
  return context.sext(cut, e[1].width()) == e[1] ? context.eq(inner, cut) : context.boolean(false);
}

constexpr Rule kEq[] = {
    PERFPACT_RULE(x == x, one),
    {"x == 1, 1 bit => x", [](Context&, Expr e) { return e[1].is_true() ? e[0] : Expr(); }},
    {"x == 0, 1 bit => ~x",
     [](Context& context, Expr e) { return e[1].is_false() ? context.not_(e[0]) : Expr(); }},
    {"(x . y) == (z . c) => (x == z) & (y == c)", equal_parts},
    {"sext(x) == c => x == c's low bits, or 0", equal_sign_extension},
    PERFPACT_RULE(x + c == d, x == d - c),
    PERFPACT_RULE(x + c == y + d, x == y + (d - c)),
    PERFPACT_RULE(x + y == x, y == zero),
    PERFPACT_RULE(c - x == d, x == c - d),
    PERFPACT_RULE(x - y == zero, x == y),
    PERFPACT_RULE(x - y == x, y == zero),
    PERFPACT_RULE(-x == c, x == -c),
    PERFPACT_RULE(~x == c, x == ~c),
    PERFPACT_RULE(-x == -y, x == y),
    PERFPACT_RULE(~x == ~y, x == y),
    {"~x == y, 1 bit => ~(x == y)",
     [](Context& context, Expr e) {
       for (const std::size_t i : {0, 1}) {
         if (e[0].width() == 1 && e[i].is(Op::Not)) return context.ne(e[i][0], e[1 - i]);
       }
       return Expr();
     }},
    PERFPACT_RULE((x ^ c) == d, x == (c ^ d)),
    PERFPACT_RULE((x ^ y) == zero, x == y),
    PERFPACT_RULE((x ^ y) == x, y == zero),
    PERFPACT_RULE(ite(p, c, x) == d, ite(p, c == d, x == d)),
    PERFPACT_RULE(ite(p, x, c) == d, ite(p, x == d, c == d)),
};

// The bound itself moves: c < x is x >= c + 1.
Expr constant_below(Context& context, Expr e) {
  if (!e[0].is_constant()) return {};
  if (e[0].value().is_ones()) return context.boolean(false);
  return context.not_(context.ult(e[1], context.add(e[0], context.constant(e[0].width(), 1))));
}

Expr less_with_equal_part(Context& context, Expr e) {
  if (!have_equal_parts(e)) return {};
  if (e[0][0] == e[1][0]) return context.ult(e[0][1], e[1][1]);
  if (e[0][1] == e[1][1]) return context.ult(e[0][0], e[1][0]);
  return {};
}

// (x . y) < c is x < c's high part, or equal there and y < c's low part.
Expr less_than_constant(Context& context, Expr e) {
  if (!e[0].is(Op::Concat) || !e[1].is_constant()) return {};
  const std::uint32_t border = e[0][1].width();
  const Expr high = context.extract(e[0].width() - 1, border, e[1]);
  const Expr low = context.extract(border - 1, 0, e[1]);
  if (low.value().is_zero()) return context.ult(e[0][0], high);
  if (!e[0][0].is_constant()) return {};
  if (e[0][0] == high) return context.ult(e[0][1], low);
  return context.boolean(e[0][0].value().number() < high.value().number());
}

constexpr Rule kUlt[] = {
    PERFPACT_RULE(x < x, zero),
    PERFPACT_RULE(x < zero, zero),
    PERFPACT_RULE(x < one, x == zero),
    PERFPACT_RULE(x < ones, ~(x == ones)),
    {"c < x => ~(x < c + 1)", constant_below},
    {"x < y, 1 bit => ~x & y",
     [](Context& context, Expr e) {
       return e[0].width() == 1 ? context.and_(context.not_(e[0]), e[1]) : Expr();
     }},
    PERFPACT_RULE(~x < ~y, y < x),
    {"(x . y) < (x . z) => y < z, (x . y) < (z . y) => x < z", less_with_equal_part},
    {"(x . y) < (c . 0) => x < c, (c . x) < (c . d) => x < d", less_than_constant},
};

// The least and the greatest value of a signed vector.
Value least_signed(std::uint32_t width) {
  return Value(width, Integer(1) << (width - 1));
}
Value greatest_signed(std::uint32_t width) {
  return Value(width, all_ones(width - 1));
}

Expr signed_bounds(Context& context, Expr e) {
  const std::uint32_t width = e[0].width();
  if (e[1].is_constant() && e[1].value() == least_signed(width)) return context.boolean(false);
  if (!e[0].is_constant()) return {};
  if (e[0].value() == greatest_signed(width)) return context.boolean(false);
  return context.not_(context.slt(e[1], context.add(e[0], context.constant(width, 1))));
}

constexpr Rule kSlt[] = {
    PERFPACT_RULE(slt(x, x), zero),
    {"slt(x, least) => 0; slt(greatest, x) => 0; slt(c, x) => ~slt(x, c + 1)", signed_bounds},
    {"slt(x, 0) => x's sign bit",
     [](Context& context, Expr e) {
       const std::uint32_t sign = e[0].width() - 1;
       const bool fits = e[1].is_constant() && e[1].value().is_zero();
       return fits ? context.extract(sign, sign, e[0]) : Expr();
     }},
    {"slt(x, y), equal known signs => x < y",
     [](Context& context, Expr e) {
       const auto sign = e[0].facts().sign();
       return sign && sign == e[1].facts().sign() ? context.ult(e[0], e[1]) : Expr();
     }},
    {"slt(sext(x), sext(y)) => slt(x, y)",
     [](Context& context, Expr e) {
       const bool fits = e[0].is(Op::SExt) && e[1].is(Op::SExt) && e[0][0].width() == e[1][0].width();
       return fits ? context.slt(e[0][0], e[1][0]) : Expr();
     }},
    {"slt(sext(x), c) => slt(x, c's low bits), if those extend to c",
     [](Context& context, Expr e) {
       if (!e[0].is(Op::SExt) || !e[1].is_constant()) return Expr();
       const Expr cut = context.extract(e[0][0].width() - 1, 0, e[1]);
       return context.sext(cut, e[1].width()) == e[1] ? context.slt(e[0][0], cut) : Expr();
     }},
};

}  // namespace

std::span<const Rule> comparison_rules(Op op) {
  switch (op) {
    case Op::Eq:
      return kEq;
    case Op::Ult:
      return kUlt;
    case Op::Slt:
      return kSlt;
    default:
      return {};
  }
}

}  // namespace perfpact::smt
