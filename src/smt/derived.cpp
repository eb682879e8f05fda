#include "smt/derived.h"

namespace perfpact::smt {
namespace {

Expr sign_of(Context& context, Expr a) {
  return context.extract(a.width() - 1, a.width() - 1, a);
}

// What a signed result that wraps becomes: the greatest value where `a` is positive, else the least.
Expr signed_end(Context& context, Expr a) {
  const Value least(a.width(), Integer(1) << (a.width() - 1));
  return context.ite(sign_of(context, a), context.constant(least), context.not_(context.constant(least)));
}

// Halves are counted and added, in as few bits as the sum needs.
Expr sum_of_bits(Context& context, Expr a) {
  if (a.width() == 1) return a;
  const std::uint32_t half = a.width() / 2;
  const Expr low = sum_of_bits(context, context.extract(half - 1, 0, a));
  const Expr high = sum_of_bits(context, context.extract(a.width() - 1, half, a));
  const std::uint32_t width = high.width() + 1;
  return context.add(context.zext(low, width), context.zext(high, width));
}

}  // namespace

Expr resize(Context& context, Expr a, std::uint32_t width) {
  return width <= a.width() ? context.extract(width - 1, 0, a) : context.zext(a, width);
}

Expr shift(Context& context, Op op, Expr a, Expr amount) {
  const std::uint32_t width = a.width();
  const Expr plain = context.make(op, {a, resize(context, amount, width)});
  if (amount.width() <= width) return plain;
  // An amount whose high bits are cut off is above every width.
  const Expr high = context.extract(amount.width() - 1, width, amount);
  const Expr all = op == Op::AShr ? context.sext(sign_of(context, a), width) : context.zero(width);
  return context.ite(context.eq(high, context.zero(high.width())), plain, all);
}

Expr insert(Context& context, Expr a, std::uint32_t high, std::uint32_t low, Expr b) {
  Expr result = b;
  if (high + 1 < a.width()) result = context.concat(context.extract(a.width() - 1, high + 1, a), result);
  return low == 0 ? result : context.concat(result, context.extract(low - 1, 0, a));
}

Expr add_saturated(Context& context, Expr a, Expr b) {
  const Expr sum = context.add(a, b);
  return context.ite(context.ult(sum, a), context.ones(a.width()), sum);
}

Expr sub_saturated(Context& context, Expr a, Expr b) {
  return context.ite(context.ult(a, b), context.zero(a.width()), context.sub(a, b));
}

Expr add_overflows_signed(Context& context, Expr a, Expr b) {
  const Expr sign = sign_of(context, a);
  const Expr equal_signs = context.eq(sign, sign_of(context, b));
  return context.and_(equal_signs, context.ne(sign, sign_of(context, context.add(a, b))));
}

Expr sub_overflows_signed(Context& context, Expr a, Expr b) {
  const Expr sign = sign_of(context, a);
  const Expr unequal_signs = context.ne(sign, sign_of(context, b));
  return context.and_(unequal_signs, context.ne(sign, sign_of(context, context.sub(a, b))));
}

Expr add_saturated_signed(Context& context, Expr a, Expr b) {
  return context.ite(add_overflows_signed(context, a, b), signed_end(context, a), context.add(a, b));
}

Expr sub_saturated_signed(Context& context, Expr a, Expr b) {
  return context.ite(sub_overflows_signed(context, a, b), signed_end(context, a), context.sub(a, b));
}

Expr count_ones(Context& context, Expr a) {
  return resize(context, sum_of_bits(context, a), a.width());
}

Expr count_leading_zeros(Context& context, Expr a) {
  Expr count = context.constant(a.width(), a.width());
  for (std::uint32_t i = 0; i < a.width(); ++i)
    count = context.ite(context.extract(i, i, a), context.constant(a.width(), a.width() - 1 - i), count);
  return count;
}

Expr count_trailing_zeros(Context& context, Expr a) {
  Expr count = context.constant(a.width(), a.width());
  for (std::uint32_t i = a.width(); i-- > 0;)
    count = context.ite(context.extract(i, i, a), context.constant(a.width(), i), count);
  return count;
}

Expr swap_bytes(Context& context, Expr a) {
  Expr swapped = context.extract(7, 0, a);
  for (std::uint32_t low = 8; low < a.width(); low += 8)
    swapped = context.concat(swapped, context.extract(low + 7, low, a));
  return swapped;
}

}  // namespace perfpact::smt
