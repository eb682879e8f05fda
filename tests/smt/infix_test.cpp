#include "smt/infix.h"

#include <gtest/gtest.h>

#include "smt/context.h"
#include "smt/derived.h"

namespace perfpact::smt {
namespace {

class InfixTest : public testing::Test {
 protected:
  Context context;
  Expr a = context.symbol("a", 8);
  Expr b = context.symbol("b", 8);
  Expr p = context.symbol("p", 1);
};

TEST_F(InfixTest, Comparisons) {
  EXPECT_EQ(to_infix(context.eq(a, context.constant(8, 7))), "a == 7");
  EXPECT_EQ(to_infix(context.ne(a, context.constant(8, 7))), "a != 7");
  EXPECT_EQ(to_infix(context.ult(a, b)), "a < b");
  EXPECT_EQ(to_infix(context.ule(b, a)), "a >= b");
  EXPECT_EQ(to_infix(context.slt(a, b)), "a <s b");
}

TEST_F(InfixTest, ChainsAndBrackets) {
  const Expr c = context.symbol("c", 8);
  EXPECT_EQ(to_infix(context.concat(context.concat(a, b), c)), "a . b . c");
  EXPECT_EQ(to_infix(context.sub(context.udiv(a, b), context.udiv(b, a))), "(a / b) - (b / a)");
  EXPECT_EQ(to_infix(context.ite(p, a, b)), "p ? a : b");
  EXPECT_EQ(to_infix(context.extract(7, 4, a)), "a[7:4]");
}

TEST_F(InfixTest, NumbersAsTheyAreMeant) {
  EXPECT_EQ(to_infix(context.zext(a, 32)), "a");
  EXPECT_EQ(to_infix(context.concat(a, context.zero(3))), "a * 8");
  EXPECT_EQ(to_infix(context.sub(a, context.constant(8, 20))), "a - 20");
  EXPECT_EQ(to_infix(context.constant(16, 0x800)), "0x800");
  EXPECT_EQ(to_infix(context.constant(16, 999)), "999");
}

TEST_F(InfixTest, DeepPartsAreLeftOut) {
  Expr deep = a;
  for (int i = 0; i < 100; ++i) deep = context.udiv(b, deep);
  EXPECT_TRUE(to_infix(deep, 3).contains("..."));
  EXPECT_LT(to_infix(deep, 3).size(), 60U);
}

}  // namespace
}  // namespace perfpact::smt
