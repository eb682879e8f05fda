// The concrete meaning of every operation on bit vectors, written once: constant folding, evaluation under
// a model and the tests use it. `Number` is std::uint64_t where everything fits into a word, else Integer.
// Tested by tests/smt/semantics_test.cpp against arithmetic on machine integers.
#pragma once
#include <span>
#include <type_traits>

#include "base/check.h"
#include "smt/expr.h"

namespace perfpact::smt {

template <class Number>
class Semantics {
 public:
  /// The value of `expr`, no leaf and without arrays, from those of its operands.
  static Number apply(Expr expr, const Number& a, const Number& b, const Number& c) {
    const std::uint32_t w = expr.width();
    switch (expr.op()) {
      case Op::Not:
        return Number(mask(w) ^ a);
      case Op::Neg:
        return negate(a, w);
      case Op::Add:
        return Number((a + b) & mask(w));
      case Op::Sub:
        return Number((a + negate(b, w)) & mask(w));
      case Op::Mul:
        return Number((a * b) & mask(w));
      case Op::UDiv:
        return b == 0 ? mask(w) : Number(a / b);
      case Op::URem:
        return b == 0 ? a : Number(a % b);
      case Op::SDiv:
        return with_sign(unsigned_divide(magnitude(a, w), magnitude(b, w), w), sign(a, w) != sign(b, w), w);
      case Op::SRem:
        return b == 0 ? a : with_sign(Number(magnitude(a, w) % magnitude(b, w)), sign(a, w), w);
      case Op::And:
        return Number(a & b);
      case Op::Or:
        return Number(a | b);
      case Op::Xor:
        return Number(a ^ b);
      case Op::Shl:
        return b >= w ? Number(0) : Number((a << static_cast<unsigned>(b)) & mask(w));
      case Op::LShr:
        return b >= w ? Number(0) : Number(a >> static_cast<unsigned>(b));
      case Op::AShr:
        return shift_signed(a, b, w);
      case Op::Eq:
        return Number(a == b ? 1 : 0);
      case Op::Ult:
        return Number(a < b ? 1 : 0);
      case Op::Slt:
        return Number(less_signed(a, b, expr[0].width()) ? 1 : 0);
      case Op::Concat:
        return Number((a << expr[1].width()) | b);
      case Op::Extract:
        return Number((a >> expr.low()) & mask(w));
      case Op::SExt:
        return sign(a, expr[0].width()) ? Number(a | (mask(w) ^ mask(expr[0].width()))) : a;
      case Op::Ite:
        return a != 0 ? b : c;
      default:
        PERFPACT_CHECK(false, "{} has no value of its own", to_string(expr.op()));
    }
  }

 private:
  static Number mask(std::uint32_t width) {
    if constexpr (std::is_same_v<Number, std::uint64_t>) {
      return word_mask(width);
    } else {
      return all_ones(width);
    }
  }
  static bool sign(const Number& a, std::uint32_t w) { return ((a >> (w - 1)) & 1) != 0; }
  static Number negate(const Number& a, std::uint32_t w) { return Number(((mask(w) ^ a) + 1) & mask(w)); }
  static Number with_sign(const Number& a, bool negative, std::uint32_t w) {
    return negative ? negate(a, w) : a;
  }
  static Number magnitude(const Number& a, std::uint32_t w) { return with_sign(a, sign(a, w), w); }
  static Number unsigned_divide(const Number& a, const Number& b, std::uint32_t w) {
    return b == 0 ? mask(w) : Number(a / b);
  }
  static Number shift_signed(const Number& a, const Number& b, std::uint32_t w) {
    const Number all = sign(a, w) ? mask(w) : Number(0);
    if (b >= w) return all;
    const auto amount = static_cast<unsigned>(b);
    return Number((a >> amount) | (all ^ (all >> amount)));
  }
  static bool less_signed(const Number& a, const Number& b, std::uint32_t w) {
    return sign(a, w) == sign(b, w) ? a < b : sign(a, w);
  }
};

/// The value of `expr`, no leaf and without arrays, from those of its operands.
[[nodiscard]] Value value_of(Expr expr, std::span<const Value> operands);

}  // namespace perfpact::smt
