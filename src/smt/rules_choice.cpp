// Choices; arrays.
#include "smt/pattern.h"

namespace perfpact::smt {
namespace {

using namespace pattern;

Expr choice_with_truth(Context& context, Expr e) {
  if (e.width() != 1 || e.is_array()) return {};
  const Expr condition = e[0];
  if (e[1].is_true()) return context.or_(condition, e[2]);
  if (e[1].is_false()) return context.and_(context.not_(condition), e[2]);
  if (e[2].is_true()) return context.or_(context.not_(condition), e[1]);
  if (e[2].is_false()) return context.and_(condition, e[1]);
  return {};
}

constexpr Rule kIte[] = {
    {"ite(c, x, y) => x or y",
     [](Context&, Expr e) { return e[0].is_constant() ? e[e[0].is_true() ? 1 : 2] : Expr(); }},
    PERFPACT_RULE(ite(p, x, x), x),
    PERFPACT_RULE(ite(~p, x, y), ite(p, y, x)),
    {"ite(p, 1, x), 1 bit => p | x, likewise with 0 and for the other arm", choice_with_truth},
    PERFPACT_RULE(ite(p, ite(p, x, y), z), ite(p, x, z)),
    PERFPACT_RULE(ite(p, x, ite(p, y, z)), ite(p, x, z)),
    PERFPACT_RULE(ite(p, x, ite(q, x, y)), ite(p | q, x, y)),
    PERFPACT_RULE(ite(p, ite(q, x, y), y), ite(p& q, x, y)),
};

// Skips the stores that cannot be meant. Those at an equal index end the search.
Expr select_through_stores(Context& context, Expr e) {
  Expr array = e[0];
  const Expr index = e[1];
  while (array.is(Op::Store)) {
    const Expr same = context.eq(array[1], index);
    if (same.is_true()) return array[2];
    if (!same.is_false()) break;
    array = array[0];
  }
  return array == e[0] ? Expr() : context.select(array, index);
}

constexpr Rule kSelect[] = {
    {"constant-array(x)[y] => x",
     [](Context&, Expr e) { return e[0].is(Op::ConstantArray) ? e[0][0] : Expr(); }},
    {"store(a, x, z)[y] => z if x == y; a[y] if x != y", select_through_stores},
    {"ite(p, a, b)[x] => ite(p, a[x], b[x]), if that reads through a store",
     [](Context& context, Expr e) {
       if (!e[0].is(Op::Ite)) return Expr();
       const Expr a = context.select(e[0][1], e[1]);
       const Expr b = context.select(e[0][2], e[1]);
       const auto is_read_through = [&](Expr read, Expr array) {
         return !read.is(Op::Select) || read[0] != array;
       };
       const bool helps = is_read_through(a, e[0][1]) || is_read_through(b, e[0][2]);
       return helps ? context.ite(e[0][0], a, b) : Expr();
     }},
};

constexpr Rule kStore[] = {
    {"store(store(a, x, y), x, z) => store(a, x, z)",
     [](Context& context, Expr e) {
       return e[0].is(Op::Store) && e[0][1] == e[1] ? context.store(e[0][0], e[1], e[2]) : Expr();
     }},
    {"store(a, x, a[x]) => a",
     [](Context&, Expr e) {
       return e[2].is(Op::Select) && e[2][0] == e[0] && e[2][1] == e[1] ? e[0] : Expr();
     }},
    {"store(constant-array(x), y, x) => constant-array(x)",
     [](Context&, Expr e) { return e[0].is(Op::ConstantArray) && e[0][0] == e[2] ? e[0] : Expr(); }},
};

}  // namespace

std::span<const Rule> choice_rules(Op op) {
  switch (op) {
    case Op::Ite:
      return kIte;
    case Op::Select:
      return kSelect;
    case Op::Store:
      return kStore;
    default:
      return {};
  }
}

}  // namespace perfpact::smt
