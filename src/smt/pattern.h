// The language in which rules are written: terms over variables that match an expression, or are built from
// what was matched.
//
//   PERFPACT_RULE((x + c) + d, x + (c + d))
//
// x, y, z match anything; p, q anything of 1 bit; c, d constants; zero, one and ones the constant as wide
// as its place demands. A variable that stands twice must match the same expression twice. The operands of a
// commutative operation match in either order. Operators have C++'s precedence: `==` binds tighter than `&`.
#pragma once
#include "smt/rules.h"

namespace perfpact::smt::pattern {

struct Match {
  Context& context;
  std::array<Expr, 7> bound{};
};

/// Base of every term. A term has
///   matches(expr, match, rest): whether it matches and then `rest` (what is still to be matched) does too,
///   so
///     that the other order of commutative operands is tried where the rest fails;
///   build(match, width): the expression, of this width where the term itself does not say it.
struct Term {};
template <class T>
concept IsTerm = std::is_base_of_v<Term, T>;

enum class Kind : std::uint8_t { Any, Bit, Constant };

template <std::size_t index, Kind kind>
struct Variable : Term {
  static bool matches(Expr expr, Match& match, const auto& rest) {
    if (kind == Kind::Constant && !expr.is_constant()) return false;
    if (kind == Kind::Bit && (expr.width() != 1 || expr.is_array())) return false;
    if (match.bound[index]) return match.bound[index] == expr && rest();
    match.bound[index] = expr;
    if (rest()) return true;
    match.bound[index] = Expr();
    return false;
  }
  static Expr build(Match& match, std::uint32_t) { return match.bound[index]; }
};

enum class Special : std::uint8_t { Zero, One, Ones };
template <Special special>
struct Literal : Term {
  static bool matches(Expr expr, Match&, const auto& rest) {
    if (!expr.is_constant()) return false;
    if (special == Special::Zero) return expr.value().is_zero() && rest();
    return (special == Special::One ? expr.value().is_one() : expr.value().is_ones()) && rest();
  }
  static Expr build(Match& match, std::uint32_t width) {
    if (special == Special::Zero) return match.context.zero(width);
    return special == Special::One ? match.context.constant(width, 1) : match.context.ones(width);
  }
};

template <Op op, IsTerm A>
struct Unary : Term {
  static bool matches(Expr expr, Match& match, const auto& rest) {
    return expr.is(op) && A::matches(expr[0], match, rest);
  }
  static Expr build(Match& match, std::uint32_t width) {
    return match.context.make(op, {A::build(match, width)});
  }
};

template <Op op, IsTerm A, IsTerm B>
struct Binary : Term {
  static bool matches(Expr expr, Match& match, const auto& rest) {
    const auto in_order = [&](Expr a, Expr b) {
      return A::matches(a, match, [&] { return B::matches(b, match, rest); });
    };
    if (!expr.is(op)) return false;
    return in_order(expr[0], expr[1]) || (is_commutative(op) && in_order(expr[1], expr[0]));
  }
  // The left side of a comparison never is a literal: it says how wide the right one is.
  static Expr build(Match& match, std::uint32_t width) {
    const Expr a = A::build(match, width);
    return match.context.make(op, {a, B::build(match, a.width())});
  }
};

template <IsTerm A, IsTerm B, IsTerm C>
struct Choice : Term {
  static bool matches(Expr expr, Match& match, const auto& rest) {
    return expr.is(Op::Ite) && A::matches(expr[0], match, [&] {
             return B::matches(expr[1], match, [&] { return C::matches(expr[2], match, rest); });
           });
  }
  static Expr build(Match& match, std::uint32_t width) {
    const Expr condition = A::build(match, 1);
    const Expr a = B::build(match, width);
    return match.context.ite(condition, a, C::build(match, width));
  }
};

inline constexpr Variable<0, Kind::Any> x;
inline constexpr Variable<1, Kind::Any> y;
inline constexpr Variable<2, Kind::Any> z;
inline constexpr Variable<3, Kind::Bit> p;
inline constexpr Variable<4, Kind::Bit> q;
inline constexpr Variable<5, Kind::Constant> c;
inline constexpr Variable<6, Kind::Constant> d;
inline constexpr Literal<Special::Zero> zero;
inline constexpr Literal<Special::One> one;
inline constexpr Literal<Special::Ones> ones;

template <IsTerm A>
constexpr Unary<Op::Not, A> operator~(A) {
  return {};
}
template <IsTerm A>
constexpr Unary<Op::Neg, A> operator-(A) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Add, A, B> operator+(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Sub, A, B> operator-(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Mul, A, B> operator*(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::And, A, B> operator&(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Or, A, B> operator|(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Xor, A, B> operator^(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Eq, A, B> operator==(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Ult, A, B> operator<(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Slt, A, B> slt(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::UDiv, A, B> udiv(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::URem, A, B> urem(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::SDiv, A, B> sdiv(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::SRem, A, B> srem(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Shl, A, B> shl(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::LShr, A, B> lshr(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::AShr, A, B> ashr(A, B) {
  return {};
}
template <IsTerm A, IsTerm B>
constexpr Binary<Op::Select, A, B> select(A, B) {
  return {};
}
template <IsTerm A, IsTerm B, IsTerm C>
constexpr Choice<A, B, C> ite(A, B, C) {
  return {};
}

/// Where `match` matches the candidate, `result` built from it.
template <IsTerm M, IsTerm R>
Expr apply(Context& context, Expr candidate, M, R) {
  Match match{context};
  if (!M::matches(candidate, match, [] { return true; })) return {};
  return R::build(match, candidate.width());
}

}  // namespace perfpact::smt::pattern

/// A rule without further condition.
#define PERFPACT_RULE(match, result)                                             \
  ::perfpact::smt::Rule {                                                        \
    #match " => " #result, [](Context& context, Expr candidate) -> Expr {        \
      return ::perfpact::smt::pattern::apply(context, candidate, match, result); \
    }                                                                            \
  }
