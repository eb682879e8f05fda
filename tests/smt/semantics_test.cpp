#include "smt/semantics.h"

#include <gtest/gtest.h>

#include <random>

#include "smt/context.h"
#include "smt/model.h"
#include "terms.h"

namespace perfpact::smt {
namespace {

std::int64_t to_signed(std::int64_t a, std::uint32_t w) {
  return a >= (std::int64_t{1} << (w - 1)) ? a - (std::int64_t{1} << w) : a;
}

// SMT-LIB's definitions, on machine integers wider than the vectors.
std::int64_t expected(Op op, std::int64_t a, std::int64_t b, std::uint32_t w) {
  const std::int64_t size = std::int64_t{1} << w;
  const std::int64_t sa = to_signed(a, w);
  const std::int64_t sb = to_signed(b, w);
  const auto wrap = [&](std::int64_t value) { return ((value % size) + size) % size; };
  switch (op) {
    case Op::Not:
      return size - 1 - a;
    case Op::Neg:
      return wrap(-a);
    case Op::Add:
      return wrap(a + b);
    case Op::Sub:
      return wrap(a - b);
    case Op::Mul:
      return wrap(a * b);
    case Op::UDiv:
      return b == 0 ? size - 1 : a / b;
    case Op::URem:
      return b == 0 ? a : a % b;
    case Op::SDiv:
      return b == 0 ? wrap(sa < 0 ? 1 : -1) : wrap(sa / sb);
    case Op::SRem:
      return b == 0 ? a : wrap(sa % sb);
    case Op::And:
      return a & b;
    case Op::Or:
      return a | b;
    case Op::Xor:
      return a ^ b;
    case Op::Shl:
      return b >= w ? 0 : wrap(a << b);
    case Op::LShr:
      return b >= w ? 0 : a >> b;
    case Op::AShr:
      return wrap(sa >> std::min<std::int64_t>(b, w));
    case Op::Eq:
      return a == b ? 1 : 0;
    case Op::Ult:
      return a < b ? 1 : 0;
    case Op::Slt:
      return sa < sb ? 1 : 0;
    case Op::Concat:
      return a * size + b;
    default:
      return -1;
  }
}

TEST(Semantics, EveryOperationOnAllSmallValues) {
  Context context;
  for (std::uint32_t w = 1; w <= 5; ++w) {
    const Expr a = context.symbol("a" + std::to_string(w), w);
    for (auto op = static_cast<std::size_t>(Op::Not); op <= static_cast<std::size_t>(Op::Concat); ++op) {
      Node node;
      node.op = static_cast<Op>(op);
      node.arity = node.op == Op::Not || node.op == Op::Neg ? 1 : 2;
      node.operands = {a, node.arity == 2 ? a : Expr(), Expr()};
      const bool is_comparison = node.op == Op::Eq || node.op == Op::Ult || node.op == Op::Slt;
      node.width = is_comparison ? 1 : node.op == Op::Concat ? 2 * w : w;
      for (std::uint64_t i = 0; i < (1U << w); ++i) {
        for (std::uint64_t j = 0; j < (1U << w); ++j) {
          const auto want = static_cast<std::uint64_t>(
              expected(node.op, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), w));
          const Expr expr(&node);
          EXPECT_EQ(Semantics<std::uint64_t>::apply(expr, i, j, 0), want)
              << to_string(node.op) << i << ' ' << j;
          EXPECT_EQ(Semantics<Integer>::apply(expr, i, j, 0), want) << to_string(node.op) << i << ' ' << j;
        }
      }
    }
  }
}

TEST(Semantics, WordsAndIntegersAgreeUpToTheFullWord) {
  Context context;
  std::mt19937_64 random(3);
  for (const std::uint32_t w : {31U, 63U, 64U}) {
    const Expr a = context.symbol("a" + std::to_string(w), w);
    for (auto op = static_cast<std::size_t>(Op::Not); op < static_cast<std::size_t>(Op::Concat); ++op) {
      Node node;
      node.op = static_cast<Op>(op);
      node.arity = 2;
      node.operands = {a, a, Expr()};
      node.width = node.op == Op::Eq || node.op == Op::Ult || node.op == Op::Slt ? 1 : w;
      for (int i = 0; i < 200; ++i) {
        const std::uint64_t left = random() & word_mask(w);
        const std::uint64_t right = (i % 2 == 0 ? random() : random() % 70) & word_mask(w);
        const Expr expr(&node);
        EXPECT_EQ(Integer(Semantics<std::uint64_t>::apply(expr, left, right, 0)),
                  Semantics<Integer>::apply(expr, left, right, 0))
            << to_string(node.op) << ' ' << w << ' ' << left << ' ' << right;
      }
    }
  }
}

TEST(Semantics, WideVectors) {
  Context context;
  const std::uint32_t w = 12000;
  const Expr x = context.symbol("x", w);
  const Expr y = context.symbol("y", w);
  const Integer a = (Integer(1) << 11999) + 12345;
  const Integer b = (Integer(1) << 7000) - 3;
  auto model = std::make_shared<Model>();
  model->set(x, Value(w, a));
  model->set(y, Value(w, b));
  Evaluation evaluation(model);
  const Integer size = Integer(1) << w;
  EXPECT_EQ(evaluation.value(context.add(x, y)).number(), Integer((a + b) % size));
  EXPECT_EQ(evaluation.value(context.sub(y, x)).number(), Integer((b + size - a) % size));
  EXPECT_EQ(evaluation.value(context.mul(x, y)).number(), Integer((a * b) % size));
  EXPECT_EQ(evaluation.value(context.udiv(x, y)).number(), Integer(a / b));
  EXPECT_TRUE(evaluation.holds(context.slt(x, y))) << "the sign bit of x is set";
  EXPECT_EQ(evaluation.value(context.extract(11999, 11936, x)).word(), std::uint64_t{1} << 63);
  EXPECT_EQ(evaluation.value(context.lshr(x, context.constant(w, 11990))).number(), 1 << 9);
  EXPECT_EQ(evaluation.value(context.shl(x, y)).number(), 0) << "an amount beyond every machine integer";
  EXPECT_TRUE(evaluation.value(context.ashr(x, y)).is_ones());
}

TEST(Value, KnowsItsWidthAndCutsToIt) {
  EXPECT_EQ(Value(8, 0x1ff), Value(8, 0xff));
  EXPECT_EQ(Value(100, Integer(1) << 100), Value(100, 0));
  EXPECT_TRUE(Value(100, all_ones(100)).is_ones());
  EXPECT_EQ(Value(70, Integer(1) << 69).to_string(), "70'0x200000000000000000");
  EXPECT_NE(Value(8, 1), Value(9, 1));
}

}  // namespace
}  // namespace perfpact::smt
