#include "smt/facts.h"

#include <algorithm>
#include <bit>

#include "smt/expr.h"

namespace perfpact::smt {
namespace {

using Word = std::uint64_t;

// Lets bits and interval tighten each other once.
Facts tightened(Facts f) {
  const Word mask = word_mask(f.width);
  if ((f.zeros & f.ones) != 0 || f.low > f.high) {
    f.low = 1;
    f.high = 0;
    return f;
  }
  // The bits above the highest in which the ends differ are those of every value.
  const Word differ = f.low ^ f.high;
  const Word common =
      differ == 0 ? mask : mask & ~word_mask(static_cast<std::uint32_t>(std::bit_width(differ)));
  f.ones |= f.low & common;
  f.zeros |= ~f.low & common;
  f.low = std::max(f.low, f.ones);
  f.high = std::min(f.high, mask & ~f.zeros);
  if ((f.zeros & f.ones) != 0 || f.low > f.high) {
    f.low = 1;
    f.high = 0;
  }
  return f;
}

Facts truth(std::optional<bool> known) {
  return known ? Facts::of(1, *known ? 1 : 0) : Facts::any(1);
}

// carry: the carry into bit 0, known.
Facts sum(const Facts& a, const Facts& b, bool carry, bool no_wrap, Word low, Word high) {
  const std::uint32_t w = a.width;
  const Word mask = word_mask(w);
  const Word in = carry ? 1 : 0;
  const Word greatest = (mask & ~a.zeros) + (mask & ~b.zeros) + in;
  const Word least = a.ones + b.ones + in;
  // Where both operands and the carry are known, so is the sum.
  const Word carry_zero = ~(greatest ^ ~a.zeros ^ ~b.zeros);
  const Word carry_one = least ^ a.ones ^ b.ones;
  const Word known = (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zero | carry_one) & mask;
  Facts result{w, ~greatest & known, least & known, 0, mask};
  if (no_wrap) {
    result.low = low;
    result.high = high;
  }
  return tightened(result);
}

Facts add(const Facts& a, const Facts& b) {
  const Word mask = word_mask(a.width);
  const bool never = a.high <= mask - b.high;
  const bool always = a.low > mask - b.low;  // both ends wrap: the order is kept
  return sum(a, b, false, never || always, (a.low + b.low) & mask, (a.high + b.high) & mask);
}

Facts complement(const Facts& a) {
  const Word mask = word_mask(a.width);
  return {a.width, a.ones, a.zeros, mask - a.high, mask - a.low};
}

Facts subtract(const Facts& a, const Facts& b) {
  const Word mask = word_mask(a.width);
  const bool never = a.low >= b.high;
  const bool always = a.high < b.low;
  return sum(a, complement(b), true, never || always, (a.low - b.high) & mask, (a.high - b.low) & mask);
}

Facts multiply(const Facts& a, const Facts& b) {
  const std::uint32_t w = a.width;
  const Word mask = word_mask(w);
  const auto trailing = [&](const Facts& f) { return static_cast<std::uint32_t>(std::countr_one(f.zeros)); };
  const std::uint32_t zeros = std::min(w, trailing(a) + trailing(b));
  Facts result{w, word_mask(zeros) & mask, 0, 0, mask};
  if (zeros == 0) result.zeros = 0;
  if (b.high == 0 || a.high <= mask / b.high) {
    result.low = a.low * b.low;
    result.high = a.high * b.high;
  }
  return tightened(result);
}

Facts divide(const Facts& a, const Facts& b) {
  if (b.high == 0) return Facts::of(a.width, word_mask(a.width));
  const Word low = a.low / b.high;
  return Facts::range(a.width, low, b.low == 0 ? word_mask(a.width) : a.high / b.low);
}

Facts remainder(const Facts& a, const Facts& b) {
  if (b.high == 0 || a.high < b.low) return a;
  return Facts::range(a.width, 0, b.low == 0 ? a.high : std::min(a.high, b.high - 1));
}

bool are_positive(const Facts& a, const Facts& b) {
  return a.sign() == false && b.sign() == false;
}

Facts bitwise_and(const Facts& a, const Facts& b) {
  return tightened({a.width, a.zeros | b.zeros, a.ones & b.ones, 0, std::min(a.high, b.high)});
}

Facts bitwise_or(const Facts& a, const Facts& b) {
  return tightened({a.width, a.zeros & b.zeros, a.ones | b.ones, std::max(a.low, b.low), word_mask(a.width)});
}

Facts bitwise_xor(const Facts& a, const Facts& b) {
  return Facts::bits(a.width, (a.zeros & b.zeros) | (a.ones & b.ones),
                     (a.zeros & b.ones) | (a.ones & b.zeros));
}

Facts shift_left(const Facts& a, const Facts& b) {
  const std::uint32_t w = a.width;
  if (b.low >= w) return Facts::of(w, 0);
  const auto least = static_cast<std::uint32_t>(b.low);
  const Word mask = word_mask(w);
  if (!b.is_fixed()) return Facts::bits(w, word_mask(least), 0);
  Facts result{w, ((a.zeros << least) | word_mask(least)) & mask, (a.ones << least) & mask, 0, mask};
  if (a.high <= mask >> least) {
    result.low = a.low << least;
    result.high = a.high << least;
  }
  return tightened(result);
}

Facts shift_right(const Facts& a, const Facts& b) {
  const std::uint32_t w = a.width;
  if (b.low >= w) return Facts::of(w, 0);
  const Word high = a.high >> b.low;
  if (!b.is_fixed()) return Facts::range(w, b.high >= w ? 0 : a.low >> b.high, high);
  const Word mask = word_mask(w);
  const Word moved_in = mask & ~(mask >> b.low);
  return tightened({w, (a.zeros >> b.low) | moved_in, a.ones >> b.low, a.low >> b.low, high});
}

Facts concat(const Facts& a, const Facts& b, std::uint32_t width) {
  const std::uint32_t w = b.width;
  return tightened({width, (a.zeros << w) | b.zeros, (a.ones << w) | b.ones, (a.low << w) | b.low,
                    (a.high << w) | b.high});
}

Facts extract(const Facts& a, std::uint32_t low, std::uint32_t width) {
  const Word mask = word_mask(width);
  Facts result{width, (a.zeros >> low) & mask, (a.ones >> low) & mask, 0, mask};
  if (a.high >> low <= mask || ((a.low ^ a.high) >> low & ~mask) == 0) {
    result.low = (a.low >> low) & mask;
    result.high = (a.high >> low) & mask;
  }
  return tightened(result);
}

Facts sign_extend(const Facts& a, std::uint32_t width) {
  const Word extension = word_mask(width) & ~word_mask(a.width);
  const auto sign = a.sign();
  if (!sign) return Facts::bits(width, a.zeros, a.ones);
  const Word added = *sign ? extension : 0;
  return {width, a.zeros | (extension & ~added), a.ones | added, a.low | added, a.high | added};
}

std::optional<bool> equal(const Facts& a, const Facts& b) {
  if (a.is_fixed() && b.is_fixed()) return a.low == b.low;
  const bool apart = a.high < b.low || b.high < a.low || (a.zeros & b.ones) != 0 || (a.ones & b.zeros) != 0;
  return apart ? std::optional(false) : std::nullopt;
}

std::optional<bool> less(const Facts& a, const Facts& b) {
  if (a.high < b.low) return true;
  if (a.low >= b.high) return false;
  return std::nullopt;
}

std::optional<bool> less_signed(const Facts& a, const Facts& b) {
  if (!a.sign() || !b.sign()) return std::nullopt;
  if (*a.sign() != *b.sign()) return *a.sign();
  return less(a, b);
}

// Arithmetic shift right, where the sign is known.
Facts shift_signed(const Facts& a, const Facts& b) {
  if (a.sign() == false) return shift_right(a, b);
  if (a.sign() == true) return complement(shift_right(complement(a), b));
  return Facts::any(a.width);
}

}  // namespace

Facts Facts::any(std::uint32_t width) {
  return width > kWordBits ? none() : Facts{width, 0, 0, 0, word_mask(width)};
}

Facts Facts::of(std::uint32_t width, std::uint64_t value) {
  return {width, word_mask(width) & ~value, value, value, value};
}

Facts Facts::range(std::uint32_t width, std::uint64_t low, std::uint64_t high) {
  return tightened({width, 0, 0, low, high});
}

Facts Facts::bits(std::uint32_t width, std::uint64_t zeros, std::uint64_t ones) {
  return tightened({width, zeros, ones, 0, word_mask(width)});
}

bool Facts::contains(std::uint64_t value) const {
  return width == 0 || (low <= value && value <= high && (value & zeros) == 0 && (~value & ones) == 0);
}

std::optional<bool> Facts::sign() const {
  if (width == 0) return std::nullopt;
  const Word top = Word{1} << (width - 1);
  if ((zeros & top) != 0) return false;
  if ((ones & top) != 0) return true;
  return std::nullopt;
}

Facts meet(const Facts& a, const Facts& b) {
  if (a.width == 0) return b;
  if (b.width == 0) return a;
  return tightened(
      {a.width, a.zeros | b.zeros, a.ones | b.ones, std::max(a.low, b.low), std::min(a.high, b.high)});
}

Facts join(const Facts& a, const Facts& b) {
  if (a.width == 0 || b.width == 0) return Facts::none();
  return tightened(
      {a.width, a.zeros & b.zeros, a.ones & b.ones, std::min(a.low, b.low), std::max(a.high, b.high)});
}

Facts transfer(Expr expr, const Facts& a, const Facts& b, const Facts& c) {
  const std::uint32_t w = expr.width();
  if (w > kWordBits || expr.is_array()) return Facts::none();
  const bool known = (expr.arity() < 1 || a.width != 0) && (expr.arity() < 2 || b.width != 0);
  if (!known) return Facts::any(w);
  switch (expr.op()) {
    case Op::Constant:
      return Facts::of(w, expr.value().word());
    case Op::Not:
      return complement(a);
    case Op::Neg:
      return subtract(Facts::of(w, 0), a);
    case Op::Add:
      return add(a, b);
    case Op::Sub:
      return subtract(a, b);
    case Op::Mul:
      return multiply(a, b);
    case Op::UDiv:
      return divide(a, b);
    case Op::URem:
      return remainder(a, b);
    case Op::SDiv:
      return are_positive(a, b) && b.low != 0 ? divide(a, b) : Facts::any(w);
    case Op::SRem:
      return are_positive(a, b) ? remainder(a, b) : Facts::any(w);
    case Op::And:
      return bitwise_and(a, b);
    case Op::Or:
      return bitwise_or(a, b);
    case Op::Xor:
      return bitwise_xor(a, b);
    case Op::Shl:
      return shift_left(a, b);
    case Op::LShr:
      return shift_right(a, b);
    case Op::AShr:
      return shift_signed(a, b);
    case Op::Eq:
      return truth(equal(a, b));
    case Op::Ult:
      return truth(less(a, b));
    case Op::Slt:
      return truth(less_signed(a, b));
    case Op::Concat:
      return concat(a, b, w);
    case Op::Extract:
      return extract(a, expr.low(), w);
    case Op::SExt:
      return sign_extend(a, w);
    case Op::Ite:
      if (a.is_fixed()) return a.low == 1 ? b : c;
      return join(b, c);
    default:
      return Facts::any(w);
  }
}

}  // namespace perfpact::smt
