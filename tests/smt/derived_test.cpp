#include "smt/derived.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "smt/model.h"

namespace perfpact::smt {
namespace {

constexpr std::uint32_t kWidth = 4;

class Derived : public ::testing::Test {
 protected:
  // Compares a function of a and b (4 bits each) with its meaning on numbers, for all values.
  void expect(Expr expr, const std::function<std::int64_t(std::int64_t, std::int64_t)>& meaning) {
    for (std::int64_t i = 0; i < 16; ++i) {
      for (std::int64_t j = 0; j < 16; ++j) {
        auto model = std::make_shared<Model>();
        model->set(a_, Value(kWidth, static_cast<std::uint64_t>(i)));
        model->set(b_, Value(kWidth, static_cast<std::uint64_t>(j)));
        const auto wanted = static_cast<std::uint64_t>(meaning(i, j)) & word_mask(expr.width());
        EXPECT_EQ(Evaluation(model).value(expr).word(), wanted) << i << ' ' << j;
      }
    }
  }
  static std::int64_t to_signed(std::int64_t v) { return v >= 8 ? v - 16 : v; }
  static std::int64_t cut(std::int64_t v) { return std::clamp<std::int64_t>(v, -8, 7); }

  Context c_;
  Expr a_ = c_.symbol("a", kWidth);
  Expr b_ = c_.symbol("b", kWidth);
};

TEST_F(Derived, Saturation) {
  expect(add_saturated(c_, a_, b_), [](auto a, auto b) { return std::min<std::int64_t>(a + b, 15); });
  expect(sub_saturated(c_, a_, b_), [](auto a, auto b) { return std::max<std::int64_t>(a - b, 0); });
  expect(add_saturated_signed(c_, a_, b_), [](auto a, auto b) { return cut(to_signed(a) + to_signed(b)); });
  expect(sub_saturated_signed(c_, a_, b_), [](auto a, auto b) { return cut(to_signed(a) - to_signed(b)); });
}

TEST_F(Derived, Overflow) {
  const auto wraps = [](std::int64_t v) { return v != cut(v) ? 1 : 0; };
  expect(add_overflows_signed(c_, a_, b_),
         [&](auto a, auto b) { return wraps(to_signed(a) + to_signed(b)); });
  expect(sub_overflows_signed(c_, a_, b_),
         [&](auto a, auto b) { return wraps(to_signed(a) - to_signed(b)); });
}

TEST_F(Derived, Counts) {
  expect(count_ones(c_, a_), [](auto a, auto) { return std::popcount(static_cast<unsigned>(a)); });
  expect(count_leading_zeros(c_, a_),
         [](auto a, auto) { return std::countl_zero(static_cast<unsigned>(a)) - 28; });
  expect(count_trailing_zeros(c_, a_),
         [](auto a, auto) { return a == 0 ? 4 : std::countr_zero(static_cast<unsigned>(a)); });
  const Expr seven = c_.concat(c_.extract(2, 0, b_), a_);
  expect(count_ones(c_, seven),
         [](auto a, auto b) { return std::popcount(static_cast<unsigned>(a + b % 8 * 16)); });
}

TEST_F(Derived, SwapsBytes) {
  const Expr bytes = c_.concat(c_.concat(c_.constant(8, 1), c_.constant(8, 2)), c_.concat(a_, b_));
  expect(swap_bytes(c_, bytes), [](auto a, auto b) { return (a * 16 + b) << 16 | 0x0201; });
}

TEST_F(Derived, ShiftsByAmountsOfOtherWidths) {
  const Expr wide = c_.concat(b_, c_.extract(1, 0, a_));  // 6 bits: 4 * b + a's low bits
  const Expr narrow = c_.extract(1, 0, b_);
  const auto amount = [](auto a, auto b) { return 4 * b + a % 4; };
  expect(shift(c_, Op::Shl, a_, wide),
         [&](auto a, auto b) { return amount(a, b) < 4 ? a << amount(a, b) : 0; });
  expect(shift(c_, Op::LShr, a_, wide),
         [&](auto a, auto b) { return amount(a, b) < 4 ? a >> amount(a, b) : 0; });
  expect(shift(c_, Op::AShr, a_, wide),
         [&](auto a, auto b) { return to_signed(a) >> std::min<std::int64_t>(amount(a, b), 4); });
  expect(shift(c_, Op::Shl, a_, narrow), [](auto a, auto b) { return a << (b % 4); });
}

TEST_F(Derived, InsertAndResize) {
  expect(insert(c_, a_, 2, 1, c_.extract(1, 0, b_)), [](auto a, auto b) { return (a & 9) | (b % 4) << 1; });
  expect(insert(c_, a_, 3, 0, b_), [](auto, auto b) { return b; });
  expect(resize(c_, a_, 2), [](auto a, auto) { return a % 4; });
  expect(resize(c_, a_, 7), [](auto a, auto) { return a; });
}

}  // namespace
}  // namespace perfpact::smt
