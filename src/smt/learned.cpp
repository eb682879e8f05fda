#include "smt/learned.h"

#include <algorithm>

namespace perfpact::smt {
namespace {

// How many nodes one query of facts may visit anew, and how many facts one assumption may change. Beyond it
// less is known.
constexpr std::size_t kMostVisited = 400;
constexpr std::size_t kMostLearned = 400;

}  // namespace

Facts LearnedFacts::current(Expr expr) const {
  if (const Facts* facts = derived_.find(expr)) return *facts;
  if (const Facts* facts = learned_.find(expr)) return *facts;
  return expr.facts();
}

Facts LearnedFacts::of(Expr root) {
  std::size_t visited = 0;
  const auto is_done = [&](Expr e) {
    return visited > kMostVisited || e.is_constant() || derived_.find(e) != nullptr;
  };
  post_order(root, is_done, [&](Expr e) {
    ++visited;
    const auto operand = [&](std::size_t i) { return i < e.arity() ? current(e[i]) : Facts::none(); };
    derived_.set(e, meet(current(e), transfer(e, operand(0), operand(1), operand(2))));
  });
  return current(root);
}

void LearnedFacts::undo(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) learned_.set(trail_.back().first, trail_.back().second);
  if (contradictory_at_ && *contradictory_at_ > mark) contradictory_at_.reset();
  derived_.clear();
}

void LearnedFacts::learn(Expr root, const Facts& facts) {
  pending_.assign(1, {root, facts});
  for (std::size_t changed = 0; !pending_.empty() && changed < kMostLearned && !is_contradictory();) {
    const Task task = pending_.back();
    pending_.pop_back();
    const Facts before = current(task.expr);
    const Facts after = meet(before, task.facts);
    if (after == before || after.width == 0) continue;
    ++changed;
    trail_.emplace_back(task.expr, learned_.find(task.expr) ? *learned_.find(task.expr) : task.expr.facts());
    learned_.set(task.expr, after);
    derived_.clear();
    if (after.is_empty()) {
      contradictory_at_ = trail_.size();
    } else {
      push_down(task.expr, after);
    }
  }
}

void LearnedFacts::note(Expr expr, const Facts& facts) {
  pending_.push_back({expr, facts});
}

void LearnedFacts::push_down(Expr expr, const Facts& facts) {
  switch (expr.op()) {
    case Op::Eq:
      if (facts.is_fixed()) push_down_equal(expr[0], expr[1], facts.low == 1);
      return;
    case Op::Ult:
      if (facts.is_fixed()) push_down_less(expr[0], expr[1], facts.low == 1);
      return;
    case Op::Slt:
      if (facts.is_fixed()) push_down_less_signed(expr[0], expr[1], facts.low == 1);
      return;
    case Op::Ite:
      push_down_choice(expr, facts);
      return;
    case Op::Add:
      push_down_sum(expr[0], facts, of(expr[1]));
      push_down_sum(expr[1], facts, of(expr[0]));
      return;
    default:
      push_down_word(expr, facts);
  }
}

void LearnedFacts::push_down_word(Expr expr, const Facts& f) {
  const std::uint32_t w = expr.width();
  const auto pair = [&](auto note_for) {
    const Facts a = of(expr[0]);
    const Facts b = of(expr[1]);
    note(expr[0], note_for(b));
    note(expr[1], note_for(a));
  };
  switch (expr.op()) {
    case Op::Not:
      note(expr[0], transfer(expr, f, {}, {}));
      return;
    case Op::And:
      pair([&](const Facts& other) { return Facts::bits(w, f.zeros & other.ones, f.ones); });
      return;
    case Op::Or:
      pair([&](const Facts& other) { return Facts::bits(w, f.zeros, f.ones & other.zeros); });
      return;
    case Op::Xor:
      pair([&](const Facts& other) { return transfer(expr, f, other, {}); });
      return;
    case Op::Concat: {
      const std::uint32_t low_width = expr[1].width();
      const std::uint64_t mask = word_mask(low_width);
      note(expr[0], meet(Facts::bits(w - low_width, f.zeros >> low_width, f.ones >> low_width),
                         Facts::range(w - low_width, f.low >> low_width, f.high >> low_width)));
      const bool one_high = f.low >> low_width == f.high >> low_width;
      note(expr[1],
           meet(Facts::bits(low_width, f.zeros & mask, f.ones & mask),
                one_high ? Facts::range(low_width, f.low & mask, f.high & mask) : Facts::any(low_width)));
      return;
    }
    case Op::Extract: {
      const std::uint32_t whole = expr[0].width();
      if (whole > kWordBits) return;
      note(expr[0], Facts::bits(whole, f.zeros << expr.low(), f.ones << expr.low()));
      if (expr.low() + w != whole) return;
      note(expr[0], Facts::range(whole, f.low << expr.low(), (f.high << expr.low()) | word_mask(expr.low())));
      return;
    }
    case Op::SExt: {
      const std::uint64_t mask = word_mask(expr[0].width());
      note(expr[0], Facts::bits(expr[0].width(), f.zeros & mask, f.ones & mask));
      return;
    }
    default:
      return;
  }
}

void LearnedFacts::push_down_equal(Expr a, Expr b, bool equal) {
  const Facts fa = of(a);
  const Facts fb = of(b);
  if (fa.width == 0) return;
  if (equal) {
    note(a, fb);
    note(b, fa);
    return;
  }
  // An end of an interval that is excluded.
  const auto exclude = [&](Expr expr, const Facts& from, const Facts& fixed) {
    if (!fixed.is_fixed() || from.low == from.high) return;
    if (from.low == fixed.low) note(expr, Facts::range(from.width, from.low + 1, from.high));
    if (from.high == fixed.low) note(expr, Facts::range(from.width, from.low, from.high - 1));
  };
  exclude(a, fa, fb);
  exclude(b, fb, fa);
}

void LearnedFacts::push_down_less(Expr a, Expr b, bool less) {
  const Facts fa = of(a);
  const Facts fb = of(b);
  if (fa.width == 0) return;
  const std::uint64_t greatest = word_mask(fa.width);
  if (!less) {
    note(a, Facts::range(fa.width, fb.low, greatest));
    note(b, Facts::range(fa.width, 0, fa.high));
  } else if (fb.high != 0 && fa.low != greatest) {
    note(a, Facts::range(fa.width, 0, fb.high - 1));
    note(b, Facts::range(fa.width, fa.low + 1, greatest));
  }
}

// Only where the other side's sign decides that of this one.
void LearnedFacts::push_down_less_signed(Expr a, Expr b, bool less) {
  const Facts fa = of(a);
  const Facts fb = of(b);
  if (fa.width == 0) return;
  const std::uint64_t least = std::uint64_t{1} << (fa.width - 1);  // as unsigned: above all positive ones
  if (less && fb.sign() == true && fb.high > least) note(a, Facts::range(fa.width, least, fb.high - 1));
  if (less && fa.sign() == false && fa.low + 1 < least)
    note(b, Facts::range(fa.width, fa.low + 1, least - 1));
  if (!less && fb.sign() == false) note(a, Facts::range(fa.width, fb.low, least - 1));
  if (!less && fa.sign() == true) note(b, Facts::range(fa.width, least, fa.high));
}

// a = sum - b, where b is known and the interval does not wrap.
void LearnedFacts::push_down_sum(Expr a, const Facts& sum, const Facts& b) {
  if (!b.is_fixed()) return;
  const std::uint64_t mask = word_mask(sum.width);
  const std::uint64_t low = (sum.low - b.low) & mask;
  const std::uint64_t high = (sum.high - b.low) & mask;
  if (low <= high) note(a, Facts::range(sum.width, low, high));
}

void LearnedFacts::push_down_choice(Expr expr, const Facts& facts) {
  const bool first = !meet(of(expr[1]), facts).is_empty();
  const bool second = !meet(of(expr[2]), facts).is_empty();
  const Facts condition = of(expr[0]);
  if (!first) note(expr[0], Facts::of(1, 0));
  if (!second) note(expr[0], Facts::of(1, 1));
  if (condition.is_fixed()) note(expr[condition.low == 1 ? 1 : 2], facts);
}

}  // namespace perfpact::smt
