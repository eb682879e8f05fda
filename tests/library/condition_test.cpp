#include "library/condition.h"

#include <gtest/gtest.h>

#include "library/diagnostics.h"

namespace perfpact::library {
namespace {

class ConditionTest : public ::testing::Test {
 protected:
  /// Its canonical text, or the message of the first error.
  std::string parsed(const std::string& text) {
    Diagnostics diagnostics(sources_);
    const auto condition = parse_condition(text, {}, diagnostics);
    return condition ? to_string(*condition) : diagnostics.all().front().message;
  }
  std::string parsed_term(const std::string& text) {
    Diagnostics diagnostics(sources_);
    const auto term = parse_term(text, {}, diagnostics);
    return term ? to_string(*term) : diagnostics.all().front().message;
  }
  SourceManager sources_;
};

TEST_F(ConditionTest, IsPrintedAsItIsWritten) {
  for (const char* text :
       {"contains(argument 1)", "not contains(argument 1, argument 2)", "value < capacity",
        "value(argument 1) == argument 2", "contains(argument 1) and value <= 7 and argument 3 != size",
        "argument 0 > 1 and value >= 2", "side(3, argument 1)", "in_use(flow(argument 1, capacity))"})
    EXPECT_EQ(parsed(text), text);
  EXPECT_EQ(parsed("  value<0x10  and not  full( argument 5 )"), "value < 16 and not full(argument 5)");
}

TEST_F(ConditionTest, TermsOfEachKind) {
  using Kind = Term::Kind;
  Diagnostics diagnostics(sources_);
  const auto kind = [&](const char* text) { return parse_term(text, {}, diagnostics)->kind; };
  EXPECT_EQ(kind("12"), Kind::Number);
  EXPECT_EQ(kind("argument 3"), Kind::Argument);
  EXPECT_EQ(kind("value"), Kind::Value);
  EXPECT_EQ(kind("value(argument 1)"), Kind::Function);
  EXPECT_EQ(kind("capacity"), Kind::Field);
}

TEST_F(ConditionTest, SaysWhatWasExpected) {
  EXPECT_EQ(parsed(""), "expected a number, `argument N`, `value` or a name in the condition, not the end");
  EXPECT_EQ(parsed("value"), "expected a comparison in the condition, not the end");
  EXPECT_EQ(parsed("value <"),
            "expected a number, `argument N`, `value` or a name in the condition, not the end");
  EXPECT_EQ(parsed("not value < 3"), "expected a function behind `not` in the condition, not '<'");
  EXPECT_EQ(parsed("contains(argument 1) or full(1)"),
            "expected `and` or the end in the condition, not 'or'");
  EXPECT_EQ(parsed("contains(argument 1"), "expected `)` in the condition, not the end");
  EXPECT_EQ(parsed("contains()"),
            "expected a number, `argument N`, `value` or a name in the condition, not ')'");
  EXPECT_EQ(parsed("value < 99999999999999999999"),
            "expected a number of 64 bits in the condition, not '99999999999999999999'");
  EXPECT_EQ(parsed_term("argument 6"),
            "'argument 6' is no argument; expected `argument N`, N from 0 to 5 (those that registers pass)");
  EXPECT_EQ(parsed_term("argument"),
            "'argument ' is no argument; expected `argument N`, N from 0 to 5 (those that registers pass)");
  EXPECT_EQ(parsed_term("1 2"), "expected `and` or the end in the condition, not '2'");
}

}  // namespace
}  // namespace perfpact::library
