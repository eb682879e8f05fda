// Linear programs: exact answers, no answer, and nothing changed for the rest of the program.
#include "linear/linear_program.h"

#include <gtest/gtest.h>

#include <cfenv>

namespace perfpact::linear {
namespace {

// x + y is least where both constraints hold with equality.
TEST(LinearProgram, AnswersAreExact) {
  LinearProgram program(2, 10);
  program.require_at_least({3, 1}, 1);
  program.require_at_least({1, 3}, 1);
  EXPECT_EQ(program.minimise({1, 1}), (std::vector<Rational>{Rational(1, 4), Rational(1, 4)}));
  program.require_at_least({3, 0}, 1);
  EXPECT_EQ(program.minimise({1, 1}), (std::vector<Rational>{Rational(1, 3), Rational(2, 9)}));
}

TEST(LinearProgram, VariablesHaveLimits) {
  LinearProgram program(1, 10);
  EXPECT_EQ(program.minimise({1}), std::vector<Rational>{-10});
  program.require_at_least({1}, 11);
  EXPECT_EQ(program.minimise({1}), std::nullopt);
}

TEST(LinearProgram, VariablesComeWithTheirBounds) {
  LinearProgram program;
  EXPECT_EQ(program.add_variable(1, 5), 0U);
  program.require_at_least({1}, 3);
  EXPECT_TRUE(program.is_possible());
  EXPECT_EQ(program.add_variable(-2, 4), 1U);
  EXPECT_EQ(program.minimise({1, 1}), (std::vector<Rational>{3, -2}));
  program.require_at_least({-1, 1}, 2);  // 3 + 2 is above 4
  EXPECT_EQ(program.minimise({1}), std::nullopt);
  EXPECT_FALSE(program.is_possible());
}

TEST(LinearProgram, FloatingPointArithmeticStaysRoundedToNearest) {
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  LinearProgram program(1, 10);
  EXPECT_TRUE(program.minimise({1}));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

}  // namespace
}  // namespace perfpact::linear
