#include <gtest/gtest.h>

#include <map>
#include <random>

#include "smt/solver.h"

namespace perfpact::smt {
namespace {

// Random reads and writes, at known and unknown indices, against a plain map.
TEST(Array, AgreesWithAMap) {
  std::mt19937_64 random(11);
  for (int run = 0; run < 60; ++run) {
    Context c;
    const std::uint32_t index_width = run % 2 == 0 ? 64 : 4;
    const std::uint32_t width = run % 3 == 0 ? 100 : 8;
    const Expr memory = c.array("memory", index_width, width);
    std::vector<Expr> offsets;
    auto model = std::make_shared<Model>();
    for (int i = 0; i < 4; ++i) {
      offsets.push_back(c.symbol("offset" + std::to_string(i), index_width));
      model->set(offsets.back(), Value(index_width, random() % 4));
    }
    std::map<std::uint64_t, Value> plain;
    for (std::uint64_t i = 0; i < 12; ++i) {
      plain[i] = Value(width, random());
      model->set_element(memory, i, plain[i]);
    }
    Evaluation evaluation(model);
    Expr now = memory;
    for (int step = 0; step < 40; ++step) {
      const Expr base = c.constant(index_width, random() % 8);
      const Expr index = random() % 2 == 0 ? base : c.add(base, offsets[random() % offsets.size()]);
      const std::uint64_t at = evaluation.value(index).word();
      if (random() % 2 == 0) {
        const Value value(width, random());
        now = c.store(now, index, c.constant(value));
        plain[at] = value;
      } else {
        EXPECT_EQ(evaluation.value(c.select(now, index)), plain[at]);
      }
    }
  }
}

TEST(Array, ReadsSeeThroughWhatCannotBeMeant) {
  Context c;
  const Expr zeroed = c.constant_array(64, c.zero(8));
  const Expr base = c.symbol("base", 64);
  const auto at = [&](std::uint64_t offset) { return c.add(base, c.constant(64, offset)); };
  Expr memory = zeroed;
  for (std::uint64_t i = 0; i < 50; ++i) memory = c.store(memory, at(i), c.constant(8, i));
  EXPECT_EQ(c.select(memory, at(7)), c.constant(8, 7));
  EXPECT_EQ(c.select(memory, at(60)), c.zero(8));
  EXPECT_TRUE(c.select(memory, c.symbol("elsewhere", 64)).is(Op::Select));
}

TEST(Array, SolverFindsContents) {
  Context c;
  for (const bool use_layers : {true, false}) {
    Options options;
    options.verify_models = true;
    options.confirm_unsat = true;
    options.use_layers = use_layers;
    Solver solver(c, options);
    const Expr memory = c.array("memory", 64, 8);
    const Expr i = c.symbol("i", 64);
    const Expr j = c.symbol("j", 64);
    const Expr written = c.store(memory, i, c.constant(8, 9));
    const auto base = Constraints().with(c, c.eq(c.select(written, j), c.constant(8, 7)));
    const Answer answer = solver.check(base, c.eq(c.select(memory, i), c.constant(8, 3)));
    ASSERT_TRUE(answer.is_sat());
    EXPECT_EQ(answer.model->element(memory, answer.model->value(i).word()), Value(8, 3));
    EXPECT_TRUE(solver.check(base, c.eq(i, j)).is_unsat());
    // An array chosen by a condition, read at an index that is read too.
    const Expr p = c.symbol("p", 1);
    const Expr chosen = c.ite(p, memory, c.constant_array(64, c.constant(8, 1)));
    const Expr nested = c.select(chosen, c.zext(c.select(memory, j), 64));
    EXPECT_TRUE(solver.check(base, c.eq(nested, c.constant(8, 200))).is_sat());
  }
}

}  // namespace
}  // namespace perfpact::smt
