// Every operation at all small widths against plain C++ arithmetic.
#include "p4/interpreter/operations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace perfpact::p4::interpreter {
namespace {

using core::Op;
constexpr int kWidest = 5;

int ones(int width) {
  return (1 << width) - 1;
}
int as_signed(int value, int width) {
  return width > 0 && value >> (width - 1) != 0 ? value - (1 << width) : value;
}

Integer apply(Op op, int width, std::vector<std::pair<Integer, int>> operands, int high = 0, int low = 0) {
  Inputs inputs{static_cast<std::uint32_t>(width),
                {},
                {},
                static_cast<std::uint32_t>(high),
                static_cast<std::uint32_t>(low)};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    inputs.values[i] = &operands[i].first;
    inputs.widths[i] = static_cast<std::uint32_t>(operands[i].second);
  }
  return evaluate(op, inputs);
}

/// For all a of all widths: the operation gives expected(a, width) modulo 2^width.
void check_unary(Op op, const std::function<int(int, int)>& expected) {
  for (int w = 0; w <= kWidest; ++w)
    for (int a = 0; a <= ones(w); ++a)
      ASSERT_EQ(apply(op, w, {{a, w}}), expected(a, w) & ones(w)) << to_string(op) << " " << w << "'" << a;
}

/// For all a, b of the same width.
void check_binary(Op op, const std::function<int(int, int, int)>& expected) {
  for (int w = 0; w <= kWidest; ++w)
    for (int a = 0; a <= ones(w); ++a)
      for (int b = 0; b <= ones(w); ++b)
        ASSERT_EQ(apply(op, w, {{a, w}, {b, w}}), expected(a, b, w) & ones(w))
            << to_string(op) << " " << w << "'" << a << ", " << b;
}
void check_comparison(Op op, const std::function<bool(int, int, int)>& expected) {
  for (int w = 0; w <= kWidest; ++w)
    for (int a = 0; a <= ones(w); ++a)
      for (int b = 0; b <= ones(w); ++b)
        ASSERT_EQ(apply(op, 1, {{a, w}, {b, w}}), expected(a, b, w) ? 1 : 0)
            << to_string(op) << " " << w << "'" << a << ", " << b;
}
/// For all a and shift amounts of other widths.
void check_shift(Op op, const std::function<int(int, int, int)>& expected) {
  for (int w = 0; w <= kWidest; ++w)
    for (int amount_width = 0; amount_width <= 4; ++amount_width)
      for (int a = 0; a <= ones(w); ++a)
        for (int b = 0; b <= ones(amount_width); ++b)
          ASSERT_EQ(apply(op, w, {{a, w}, {b, amount_width}}), expected(a, b, w) & ones(w))
              << to_string(op) << " " << w << "'" << a << ", " << b;
}

TEST(Operations, Unary) {
  check_unary(Op::Copy, [](int a, int) { return a; });
  check_unary(Op::Not, [](int a, int) { return ~a; });
  check_unary(Op::Negate, [](int a, int) { return -a; });
}

TEST(Operations, Arithmetic) {
  check_binary(Op::Add, [](int a, int b, int) { return a + b; });
  check_binary(Op::Sub, [](int a, int b, int) { return a - b; });
  check_binary(Op::Mul, [](int a, int b, int) { return a * b; });
  check_binary(Op::Div, [](int a, int b, int) { return b == 0 ? 0 : a / b; });
  check_binary(Op::Mod, [](int a, int b, int) { return b == 0 ? 0 : a % b; });
}

TEST(Operations, Saturation) {
  const auto clamp_signed = [](int value, int w) {
    return w == 0 ? 0 : std::clamp(value, -(1 << (w - 1)), (1 << (w - 1)) - 1);
  };
  check_binary(Op::AddSat, [](int a, int b, int w) { return std::min(a + b, ones(w)); });
  check_binary(Op::SubSat, [](int a, int b, int) { return std::max(a - b, 0); });
  check_binary(Op::AddSatSigned,
               [&](int a, int b, int w) { return clamp_signed(as_signed(a, w) + as_signed(b, w), w); });
  check_binary(Op::SubSatSigned,
               [&](int a, int b, int w) { return clamp_signed(as_signed(a, w) - as_signed(b, w), w); });
}

TEST(Operations, Bitwise) {
  check_binary(Op::And, [](int a, int b, int) { return a & b; });
  check_binary(Op::Or, [](int a, int b, int) { return a | b; });
  check_binary(Op::Xor, [](int a, int b, int) { return a ^ b; });
}

TEST(Operations, Shifts) {
  check_shift(Op::ShiftLeft, [](int a, int b, int) { return a << b; });
  check_shift(Op::ShiftRight, [](int a, int b, int) { return a >> b; });
  check_shift(Op::ShiftRightSigned, [](int a, int b, int w) { return as_signed(a, w) >> b; });
  const Integer huge = Integer(1) << 200;
  EXPECT_EQ(apply(Op::ShiftLeft, 8, {{0xff, 8}, {huge, 201}}), 0);
  EXPECT_EQ(apply(Op::ShiftRight, 8, {{0xff, 8}, {huge, 201}}), 0);
  EXPECT_EQ(apply(Op::ShiftRightSigned, 8, {{0x80, 8}, {huge, 201}}), 0xff);
  EXPECT_EQ(apply(Op::ShiftRightSigned, 8, {{0x7f, 8}, {huge, 201}}), 0);
}

TEST(Operations, Comparisons) {
  check_comparison(Op::Equal, [](int a, int b, int) { return a == b; });
  check_comparison(Op::NotEqual, [](int a, int b, int) { return a != b; });
  check_comparison(Op::Less, [](int a, int b, int) { return a < b; });
  check_comparison(Op::LessEqual, [](int a, int b, int) { return a <= b; });
  check_comparison(Op::LessSigned, [](int a, int b, int w) { return as_signed(a, w) < as_signed(b, w); });
  check_comparison(Op::LessEqualSigned,
                   [](int a, int b, int w) { return as_signed(a, w) <= as_signed(b, w); });
}

TEST(Operations, Concat) {
  for (int high = 0; high <= 4; ++high)
    for (int low = 0; low <= 4; ++low)
      for (int a = 0; a <= ones(high); ++a)
        for (int b = 0; b <= ones(low); ++b)
          ASSERT_EQ(apply(Op::Concat, high + low, {{a, high}, {b, low}}), a << low | b);
}

TEST(Operations, Slices) {
  for (int w = 1; w <= kWidest; ++w)
    for (int high = 0; high < w; ++high)
      for (int low = 0; low <= high; ++low) {
        const int width = high - low + 1;
        for (int a = 0; a <= ones(w); ++a) {
          ASSERT_EQ(apply(Op::Extract, width, {{a, w}}, high, low), a >> low & ones(width));
          for (int b = 0; b <= ones(width); ++b)
            ASSERT_EQ(apply(Op::Insert, w, {{a, w}, {b, width}}, high, low),
                      (a & ~(ones(width) << low)) | b << low);
        }
      }
}

TEST(Operations, Extensions) {
  for (int narrow = 0; narrow <= kWidest; ++narrow)
    for (int wide = narrow; wide <= kWidest + 2; ++wide) {
      for (int a = 0; a <= ones(narrow); ++a) {
        ASSERT_EQ(apply(Op::ZeroExtend, wide, {{a, narrow}}), a);
        ASSERT_EQ(apply(Op::SignExtend, wide, {{a, narrow}}), as_signed(a, narrow) & ones(wide));
      }
      for (int a = 0; a <= ones(wide); ++a)
        ASSERT_EQ(apply(Op::Truncate, narrow, {{a, wide}}), a & ones(narrow));
    }
}

TEST(Operations, Choose) {
  EXPECT_EQ(apply(Op::Choose, 4, {{1, 1}, {5, 4}, {9, 4}}), 5);
  EXPECT_EQ(apply(Op::Choose, 4, {{0, 1}, {5, 4}, {9, 4}}), 9);
}

TEST(Operations, WideValues) {
  const Integer top = Integer(1) << 199;
  const Integer ones200 = all_ones(200);
  EXPECT_EQ(apply(Op::Add, 200, {{ones200, 200}, {2, 200}}), 1);
  EXPECT_EQ(apply(Op::Sub, 200, {{0, 200}, {1, 200}}), ones200);
  EXPECT_EQ(apply(Op::Mul, 200, {{ones200, 200}, {ones200, 200}}), 1);
  EXPECT_EQ(apply(Op::Not, 200, {{0, 200}}), ones200);
  EXPECT_EQ(apply(Op::ShiftRightSigned, 200, {{top, 200}, {199, 8}}), ones200);
  EXPECT_EQ(apply(Op::AddSatSigned, 200, {{top, 200}, {top, 200}}), top);
  EXPECT_EQ(apply(Op::LessSigned, 1, {{top, 200}, {0, 200}}), 1);
  EXPECT_EQ(apply(Op::Extract, 8, {{top, 200}}, 199, 192), 0x80);
  EXPECT_EQ(apply(Op::Insert, 200, {{ones200, 200}, {0, 199}}, 198, 0), top);
}

TEST(Operations, CutKeepsTheLowBits) {
  Integer value = 0x1ff;
  cut(value, 9);
  EXPECT_EQ(value, 0x1ff);
  cut(value, 8);
  EXPECT_EQ(value, 0xff);
  cut(value, 0);
  EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace perfpact::p4::interpreter
