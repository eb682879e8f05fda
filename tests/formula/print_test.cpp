#include <gtest/gtest.h>

#include <random>

#include "../packet/reported.h"
#include "formula/formula.h"

namespace perfpact::formula {
namespace {

std::string canonical(std::string_view text) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  auto formula = Formula::parse(text, {}, diagnostics);
  return formula ? formula->to_string() : test::reported(diagnostics);
}

TEST(Print, Polynomials) {
  EXPECT_EQ(canonical("882 + 36*t + 245*e + 144*c + 82*c*e"), "82*c*e + 144*c + 245*e + 36*t + 882");
  EXPECT_EQ(canonical("(c + 2)*e + 0.5*e"), "c*e + 5/2*e");
  EXPECT_EQ(canonical("(a - b)*(a + b)"), "a*a - b*b");
  EXPECT_EQ(canonical("t - t"), "0");
  EXPECT_EQ(canonical("-t - 1"), "-t - 1");
  EXPECT_EQ(canonical("2*-t/4"), "-1/2*t");
  EXPECT_EQ(canonical("b*a*a"), "a*a*b");
  EXPECT_EQ(canonical("flow.get#2.t * 2"), "2*flow.get#2.t");
}

TEST(Print, WhatIsNoPolynomial) {
  EXPECT_EQ(canonical("min(b + a, 2*3) * 2"), "2*min(a + b, 6)");
  EXPECT_EQ(canonical("a/b"), "a/b");
  EXPECT_EQ(canonical("1/b"), "1/b");
  EXPECT_EQ(canonical("a/(b*c) - 1"), "a/(b*c) - 1");
  EXPECT_EQ(canonical("2*a/(b + 1)*c"), "2*a*c/(b + 1)");
  EXPECT_EQ(canonical("a/a"), "a/a");
  EXPECT_EQ(canonical("a/0"), "a/0");
  EXPECT_EQ(canonical("if(a < b+1 and not c, 1, 2) + 1"), "if(a < b + 1 and not c, 1, 2) + 1");
  EXPECT_EQ(canonical("(a < b) * 2"), "2*(a < b)");
  EXPECT_EQ(canonical("(a or b) and (c and d)"), "(a or b) and (c and d)");
  EXPECT_EQ(canonical("not (a or b)"), "not (a or b)");
  EXPECT_EQ(canonical("(a == b) == c"), "(a == b) == c");
}

TEST(Print, LongExpansionsStayProducts) {
  std::string text = "1";
  for (char name = 'a'; name <= 'z'; ++name) text += fmt::format("*({0} + {0}{0})", name);
  EXPECT_LT(canonical(text).size(), 200000U);
  std::string nested = "x";
  for (int i = 0; i < 150; ++i) nested = "min((a+b+c+" + nested + ")*(d+e+f+g))";
  EXPECT_LT(canonical(nested).size(), 1000000U);
}

// A random formula as text, with its value computed beside it by plain rationals.
class RandomFormula {
 public:
  explicit RandomFormula(unsigned seed) : random_(seed) {
    for (char name : {'a', 'b', 'c'}) values_[std::string(1, name)] = Rational(pick(7) - 3, 1 + pick(3));
  }
  struct Made {
    std::string text;
    std::optional<Rational> value;  // nothing: a division by zero
  };
  Made make(int depth) {
    if (depth == 0) {
      if (pick(2) == 0) {
        const int n = pick(5);
        return {std::to_string(n), Rational(n)};
      }
      const auto& [name, value] = *std::next(values_.begin(), pick(3));
      return {name, value};
    }
    const Made a = make(depth - 1);
    const Made b = make(pick(depth));
    const bool known = a.value && b.value;
    switch (pick(8)) {
      case 0:
        return {"(" + a.text + " + " + b.text + ")",
                known ? std::optional(*a.value + *b.value) : std::nullopt};
      case 1:
        return {"(" + a.text + " - " + b.text + ")",
                known ? std::optional(*a.value - *b.value) : std::nullopt};
      case 2:
      case 3:
        return {"(" + a.text + "*" + b.text + ")", known ? std::optional(*a.value * *b.value) : std::nullopt};
      case 4:
        return {"(" + a.text + "/" + b.text + ")",
                known && *b.value != 0 ? std::optional(*a.value / *b.value) : std::nullopt};
      case 5:
        return {"min(" + a.text + ", " + b.text + ")",
                known ? std::optional(*a.value < *b.value ? *a.value : *b.value) : std::nullopt};
      case 6:
        return {"(" + a.text + " <= " + b.text + ")",
                known ? std::optional(Rational(*a.value <= *b.value ? 1 : 0)) : std::nullopt};
      default:
        return {"(-(" + a.text + "))", a.value ? std::optional(-*a.value) : std::nullopt};
    }
  }
  [[nodiscard]] std::optional<Rational> lookup(std::string_view name) const {
    return values_.at(std::string(name));
  }

 private:
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  std::mt19937 random_;
  std::map<std::string, Rational> values_;
};

TEST(Print, ValueIsKeptAndPrintingIsStable) {
  int compared = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    RandomFormula random(seed);
    const auto made = random.make(1 + static_cast<int>(seed % 5));
    SourceManager sources;
    Diagnostics diagnostics(sources);
    const auto lookup = [&](std::string_view name) { return random.lookup(name); };
    auto formula = Formula::parse(made.text, {}, diagnostics);
    ASSERT_TRUE(formula) << made.text;
    const std::string text = formula->to_string();
    auto again = Formula::parse(text, {}, diagnostics);
    ASSERT_TRUE(again) << made.text << " -> " << text;
    EXPECT_EQ(again->to_string(), text) << made.text;
    auto value = formula->evaluate(lookup, diagnostics);
    ASSERT_EQ(value.has_value(), made.value.has_value()) << made.text;
    if (!value) continue;
    EXPECT_EQ(*value, *made.value) << made.text;
    EXPECT_EQ(*again->evaluate(lookup, diagnostics), *made.value) << made.text << " -> " << text;
    ++compared;
  }
  EXPECT_GT(compared, 1500);
}

}  // namespace
}  // namespace perfpact::formula
