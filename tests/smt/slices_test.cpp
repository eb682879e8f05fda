#include "smt/slices.h"

#include <gtest/gtest.h>

#include "smt/solver.h"

namespace perfpact::smt {
namespace {

TEST(Slices, FollowSharedSymbols) {
  Context c;
  const Expr a = c.symbol("a", 8);
  const Expr b = c.symbol("b", 8);
  const Expr d = c.symbol("d", 8);
  const Expr e = c.symbol("e", 8);
  const std::vector<Expr> constraints{c.ult(a, b), c.ult(d, e), c.ult(b, c.constant(8, 9)), c.ult(d, e)};
  Slices slices;
  const auto slice = slices.of(constraints, c.eq(a, c.constant(8, 1)));
  EXPECT_EQ(slice.constraints, (std::vector<Expr>{constraints[0], constraints[2]}));
  EXPECT_EQ(slice.symbols, (SymbolSet{a.symbol(), b.symbol()}));
  EXPECT_EQ(slices.of(constraints, c.eq(d, a)).constraints.size(), 3U) << "each once";
  EXPECT_TRUE(slices.symbols(c.constant(8, 3)).empty());
}

// A hard constraint over other symbols does not bear on an easy query, but on the model.
TEST(Slices, SolverAsksOnlyTheSlice) {
  Context c;
  Options options;
  options.verify_models = true;
  Solver solver(c, options);
  const Expr x = c.symbol("x", 14);
  const Expr y = c.symbol("y", 14);
  const Expr z = c.symbol("z", 8);
  const Expr product = c.mul(c.zext(x, 28), c.zext(y, 28));
  auto path = Constraints()
                  .with(c, c.eq(product, c.constant(28, 8191ULL * 8179ULL)))
                  .with(c, c.ult(c.constant(14, 1), x));
  const Answer first = solver.check(path, c.ult(c.constant(14, 1), y));
  ASSERT_TRUE(first.is_sat());
  const std::uint64_t before = solver.statistics().z3_checks;
  path = path.with(c, c.ult(c.constant(14, 1), y));
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Expr query = c.eq(c.mul(z, z), c.constant(8, i));
    const Answer answer = solver.check(path, query);
    EXPECT_FALSE(answer.is_unknown());
  }
  EXPECT_LE(solver.statistics().z3_checks - before, 50U);
  EXPECT_LT(solver.statistics().z3_seconds, 60) << "the factors are found once, not fifty times";
}

}  // namespace
}  // namespace perfpact::smt
