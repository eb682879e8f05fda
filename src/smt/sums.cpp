#include "smt/sums.h"

#include <algorithm>

namespace perfpact::smt {
namespace {

constexpr int kDeepest = 24;  // below which a term is a variable

Rational power_of_two(std::uint32_t exponent) {
  return to_rational(Integer(1) << exponent);
}

}  // namespace

void Sums::add(Sum& to, const Sum& sum, const Rational& times) {
  to.constant += sum.constant * times;
  if (to.row.size() < sum.row.size()) to.row.resize(sum.row.size());
  for (std::size_t i = 0; i < sum.row.size(); ++i) to.row[i] += sum.row[i] * times;
}

Sums::Sum Sums::variable(Expr expr) {
  const auto [known, is_new] = variables_.try_emplace(expr.id(), bounds_.size());
  if (is_new) {
    const Facts facts = facts_.of(expr);
    const bool is_bounded = facts.width != 0 && !facts.is_empty();
    bounds_.emplace_back(is_bounded ? Rational(facts.low) : Rational(0),
                         is_bounded ? Rational(facts.high) : power_of_two(expr.width()) - 1);
    program_.add_variable(bounds_.back().first, bounds_.back().second);
  }
  Sum sum;
  sum.row.resize(known->second + 1);
  sum.row[known->second] = 1;
  return sum;
}

Sums::Sum Sums::sum_of(Expr expr, int depth) {
  if (expr.is_constant()) return number(to_rational(expr.value().number()));
  if (const Facts facts = facts_.of(expr); facts.is_fixed()) return number(Rational(facts.low));
  if (const auto known = known_.find(expr.id()); known != known_.end()) return known->second;
  Sum sum;
  std::optional<Sum> whole = depth < kDeepest ? unwrapped(expr, depth + 1) : std::nullopt;
  const auto wraps = whole ? turns(*whole, expr.width()) : std::nullopt;
  if (wraps) {
    sum = std::move(*whole);
    sum.constant -= to_rational(*wraps) * power_of_two(expr.width());
  } else {
    sum = variable(expr);
  }
  return known_.emplace(expr.id(), std::move(sum)).first->second;
}

std::optional<Sums::Sum> Sums::unwrapped(Expr expr, int depth) {
  Sum sum;
  switch (expr.op()) {
    case Op::Not:
      sum.constant = power_of_two(expr.width()) - 1;
      add(sum, sum_of(expr[0], depth), -1);
      return sum;
    case Op::Neg:
      add(sum, sum_of(expr[0], depth), -1);
      return sum;
    case Op::Add:
    case Op::Sub:
      add(sum, sum_of(expr[0], depth), 1);
      add(sum, sum_of(expr[1], depth), expr.is(Op::Add) ? 1 : -1);
      return sum;
    case Op::Mul:
      if (!expr[1].is_constant()) return std::nullopt;
      add(sum, sum_of(expr[0], depth), to_rational(expr[1].value().number()));
      return sum;
    case Op::Concat:
      add(sum, sum_of(expr[0], depth), power_of_two(expr[1].width()));
      add(sum, sum_of(expr[1], depth), 1);
      return sum;
    case Op::Extract: {
      // Low bits that are all there is.
      const Facts facts = facts_.of(expr[0]);
      if (expr.low() != 0 || facts.width == 0 || facts.high > word_mask(expr.width())) return std::nullopt;
      return sum_of(expr[0], depth);
    }
    default:
      return std::nullopt;
  }
}

// By the bounds of the variables alone.
Rational Sums::least(const Sum& sum, const Rational& sign) const {
  Rational total = sum.constant * sign;
  for (std::size_t i = 0; i < sum.row.size(); ++i) {
    const Rational times = sum.row[i] * sign;
    if (times != 0) total += times * (times > 0 ? bounds_[i].first : bounds_[i].second);
  }
  return total;
}

// Of what was demanded the least value, or with the sign -1 the greatest; nothing: there is no value.
std::optional<Rational> Sums::end(const Sum& sum, const Rational& sign) {
  linear::LinearProgram::Row objective = sum.row;
  for (Rational& coefficient : objective) coefficient *= sign;
  const auto values = program_.minimise(objective);
  if (!values) return std::nullopt;
  Rational result = sum.constant;
  for (std::size_t i = 0; i < objective.size(); ++i) result += sum.row[i] * (*values)[i];
  return result;
}

// How many times 2^width has to be taken off, where that is the same for all values.
std::optional<Integer> Sums::turns(const Sum& sum, std::uint32_t width) {
  const Rational whole = power_of_two(width);
  Rational low = least(sum, 1);
  Rational high = -least(sum, -1);
  if (floor(low / whole) == floor(high / whole)) return floor(low / whole);
  const auto from = end(sum, 1);
  const auto to = end(sum, -1);
  if (!from || !to || floor(*from / whole) != floor(*to / whole)) return std::nullopt;
  return floor(*from / whole);
}

void Sums::demand_at_least(const Sum& high, const Sum& low, const Rational& difference) {
  Sum sum = high;
  add(sum, low, -1);
  // What follows from the bounds need not be said.
  if (least(sum, 1) >= difference) return;
  program_.require_at_least(sum.row, difference - sum.constant);
}

// Where the sign is known.
std::optional<Sums::Sum> Sums::as_signed(Expr expr) {
  const auto sign = facts_.of(expr).sign();
  if (!sign) return std::nullopt;
  Sum sum = sum_of(expr);
  if (*sign) sum.constant -= power_of_two(expr.width());
  return sum;
}

void Sums::demand_less(Expr a, Expr b, bool is_signed, bool less) {
  const auto first = is_signed ? as_signed(a) : sum_of(a);
  const auto second = is_signed ? as_signed(b) : sum_of(b);
  if (!first || !second) return;
  if (less)
    demand_at_least(*second, *first, 1);
  else
    demand_at_least(*first, *second, 0);
}

void Sums::demand(Expr bit) {
  const bool holds = !bit.is(Op::Not);
  const Expr relation = holds ? bit : bit[0];
  switch (relation.op()) {
    case Op::Ult:
    case Op::Slt:
      return demand_less(relation[0], relation[1], relation.is(Op::Slt), holds);
    case Op::Eq: {
      if (!holds) return;
      const Sum first = sum_of(relation[0]);
      const Sum second = sum_of(relation[1]);
      demand_at_least(first, second, 0);
      demand_at_least(second, first, 0);
      return;
    }
    default:
      return;
  }
}

bool Sums::is_contradictory() {
  return facts_.is_contradictory() || !program_.is_possible();
}

Facts Sums::range(Expr expr) {
  const Facts facts = facts_.of(expr);
  if (facts.width == 0) return facts;
  const Sum sum = sum_of(expr);
  const auto low = end(sum, 1);
  const auto high = end(sum, -1);
  if (!low || !high) return facts;
  return meet(facts, Facts::range(facts.width, ceil(*low).convert_to<std::uint64_t>(),
                                  floor(*high).convert_to<std::uint64_t>()));
}

}  // namespace perfpact::smt
