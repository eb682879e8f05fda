#include "formula/formula.h"

#include <gtest/gtest.h>

#include "../packet/reported.h"

namespace perfpact::formula {
namespace {

class FormulaTest : public ::testing::Test {
 protected:
  FormulaTest() : diagnostics(sources), file(sources.add("m.yaml", "")) {}

  static std::optional<Rational> lookup(std::string_view name) {
    if (name == "t") return Rational(3);
    if (name == "c") return Rational(1, 2);
    if (name == "zero") return Rational(0);
    if (name == "flow_table.get#2.t") return Rational(7);
    return std::nullopt;
  }
  // The value as a fraction, or what was reported; the text is taken to begin at line 5, column 11.
  std::string value(std::string_view text) {
    auto formula = Formula::parse(text, Span{file, {5, 11}, {5, 11}}, diagnostics);
    if (!formula) return test::reported(diagnostics);
    auto result = formula->evaluate(&lookup, diagnostics);
    return result ? to_fraction(*result) : test::reported(diagnostics);
  }

  SourceManager sources;
  Diagnostics diagnostics;
  FileId file;
};

TEST_F(FormulaTest, SumsAndSubstitutions) {
  const auto parse = [this](std::string_view text) { return *Formula::parse(text, {}, diagnostics); };
  const Formula get = parse("18*t + 2*c*t + 7");
  const std::vector<std::pair<std::string, Formula>> values = {{"t", Formula::name("flows.get.t")},
                                                               {"c", Formula::constant(3)}};
  EXPECT_EQ(get.substitute(values).to_string(), "24*flows.get.t + 7");
  const Formula terms[] = {Formula::constant(12), get, get.substitute(values)};
  const Formula sum = Formula::sum(terms);
  EXPECT_EQ(sum.to_string(), "2*c*t + 24*flows.get.t + 18*t + 26");
  const auto at_two = [](std::string_view) { return std::optional<Rational>(2); };
  EXPECT_EQ(sum.evaluate(at_two, diagnostics), Rational(118));
  EXPECT_EQ(Formula::sum({}).to_string(), "0");
  const std::vector<std::pair<std::string, Formula>> swapped = {{"t", Formula::name("c")},
                                                                {"c", Formula::name("t")}};
  EXPECT_EQ(parse("t - 2*c").substitute(swapped).to_string(), "c - 2*t");
}

TEST_F(FormulaTest, Numbers) {
  EXPECT_EQ(value("0.1"), "1/10");
  EXPECT_EQ(value("33/100"), "33/100");
  EXPECT_EQ(value(" 12 "), "12");
  EXPECT_EQ(value(".5 + 1."), "3/2");
  EXPECT_EQ(value("123456789012345678901234567890 * 10"), "1234567890123456789012345678900");
}

TEST_F(FormulaTest, ArithmeticAndPrecedence) {
  EXPECT_EQ(value("1 + 2 * 3"), "7");
  EXPECT_EQ(value("(1 + 2) * 3"), "9");
  EXPECT_EQ(value("7 - 2 - 1"), "4");
  EXPECT_EQ(value("8 / 2 / 2"), "2");
  EXPECT_EQ(value("2 / 3 * 3"), "2");
  EXPECT_EQ(value("-t + 1"), "-2");
  EXPECT_EQ(value("2 * -t"), "-6");
  EXPECT_EQ(value("2--3"), "5");
  EXPECT_EQ(value("t * c"), "3/2");
  EXPECT_EQ(value("flow_table.get#2.t + 1"), "8");
}

TEST_F(FormulaTest, Conditions) {
  EXPECT_EQ(value("1 < 2"), "1");
  EXPECT_EQ(value("2 < 2"), "0");
  EXPECT_EQ(value("2 <= 2"), "1");
  EXPECT_EQ(value("2 > 2"), "0");
  EXPECT_EQ(value("2 >= 2"), "1");
  EXPECT_EQ(value("1/2 == 0.5"), "1");
  EXPECT_EQ(value("1 != 1"), "0");
  EXPECT_EQ(value("not 0"), "1");
  EXPECT_EQ(value("not 1 == 2"), "1");
  EXPECT_EQ(value("1 or 0 and 0"), "1");
  EXPECT_EQ(value("(1 or 0) and 0"), "0");
  EXPECT_EQ(value("5 and -1"), "1");
  EXPECT_EQ(value("(1 < 2) * 10"), "10");
}

TEST_F(FormulaTest, Functions) {
  EXPECT_EQ(value("min(3, 1, 2)"), "1");
  EXPECT_EQ(value("max(3, 1, 2)"), "3");
  EXPECT_EQ(value("max(t)"), "3");
  EXPECT_EQ(value("floor(-1/2)"), "-1");
  EXPECT_EQ(value("ceil(-1/2)"), "0");
  EXPECT_EQ(value("ceil(3/2)"), "2");
  EXPECT_EQ(value("mod(7, 3)"), "1");
  EXPECT_EQ(value("mod(-1, 3)"), "2");
  EXPECT_EQ(value("mod(7/2, 1)"), "1/2");
  EXPECT_EQ(value("log2_ceil(1)"), "0");
  EXPECT_EQ(value("log2_ceil(8)"), "3");
  EXPECT_EQ(value("log2_ceil(9)"), "4");
  EXPECT_EQ(value("log2_ceil(17/2)"), "4");
  EXPECT_EQ(value("if(t > 2, 10, 20)"), "10");
  EXPECT_EQ(value("if(t > 3, 10, 20)"), "20");
}

TEST_F(FormulaTest, NamesThatLookLikeWords) {
  auto formula = Formula::parse("android + min + nothing + android", Span{file, {1, 1}, {1, 1}}, diagnostics);
  ASSERT_TRUE(formula) << diagnostics.render();
  std::vector<std::string> names;
  for (const auto& name : formula->names())
    names.push_back(fmt::format("{}@{}", name.name, name.span.begin.column));
  EXPECT_EQ(names, (std::vector<std::string>{"android@1", "min@11", "nothing@17"}));
  const std::vector<Rational> values{1, 10, 100};
  EXPECT_EQ(*formula->evaluate(values, diagnostics), 112);
}

TEST_F(FormulaTest, OnlyWhatIsNeededIsEvaluated) {
  EXPECT_EQ(value("if(1, 2, 1/0)"), "2");
  EXPECT_EQ(value("if(0, nobody, 3)"), "3");
  EXPECT_EQ(value("0 and 1/0"), "0");
  EXPECT_EQ(value("1 or nobody"), "1");
}

TEST_F(FormulaTest, Constant) {
  const Formula formula = Formula::constant(Rational(2, 3));
  EXPECT_TRUE(formula.names().empty());
  EXPECT_EQ(*formula.evaluate(&lookup, diagnostics), Rational(2, 3));
  EXPECT_EQ(formula.to_string(), "2/3");
}

TEST_F(FormulaTest, DivisionByZero) {
  EXPECT_EQ(value("1 + 2 / (t - 3)"), "5:20: division by zero in the formula [formula-division-by-zero]\n");
}
TEST_F(FormulaTest, ModByZero) {
  EXPECT_EQ(value("mod(1, zero)"), "5:18: division by zero in the formula [formula-division-by-zero]\n");
}
TEST_F(FormulaTest, Logarithm) {
  EXPECT_EQ(value("1 + log2_ceil(c)"), "5:15: log2_ceil of 1/2, which is below 1 [formula-logarithm]\n");
}
TEST_F(FormulaTest, UnknownName) {
  EXPECT_EQ(value("t + nobody.t"),
            "5:15: the formula uses 'nobody.t', which has no value here [formula-unknown-name]\n");
}

TEST_F(FormulaTest, SyntaxErrorsPointAtTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> faults{
      {"", "5:11: expected a number, a name, a function or '(' in the formula, not its end"},
      {"1 +", "5:14: expected a number, a name, a function or '(' in the formula, not its end"},
      {"1 + * 2", "5:15: expected a number, a name, a function or '(' in the formula, not '*'"},
      {"(1 + 2", "5:17: expected ')' in the formula, not its end"},
      {"1 2", "5:13: expected an operator or the end in the formula, not '2'"},
      {"2e3", "5:12: expected an operator or the end in the formula, not 'e3'"},
      {"1..2", "5:11: expected a decimal number in the formula, not '1'"},
      {"1 < 2 < 3", "5:17: expected an operator or the end in the formula, not '<'"},
      {"1 and and", "5:17: expected a number, a name, a function or '(' in the formula, not 'and'"},
      {"--1", "5:12: expected a number, a name, a function or '(' in the formula, not '-'"},
      {"min(1 2)", "5:17: expected ',' or ')' in the formula, not '2'"},
      {"min()", "5:15: expected a number, a name, a function or '(' in the formula, not ')'"},
      {"a.", "5:12: expected an operator or the end in the formula, not '.'"},
      {"t#x", "5:12: expected an operator or the end in the formula, not '#'"},
      {"t \xc2\xb7 2", "5:13: expected an operator or the end in the formula, not byte 0xc2"},
      {"t +\n  * 2", "6:3: expected a number, a name, a function or '(' in the formula, not '*'"},
  };
  for (const auto& [text, message] : faults) {
    Diagnostics own(sources);
    EXPECT_FALSE(Formula::parse(text, Span{file, {5, 11}, {5, 11}}, own)) << text;
    EXPECT_EQ(test::reported(own), message + " [formula-syntax]\n") << text;
  }
}

TEST_F(FormulaTest, UnknownFunction) {
  EXPECT_EQ(value("1 + mim(1, 2)"),
            "5:15: there is no function 'mim'; did you mean 'min'? [formula-unknown-function]\n");
}
TEST_F(FormulaTest, Arguments) {
  EXPECT_EQ(value("if(1, 2)"), "5:11: function 'if' takes 3 arguments, not 2 [formula-arguments]\n");
}
TEST_F(FormulaTest, ArgumentsOfOne) {
  EXPECT_EQ(value("floor(1, 2)"), "5:11: function 'floor' takes 1 argument, not 2 [formula-arguments]\n");
}

TEST_F(FormulaTest, DeepNestingIsRefused) {
  EXPECT_EQ(value(std::string(200, '(') + "t" + std::string(200, ')')), "3");
  EXPECT_EQ(value(std::string(100000, '(')),
            "5:211: the formula nests more than 200 levels deep [formula-too-deep]\n");
}

TEST_F(FormulaTest, LongChainsAreNoDepth) {
  std::string text = "t";
  for (int i = 0; i < 100000; ++i) text += "+t";
  EXPECT_EQ(value(text), "300003");
}

}  // namespace
}  // namespace perfpact::formula
