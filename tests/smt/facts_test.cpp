#include "smt/facts.h"

#include <gtest/gtest.h>

#include "smt/learned.h"
#include "terms.h"

namespace perfpact::smt {
namespace {

using test::for_all_models;
using test::Terms;

TEST(Facts, ContainEveryValue) {
  std::size_t useful = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Context context;
    Terms terms(context, 1 + seed % 3, false, seed);
    terms.grow(40);
    std::vector<Expr> exprs;
    for (std::uint32_t width = 1; width <= test::kWidest; ++width) {
      for (int i = 0; i < 3; ++i) {
        if (const Expr expr = terms.any(width)) exprs.push_back(expr);
      }
    }
    for (const Expr e : exprs) useful += e.facts() != Facts::any(e.width()) && !e.is_constant() ? 1 : 0;
    for_all_models(terms.symbols(), [&](const auto& model) {
      Evaluation evaluation(model);
      for (const Expr e : exprs) {
        ASSERT_TRUE(e.facts().contains(evaluation.value(e).word())) << to_string(e);
      }
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(useful, 1000U);
}

TEST(Facts, AreExactForWordsAtTheEnds) {
  Context c;
  const Expr x = c.symbol("x", 64);
  const Expr small = c.and_(x, c.constant(64, 0xff));
  EXPECT_EQ(small.facts().high, 0xffU);
  EXPECT_EQ(c.add(small, c.constant(64, ~std::uint64_t{0} - 0xff)).facts().low, ~std::uint64_t{0} - 0xff);
  EXPECT_EQ(c.urem(x, c.constant(64, 10)).facts().high, 9U);
}

// Whatever is assumed, facts hold for every assignment that satisfies it, and a contradiction means that none
// does.
TEST(LearnedFacts, HoldWhereTheAssumptionsDo) {
  std::size_t contradictions = 0;
  std::size_t learned = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Context context;
    Terms terms(context, 2 + seed % 2, true, seed);
    terms.grow(25);
    const std::vector<Expr> assumed{terms.any(1), terms.any(1), terms.any(1)};
    LearnedFacts facts;
    for (const Expr bit : assumed) facts.assume(bit);
    contradictions += facts.is_contradictory() ? 1 : 0;
    std::vector<Expr> exprs;
    for (std::uint32_t width = 1; width <= test::kWidest; ++width) {
      if (const Expr expr = terms.any(width)) exprs.push_back(expr);
    }
    std::vector<Facts> under;
    for (const Expr e : exprs) under.push_back(facts.of(e));
    for (std::size_t i = 0; i < exprs.size(); ++i) learned += under[i] != exprs[i].facts() ? 1 : 0;
    for_all_models(terms.symbols(), [&](const auto& model) {
      Evaluation evaluation(model);
      if (!std::ranges::all_of(assumed, [&](Expr e) { return evaluation.holds(e); })) return;
      ASSERT_FALSE(facts.is_contradictory()) << to_string(assumed[0]) << to_string(assumed[1]);
      for (std::size_t i = 0; i < exprs.size(); ++i) {
        ASSERT_TRUE(under[i].contains(evaluation.value(exprs[i]).word())) << to_string(exprs[i]);
      }
    });
    if (HasFatalFailure()) return;
    facts.undo(0);
    EXPECT_FALSE(facts.is_contradictory());
    for (const Expr e : exprs) EXPECT_EQ(meet(facts.of(e), e.facts()), facts.of(e));
  }
  EXPECT_GT(contradictions, 20U);
  EXPECT_GT(learned, 200U);
}

TEST(LearnedFacts, FollowFieldsIntervalsAndMasks) {
  Context c;
  const Expr b0 = c.symbol("b0", 8);
  const Expr b1 = c.symbol("b1", 8);
  LearnedFacts facts;
  facts.assume(c.eq(c.concat(b0, b1), c.constant(16, 0x0800)));
  EXPECT_EQ(facts.of(b0), Facts::of(8, 8));
  EXPECT_EQ(facts.of(c.eq(b1, c.constant(8, 0xdd))), Facts::of(1, 0));
  const std::size_t mark = facts.mark();
  const Expr ttl = c.symbol("ttl", 8);
  facts.assume(c.ult(ttl, c.constant(8, 64)));
  facts.assume(c.ult(c.constant(8, 1), ttl));
  EXPECT_EQ(facts.of(c.sub(ttl, c.constant(8, 1))).low, 1U);
  EXPECT_EQ(facts.of(c.sub(ttl, c.constant(8, 1))).high, 62U);
  facts.assume(c.eq(ttl, c.zero(8)));
  EXPECT_TRUE(facts.is_contradictory());
  facts.undo(mark);
  EXPECT_FALSE(facts.is_contradictory());
  EXPECT_EQ(facts.of(ttl), Facts::any(8));
}

}  // namespace
}  // namespace perfpact::smt
