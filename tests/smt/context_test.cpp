#include "smt/context.h"

#include <gtest/gtest.h>

namespace perfpact::smt {
namespace {

TEST(Context, EqualStructureIsOneNode) {
  Context c;
  const Expr x = c.symbol("x", 32);
  const Expr y = c.symbol("y", 32);
  EXPECT_EQ(c.add(x, y), c.add(y, x));
  EXPECT_EQ(c.symbol("x", 32), x);
  EXPECT_EQ(c.constant(200, Integer(1) << 150), c.constant(200, Integer(1) << 150));
  EXPECT_NE(c.constant(8, 1), c.constant(9, 1));
  EXPECT_NE(c.add(x, y), c.sub(x, y));
}

TEST(Context, TheFormDoesNotDependOnWhatWasMadeBefore) {
  Context first;
  const Expr a = first.add(first.symbol("x", 8), first.mul(first.symbol("y", 8), first.symbol("z", 8)));
  Context second;
  static_cast<void>(second.symbol("z", 8));
  static_cast<void>(second.mul(second.symbol("other", 8), second.symbol("y", 8)));
  const Expr b = second.add(second.mul(second.symbol("z", 8), second.symbol("y", 8)), second.symbol("x", 8));
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(to_string(a), to_string(b));
  EXPECT_EQ(Importer(second)(a), b);
}

TEST(Context, RebuildReplaces) {
  Context c;
  const Expr x = c.symbol("x", 16);
  const Expr e = c.ult(c.add(x, c.constant(16, 5)), c.symbol("y", 16));
  const Expr replaced = c.rebuild(e, [&](Expr node) { return node == x ? c.constant(16, 7) : Expr(); });
  EXPECT_EQ(replaced, c.ult(c.constant(16, 12), c.symbol("y", 16)));
}

TEST(Context, DeepExpressionsNeedNoStack) {
  Context c;
  Expr sum = c.symbol("x", 64);
  const Expr y = c.symbol("y", 64);
  for (int i = 0; i < 100'000; ++i) sum = c.xor_(c.mul(sum, y), c.constant(64, 1 + 2 * i));
  Context other;
  EXPECT_EQ(Importer(other)(sum).hash(), sum.hash());
}

TEST(ContextDeathTest, WidthsThatDoNotFitAreABug) {
  Context c;
  const Expr x = c.symbol("x", 8);
  EXPECT_DEATH(static_cast<void>(c.add(x, c.constant(9, 1))), "bvadd of widths 8, 9");
  EXPECT_DEATH(static_cast<void>(c.extract(8, 0, x)), "bits 8..0 of 8");
  EXPECT_DEATH(static_cast<void>(c.symbol("x", 9)), "symbol x of two types");
}

}  // namespace
}  // namespace perfpact::smt
