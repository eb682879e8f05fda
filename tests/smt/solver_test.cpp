#include "smt/solver.h"

#include <gtest/gtest.h>

#include "terms.h"

namespace perfpact::smt {
namespace {

using test::for_all_models;
using test::Terms;

Options checked() {
  Options options;
  options.verify_models = true;
  options.confirm_unsat = true;
  return options;
}

bool holds_all(Evaluation& evaluation, const Constraints& path, Expr query) {
  return evaluation.holds(query) &&
         std::ranges::all_of(path.to_vector(), [&](Expr e) { return evaluation.holds(e); });
}

// A pool without arrays, whose every assignment can be tried.
Expr bit_without_arrays(Terms& terms, Slices& slices) {
  for (;;) {
    const Expr bit = terms.any(1);
    const auto& symbols = slices.symbols(bit);
    if (std::ranges::none_of(symbols, [](std::uint32_t s) { return s == 4; })) return bit;
  }
}

TEST(Solver, AgreesWithEnumerationOnForkingPaths) {
  std::array<std::uint64_t, 3> verdicts{};
  Statistics total;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Context context;
    Solver solver(context, checked());
    Terms terms(context, 3, true, seed);
    terms.grow(60);
    Slices slices;
    ASSERT_TRUE(terms.symbols()[4].is_array() && terms.symbols()[4].symbol() == 4);
    std::vector<Constraints> states{Constraints()};
    for (int step = 0; step < 12; ++step) {
      const std::size_t chosen = terms.below(states.size());
      const Constraints path = states[chosen];
      const Expr query = bit_without_arrays(terms, slices);
      for (const Expr branch : {query, context.not_(query)}) {
        const Answer answer = solver.check(path, branch);
        bool expected = false;
        for_all_models(terms.symbols(), [&](const auto& model) {
          Evaluation evaluation(model);
          expected = expected || holds_all(evaluation, path, branch);
        });
        ASSERT_FALSE(answer.is_unknown()) << answer.reason;
        ASSERT_EQ(answer.is_sat(), expected) << to_string(branch) << " by " << to_string(answer.by);
        ++verdicts[static_cast<std::size_t>(answer.verdict)];
        if (answer.is_sat()) states.push_back(path.with(context, branch));
      }
    }
    for (std::size_t i = 0; i < kLayers; ++i) total.answered[i] += solver.statistics().answered[i];
  }
  EXPECT_GT(verdicts[0], 500U);
  EXPECT_GT(verdicts[1], 500U);
  for (std::size_t i = 0; i < kLayers; ++i) {
    EXPECT_GT(total.answered[i], 0U) << to_string(static_cast<Layer>(i)) << " never answered";
  }
}

TEST(Solver, AnswersInAnyOrderAndForInfeasiblePaths) {
  Context c;
  Solver solver(c, checked());
  const Expr x = c.symbol("x", 16);
  const Expr y = c.symbol("y", 16);
  const auto path = Constraints().with(c, c.eq(c.mul(x, x), c.constant(16, 3)));  // no square ends in 3
  EXPECT_TRUE(solver.check(path, c.ult(y, c.constant(16, 4))).is_unsat());
  EXPECT_TRUE(solver.check(path.with(c, c.eq(y, x)), c.boolean(true)).is_unsat());
  EXPECT_TRUE(solver.check(Constraints(), c.ult(y, x)).is_sat());
  EXPECT_TRUE(solver.witness(path).is_unsat());
}

TEST(Solver, ConjunctionsAreTakenApart) {
  Context c;
  const Expr p = c.symbol("p", 1);
  const Expr q = c.symbol("q", 1);
  const Expr r = c.symbol("r", 1);
  EXPECT_EQ(Constraints().with(c, c.and_(p, c.and_(q, r))).size(), 3U);
  const auto path = Constraints().with(c, c.not_(c.or_(p, q))).with(c, c.boolean(true));
  EXPECT_EQ(path.size(), 2U);
  EXPECT_EQ(path.before().size(), 1U);
}

TEST(Solver, LongPathsNeedNoStack) {
  Context c;
  Constraints path;
  for (int i = 0; i < 200'000; ++i) path = path.with(c, c.symbol("s" + std::to_string(i % 1000), 1));
  EXPECT_EQ(path.size(), 200'000U);
}

// A parser and two tables as an explorer would ask: fields of a packet of one symbol a byte.
Statistics explore_router(Context& c, Solver& solver, std::vector<std::string>& models) {
  std::vector<Expr> bytes;
  for (int i = 0; i < 64; ++i) bytes.push_back(c.symbol("packet." + std::to_string(i), 8));
  const auto field = [&](std::size_t first, std::size_t count) {
    Expr value = bytes[first];
    for (std::size_t i = 1; i < count; ++i) value = c.concat(value, bytes[first + i]);
    return value;
  };
  const Expr ttl = field(22, 1);
  const Expr destination = field(30, 4);
  const Expr header_length = c.extract(3, 0, bytes[14]);
  std::vector<Expr> branches{
      c.eq(field(12, 2), c.constant(16, 0x0800)),
      c.eq(c.extract(7, 4, bytes[14]), c.constant(4, 4)),
      c.ult(header_length, c.constant(4, 5)),
      c.eq(header_length, c.constant(4, 5)),
      c.ult(ttl, c.constant(8, 2)),
      c.eq(c.sub(ttl, c.constant(8, 1)), c.constant(8, 63)),
      c.eq(c.and_(destination, c.constant(32, 0xff000000)), c.constant(32, 0x0a000000)),
      c.eq(c.and_(destination, c.constant(32, 0xffff0000)), c.constant(32, 0x0a010000)),
      c.eq(field(23, 1), c.constant(8, 6)),
      c.eq(field(23, 1), c.constant(8, 17)),
      c.ult(field(34, 2), field(36, 2)),
      c.eq(c.add(c.zext(field(34, 2), 32), c.zext(field(36, 2), 32)), c.constant(32, 1000))};
  std::vector<Constraints> states{Constraints()};
  for (const Expr branch : branches) {
    std::vector<Constraints> next;
    for (const Constraints& state : states) {
      for (const Expr way : {branch, c.not_(branch)}) {
        const Answer answer = solver.check(state, way);
        if (!answer.is_sat()) continue;
        next.push_back(state.with(c, way));
        std::string text;
        for (const Expr byte : bytes) text += answer.model->value(byte).to_string();
        models.push_back(std::move(text));
      }
    }
    states = std::move(next);
  }
  return solver.statistics();
}

TEST(Solver, AlmostAllBranchesNeedNoZ3) {
  Context c;
  Solver solver(c, checked());
  std::vector<std::string> models;
  const Statistics statistics = explore_router(c, solver, models);
  EXPECT_GT(statistics.queries(), 1000U);
  EXPECT_EQ(statistics.unknown, 0U);
  EXPECT_LT(statistics.answered[static_cast<std::size_t>(Layer::Z3)] * 10, statistics.queries());
}

TEST(Solver, SameQueriesGiveTheSameModels) {
  std::vector<std::string> first;
  std::vector<std::string> second;
  for (auto* models : {&first, &second}) {
    Context c;
    Solver solver(c);
    explore_router(c, solver, *models);
  }
  EXPECT_EQ(first, second);
}

TEST(Solver, WitnessDoesNotDependOnHistory) {
  const auto path_in = [](Context& c) {
    const Expr x = c.symbol("x", 24);
    const Expr y = c.symbol("y", 24);
    return Constraints()
        .with(c, c.eq(c.mul(x, y), c.constant(24, 0x123457)))
        .with(c, c.ult(c.constant(24, 100), x))
        .with(c, c.slt(y, c.xor_(x, c.constant(24, 0x5555))));
  };
  Context plain;
  Solver fresh(plain, checked());
  const Answer expected = fresh.witness(path_in(plain));
  ASSERT_TRUE(expected.is_sat());
  Context other;
  static_cast<void>(other.symbol("unrelated", 24));
  Solver used(other, checked());
  static_cast<void>(other.mul(other.symbol("y", 24), other.symbol("unrelated", 24)));
  const auto path = path_in(other);
  for (std::uint64_t i = 0; i < 20; ++i) {
    static_cast<void>(
        used.check(path.before(), other.ult(other.symbol("y", 24), other.constant(24, 999 * i))));
  }
  const Answer answer = used.witness(path);
  ASSERT_TRUE(answer.is_sat());
  for (const char* name : {"x", "y"}) {
    EXPECT_EQ(answer.model->value(other.symbol(name, 24)), expected.model->value(plain.symbol(name, 24)));
  }
}

TEST(SolverDeathTest, AModelThatDoesNotFitIsFound) {
  Context c;
  Options options;
  options.verify_models = true;
  Solver solver(c, options);
  const Expr x = c.symbol("x", 8);
  const auto path = Constraints().with(c, c.ult(c.constant(8, 5), x));
  path.note_model(std::make_shared<Model>());  // a lie
  EXPECT_DEATH(static_cast<void>(solver.check(path, c.boolean(true))), "a model .* does not satisfy");
}

}  // namespace
}  // namespace perfpact::smt
