#include "smt/z3_solver.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "smt/solver.h"
#include "terms.h"

namespace perfpact::smt {
namespace {

using test::for_all_models;
using test::Terms;

// Terms over every operation as they are, without the simplifier between them and the translation.
TEST(Z3, AgreesWithEnumeration) {
  std::size_t sat = 0;
  std::size_t unsat = 0;
  Context context;
  Z3Solver z3({});
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Terms terms(context, 3, false, seed);
    terms.grow(40);
    const std::vector<Expr> asserted{terms.any(1), terms.any(1), terms.any(1)};
    // Arrays have too many contents to enumerate: these are checked by their models alone.
    const auto outcome = z3.check(asserted);
    ASSERT_NE(outcome.verdict, Verdict::Unknown) << outcome.reason;
    const auto satisfied = [&](const std::shared_ptr<const Model>& model) {
      Evaluation evaluation(model);
      return std::ranges::all_of(asserted, [&](Expr e) { return evaluation.holds(e); });
    };
    if (outcome.verdict == Verdict::Sat) {
      ++sat;
      EXPECT_TRUE(satisfied(std::make_shared<Model>(outcome.model)));
    } else {
      ++unsat;
      for_all_models(terms.symbols(), [&](const auto& model) { EXPECT_FALSE(satisfied(model)); });
    }
  }
  EXPECT_GT(sat, 20U);
  EXPECT_GT(unsat, 20U);
}

TEST(Z3, StandsBehindItsWall) {
  std::vector<std::string> including;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PERFPACT_SOURCE_DIR "/src")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("#include <z3")) including.push_back(entry.path().filename());
    }
  }
  EXPECT_EQ(including, std::vector<std::string>{"z3_solver.cpp"});
}

Expr factoring(Context& c) {
  const Expr x = c.symbol("x", 64);
  const Expr y = c.symbol("y", 64);
  const Expr product = c.mul(c.zext(x, 128), c.zext(y, 128));
  const Integer primes = Integer("18446744073709551557") * Integer("18446744073709551533");
  const Expr one = c.constant(64, 1);
  return c.and_(c.and_(c.ult(one, x), c.ult(one, y)), c.eq(product, c.constant(128, primes)));
}

TEST(Z3, TimeOutIsUnknown) {
  Context c;
  Options options;
  options.limits.milliseconds = 100;
  Solver solver(c, options);
  const Answer answer = solver.check(Constraints(), factoring(c));
  ASSERT_TRUE(answer.is_unknown());
  EXPECT_FALSE(answer.reason.empty());
  EXPECT_EQ(solver.statistics().unknown, 1U);
  EXPECT_TRUE(solver.check(Constraints(), c.eq(c.symbol("z", 8), c.constant(8, 3))).is_sat())
      << "goes on after it";
  const std::uint64_t checks = solver.statistics().z3_checks;
  EXPECT_TRUE(solver.check(Constraints(), factoring(c)).is_unknown());
  EXPECT_EQ(solver.statistics().z3_checks, checks) << "is not tried again";
  // What builds on it cannot be sat, but can be unsat.
  const auto path = Constraints().with(c, factoring(c));
  EXPECT_TRUE(solver.check(path, c.symbol("p", 1)).is_unknown());
  EXPECT_TRUE(solver.check(path, c.boolean(false)).is_unsat());
}

TEST(Z3, LimitOfStepsIsUnknown) {
  Context c;
  Options options;
  options.limits.steps = 20'000;
  Solver solver(c, options);
  EXPECT_TRUE(solver.check(Constraints(), factoring(c)).is_unknown());
}

TEST(Z3, TooWideProductIsUnknown) {
  Context c;
  Solver solver(c);
  const Expr x = c.symbol("x", 12000);
  const Expr y = c.symbol("y", 12000);
  const Answer answer =
      solver.check(Constraints(), c.eq(c.mul(x, y), c.constant(12000, (Integer(1) << 11000) + 12345)));
  ASSERT_TRUE(answer.is_unknown());
  EXPECT_EQ(answer.reason, "a product or division of 12000 bits");
}

TEST(Z3, WideVectors) {
  Context c;
  for (const std::uint32_t w : {200U, 12000U}) {
    Options options;
    options.use_layers = false;
    options.verify_models = true;
    Solver solver(c, options);
    const Expr x = c.symbol("x" + std::to_string(w), w);
    const Expr y = c.symbol("y" + std::to_string(w), w);
    const auto path = Constraints().with(c, c.eq(c.add(x, y), c.constant(w, (Integer(1) << (w - 2)) + 7)));
    const Answer answer = solver.check(path, c.ult(c.lshr(x, c.constant(w, w / 2)), y));
    ASSERT_TRUE(answer.is_sat()) << answer.reason;
    EXPECT_TRUE(solver.check(path.with(c, c.eq(x, y)), c.symbol("p", 1)).is_unsat()) << "the sum is odd";
  }
}

}  // namespace
}  // namespace perfpact::smt
