#include "smt/search.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "smt/semantics.h"

namespace perfpact::smt {
namespace {

constexpr int kRounds = 16;
constexpr int kDepth = 48;
constexpr int kSteps = 2000;  // of one move: alternatives within alternatives multiply

Integer ones_of(std::uint32_t width) {
  return all_ones(width);
}

// Pushes one target value down to symbols.
class Move {
 public:
  /// `swaps`: which side of an equation changes first.
  Move(Evaluation& now, Model& next, LearnedFacts& facts, bool swaps)
      : now_(now), next_(next), facts_(facts), swaps_(swaps) {}

  // Changes `next` such that `expr` should become `target`; false where no way is known.
  bool want(Expr expr, const Value& target, int depth = 0) {
    if (now_.value(expr) == target) return true;
    if (expr.width() <= kWordBits && !facts_.of(expr).contains(target.word())) return false;
    if (depth > kDepth || ++steps_ > kSteps) return false;
    switch (expr.op()) {
      case Op::Constant:
        return false;
      case Op::Symbol:
        next_.set(expr, target);
        return true;
      case Op::Select:
        if (!expr[0].is(Op::Symbol)) return false;
        next_.set_element(expr[0], now_.value(expr[1]).word(), target);
        return true;
      case Op::Ite:
        return want_choice(expr, target, depth + 1);
      case Op::Eq:
        return target.is_one() ? want_equal(expr, depth + 1) : want_different(expr, depth + 1);
      case Op::Ult:
      case Op::Slt:
        return want_order(expr, target.is_one(), depth + 1);
      default:
        return expr.arity() == 1 ? want_unary(expr, target, depth + 1) : want_binary(expr, target, depth + 1);
    }
  }

 private:
  [[nodiscard]] Integer number(Expr expr) { return now_.value(expr).number(); }
  bool want_number(Expr expr, const Integer& target, int depth) {
    return want(expr, Value(expr.width(), target), depth);
  }

  bool want_choice(Expr expr, const Value& target, int depth) {
    const bool first = now_.holds(expr[0]);
    const Expr other = expr[first ? 2 : 1];
    const Value flipped(1, first ? 0 : 1);
    if (now_.value(other) == target && want(expr[0], flipped, depth)) return true;
    if (want(expr[first ? 1 : 2], target, depth)) return true;
    return want(other, target, depth) && want(expr[0], flipped, depth);
  }

  bool want_equal(Expr expr, int depth) {
    const Expr first = expr[swaps_ ? 1 : 0];
    const Expr second = expr[swaps_ ? 0 : 1];
    return want(first, now_.value(second), depth) || want(second, now_.value(first), depth);
  }

  bool want_different(Expr expr, int depth) {
    const std::uint32_t w = expr[0].width();
    const Integer size = ones_of(w) + 1;
    const Integer from = number(expr[0]);
    for (const int step : {1, -1, 2, -2}) {
      const Integer target = (from + size + step) % size;
      if (want_number(expr[0], target, depth) || want_number(expr[1], target, depth)) return true;
    }
    return false;
  }

  // a < b, or a >= b, by moving one side just over the other. Signed order is unsigned order with the sign
  // bit flipped.
  bool want_order(Expr expr, bool less, int depth) {
    const std::uint32_t w = expr[0].width();
    const Integer flip = expr.is(Op::Slt) ? Integer(Integer(1) << (w - 1)) : Integer(0);
    const Integer a = number(expr[0]) ^ flip;
    const Integer b = number(expr[1]) ^ flip;
    const auto move = [&](std::size_t side, const Integer& target, bool up) {
      if (target < 0 || target > ones_of(w)) return false;
      if (want_number(expr[side], target ^ flip, depth)) return true;
      const auto near = nearest(expr[side], target ^ flip, up);
      return near && *near != (target ^ flip) && ((*near ^ flip) >= target) == up &&
             want_number(expr[side], *near, depth);
    };
    if (!less) return move(0, b, true) || move(1, a, false);
    return move(0, b - 1, false) || move(0, 0, true) || move(1, a + 1, true);
  }

  // The number nearest to the target, not below it (or not above it), that has the low bits that the
  // expression is known to have.
  std::optional<Integer> nearest(Expr expr, const Integer& target, bool up) {
    if (expr.width() > kWordBits) return std::nullopt;
    const Facts facts = facts_.of(expr);
    const int known = std::countr_one(facts.zeros | facts.ones);
    if (known == 0 || known >= static_cast<int>(expr.width())) return std::nullopt;
    const std::uint64_t step = std::uint64_t{1} << known;
    const auto from = static_cast<std::uint64_t>(target);
    const std::uint64_t above = from + ((facts.ones - from) & (step - 1));
    if (up) return above < from ? std::nullopt : std::optional(Integer(above & word_mask(expr.width())));
    if (above == from) return Integer(from);
    return above < step ? std::nullopt : std::optional(Integer(above - step));
  }

  bool want_unary(Expr expr, const Value& target, int depth) {
    const Expr a = expr[0];
    switch (expr.op()) {
      case Op::Not:
      case Op::Neg:
        return want(a, value_of(expr, std::array{target}), depth);
      case Op::Extract: {
        if (a.is(Op::LShr) && a[0].is_constant()) return want_shifted_out(expr, target, depth);
        const Integer mask = Integer(ones_of(expr.width()) << expr.low());
        const Integer kept = number(a) & (ones_of(a.width()) ^ mask);
        return want_number(a, kept | (target.number() << expr.low()), depth);
      }
      case Op::SExt: {
        const Value cut(a.width(), target.number());
        return value_of(expr, std::array{cut}) == target && want(a, cut, depth);
      }
      default:
        return false;
    }
  }

  // Some bits of a constant, by the amount that it is shifted: a set of small numbers is tested so.
  bool want_shifted_out(Expr expr, const Value& target, int depth) {
    const Expr amount = expr[0][1];
    const Integer constant = number(expr[0][0]);
    for (std::uint32_t i = 0; i < expr[0].width(); ++i) {
      const Integer shifted = constant >> (i + expr.low());
      if ((shifted & ones_of(expr.width())) == target.number() && want_number(amount, i, depth)) return true;
    }
    return false;
  }

  bool want_binary(Expr expr, const Value& target, int depth) {
    if (expr.is(Op::Concat)) {
      const std::uint32_t border = expr[1].width();
      return want(expr[0], Value(expr[0].width(), target.number() >> border), depth) &&
             want(expr[1], Value(border, target.number()), depth);
    }
    if (expr.is(Op::And) || expr.is(Op::Or)) return want_bits(expr, target.number(), depth);
    for (const std::size_t i : {0, 1}) {
      if (expr[i].is_constant()) continue;
      const auto operand = inverse(expr, target.number(), i);
      if (operand && want_number(expr[i], *operand, depth)) return true;
    }
    return false;
  }

  bool want_bits(Expr expr, const Integer& target, int depth) {
    const Integer all = ones_of(expr.width());
    // An or is the complement of the and of the complements.
    const Integer flip = expr.is(Op::Or) ? all : Integer(0);
    const Integer goal = target ^ flip;
    for (const std::size_t i : {0, 1}) {
      const Integer a = number(expr[i]) ^ flip;
      const Integer b = number(expr[1 - i]) ^ flip;
      // `a` gives up the ones that stand in the way; both get those that are needed.
      const Integer must_go = b & (all ^ goal);
      const Integer new_a = (a & (all ^ must_go)) | goal;
      const Integer new_b = b | goal;
      if (want_number(expr[i], new_a ^ flip, depth) && want_number(expr[1 - i], new_b ^ flip, depth)) {
        return true;
      }
    }
    return false;
  }

  // What operand i must be for the result to be `target`, the other one staying as it is.
  std::optional<Integer> inverse(Expr expr, const Integer& target, std::size_t i) {
    const Integer other = number(expr[1 - i]);
    const Integer size = ones_of(expr.width()) + 1;
    switch (expr.op()) {
      case Op::Add:
        return (target + size - other) % size;
      case Op::Sub:
        return i == 0 ? Integer((target + other) % size) : Integer((other + size - target) % size);
      case Op::Xor:
        return target ^ other;
      case Op::Mul:
        if (other != 0 && target % other == 0) return target / other;
        return std::nullopt;
      case Op::UDiv:
        if (i == 0 && target * other < size) return target * other;
        return std::nullopt;
      case Op::URem:
        if (i == 0 && target < other) {
          const Integer now = number(expr[0]);
          return now - now % other + target;
        }
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  Evaluation& now_;
  Model& next_;
  LearnedFacts& facts_;
  bool swaps_;
  int steps_ = 0;
};

// Brings every symbol below the constraints into the interval that the facts allow.
void fit(Model& model, std::span<const Expr> constraints, LearnedFacts& facts) {
  NodeMap<bool> seen;
  const auto is_seen = [&](Expr e) { return seen.find(e) != nullptr; };
  for (const Expr constraint : constraints) {
    post_order(constraint, is_seen, [&](Expr e) {
      seen.set(e, true);
      if (!e.is(Op::Symbol) || e.is_array() || e.width() > kWordBits) return;
      const Facts f = facts.of(e);
      const std::uint64_t value = model.value(e).word();
      if (f.contains(value) || f.is_empty()) return;
      const std::uint64_t bits = (value & ~f.zeros) | f.ones;
      model.set(e, Value(e.width(), f.contains(bits) ? bits : std::clamp(bits, f.low, f.high)));
    });
  }
}

}  // namespace

std::shared_ptr<const Model> search_model(const std::shared_ptr<const Model>& start,
                                          std::span<const Expr> constraints, LearnedFacts& facts) {
  auto model = std::make_shared<Model>(*start);
  fit(*model, constraints, facts);
  for (int round = 0; round < kRounds; ++round) {
    Evaluation now(model);
    const auto broken =
        std::find_if(constraints.rbegin(), constraints.rend(), [&](Expr e) { return !now.holds(e); });
    if (broken == constraints.rend()) return model;
    auto next = std::make_shared<Model>(*model);
    // Two rounds alike: one breaks the equation again, so that the third must not do as the first did.
    if (!Move(now, *next, facts, round % 4 >= 2).want(*broken, Value(1, 1))) return nullptr;
    model = std::move(next);
  }
  return nullptr;
}

}  // namespace perfpact::smt
