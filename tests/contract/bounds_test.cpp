#include "contract/bounds.h"

#include <gtest/gtest.h>

namespace perfpact::contract {
namespace {

class BoundsTest : public ::testing::Test {
 protected:
  formula::Formula parse(const std::string& text) { return *formula::Formula::parse(text, {}, diagnostics_); }
  bool is_dearer(const std::string& a, const std::string& b) {
    return dominates(parse(a), parse(b), ranges());
  }
  std::vector<std::size_t> kept(const std::vector<std::string>& texts) {
    std::vector<formula::Formula> formulas;
    for (const std::string& text : texts) formulas.push_back(parse(text));
    return largest(formulas, ranges());
  }
  std::string most_of(const std::string& text) {
    const auto result = most(parse(text), ranges());
    return result ? to_fraction(*result) : "no limit";
  }
  Ranges ranges() {
    return [this](const std::string& name) { return ranges_.contains(name) ? ranges_[name] : Range{}; };
  }

  SourceManager sources_;
  Diagnostics diagnostics_{sources_};
  std::map<std::string, Range> ranges_;
};

TEST_F(BoundsTest, CoefficientByCoefficient) {
  EXPECT_TRUE(is_dearer("18*t + 7", "18*t + 7"));
  EXPECT_TRUE(is_dearer("18*t + 2*c + 7", "17*t + 7"));
  EXPECT_FALSE(is_dearer("18*t", "17*t + 7")) << "t may be 0";
  EXPECT_FALSE(is_dearer("17*t + 7", "18*t"));
  EXPECT_TRUE(is_dearer("2*t*e + 5", "t*e + 5"));
}

TEST_F(BoundsTest, RangesMakeTheDifference) {
  ranges_["t"] = {7, std::nullopt};
  EXPECT_TRUE(is_dearer("18*t", "17*t + 7"));
  EXPECT_TRUE(is_dearer("245*t*e", "100*e")) << "whatever e is";
  EXPECT_FALSE(is_dearer("17*t + 7", "18*t"));
  ranges_["t"] = {0, 5};
  EXPECT_TRUE(is_dearer("17*t + 7", "18*t"));
  EXPECT_FALSE(is_dearer("245*t*e", "100*e"));
}

TEST_F(BoundsTest, OnlyTheLargestStay) {
  EXPECT_EQ(kept({"t + 3", "2*t + 3", "5", "2*t + 3", "9*c"}), (std::vector<std::size_t>{1, 2, 4}));
  EXPECT_EQ(kept({"7"}), (std::vector<std::size_t>{0}));
  EXPECT_EQ(kept({"min(t, 3)", "4", "min(t, 3)"}), (std::vector<std::size_t>{0, 1}))
      << "only equal ones are known";
}

TEST_F(BoundsTest, Most) {
  EXPECT_EQ(most_of("7"), "7");
  EXPECT_EQ(most_of("2*t + 7"), "no limit");
  ranges_["t"] = {1, 4};
  EXPECT_EQ(most_of("2*t + 7"), "15");
  EXPECT_EQ(most_of("7 - 2*t"), "5");
  EXPECT_EQ(most_of("3*t*t"), "48");
  EXPECT_EQ(most_of("max(t, 3)"), "no limit") << "not a polynomial";
}

}  // namespace
}  // namespace perfpact::contract
