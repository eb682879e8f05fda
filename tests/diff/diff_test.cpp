// Contracts compared: by how much a class got dearer, and where. The whole command:
// tests/golden/native/diff.golden.
#include "diff/diff.h"

#include <gtest/gtest.h>

#include "diff/diagnostics.h"

namespace perfpact::diff {
namespace {

class DiffTest : public ::testing::Test {
 protected:
  formula::Formula formula(std::string_view text) {
    auto parsed = formula::Formula::parse(text, {}, diagnostics);
    EXPECT_TRUE(parsed) << diagnostics.render();
    return *parsed;
  }
  std::optional<Rational> grown(std::string_view before, std::string_view after) {
    return growth(formula(before), formula(after));
  }
  static std::string contract(const std::string& formula, const std::string& most,
                              const std::string& lines = "[]", const std::string& name = "all") {
    return R"({"schema": "perfpact.contract/1", "program": "nf", "gaps": [], "classes": [{"name": ")" + name +
           R"(", "paths": 1, "unknown": 0, "formula": {"instructions": ")" + formula +
           R"("}, "most": {"instructions": )" + most +
           R"(}, "worst_paths": {"instructions": "12"}, "lines": )" + lines + "}]}";
  }
  static std::string line(const std::string& at, const std::string& text, int instructions,
                          const std::string& calls = "[]") {
    return R"({"at": ")" + at + R"(", "function": "f", "text": ")" + text + R"(", "instructions": )" +
           std::to_string(instructions) + R"(, "loads": 0, "stores": 0, "calls": )" + calls + "}";
  }
  Change only_change(const std::string& before, const std::string& after) {
    const auto old_one = read_summary(before, "old.json", diagnostics);
    const auto new_one = read_summary(after, "new.json", diagnostics);
    EXPECT_TRUE(old_one && new_one) << diagnostics.render();
    const auto diff = compare(*old_one, *new_one, diagnostics);
    EXPECT_TRUE(diff) << diagnostics.render();
    EXPECT_EQ(diff->changes.size(), 1U);
    return diff->changes.front();
  }
  std::string report_of(std::string_view json) {
    Diagnostics fresh(sources);
    EXPECT_FALSE(read_summary(json, "x.json", fresh));
    return fresh.all().empty() ? "" : fresh.all().front().message;
  }

  SourceManager sources;
  Diagnostics diagnostics{sources};
};

TEST_F(DiffTest, GrowthIsThatOfTheTermThatGrowsMost) {
  EXPECT_EQ(grown("18*t + 65", "18*t + 65"), Rational(0));
  EXPECT_EQ(grown("18*t + 65", "27*t + 65"), Rational(1, 2));
  EXPECT_EQ(grown("20*t + 50", "10*t + 51"), Rational(1, 50));
  EXPECT_EQ(grown("20*t + 50", "10*t + 25"), Rational(-1, 2));
  EXPECT_EQ(grown("20*t + 50", "10*t"), Rational(-1, 2));
  EXPECT_EQ(grown("20*t + 50", "20*t + c + 50"), std::nullopt) << "c has no limit";
  EXPECT_EQ(grown("min(t, 4)", "min(t, 4)"), Rational(0));
  EXPECT_EQ(grown("min(t, 4)", "min(t, 5)"), std::nullopt) << "no polynomial";
  EXPECT_EQ(grown("20*t", "0"), Rational(-1));
}

// No value of the PCVs gives more than the growth says.
TEST_F(DiffTest, GrowthIsNeverExceeded) {
  const formula::Formula before = formula("3*t*c + 7*t + 11"), after = formula("4*t*c + 2*t + 13");
  const Rational factor = *growth(before, after) + 1;
  for (int t = 0; t < 20; ++t)
    for (int c = 0; c < 20; ++c) {
      const auto value = [&](std::string_view name) { return std::optional(Rational(name == "t" ? t : c)); };
      EXPECT_LE(*after.evaluate(value, diagnostics), *before.evaluate(value, diagnostics) * factor);
    }
}

TEST_F(DiffTest, WhatIsLimitedIsComparedByItsLimit) {
  EXPECT_EQ(only_change(contract("18*t + 65", "\"83\""), contract("18*t + c + 65", "\"166\"")).ratio,
            Rational(1));
  EXPECT_EQ(only_change(contract("18*t + 65", "null"), contract("18*t + c + 65", "\"166\"")).ratio,
            std::nullopt);
  EXPECT_EQ(only_change(contract("0", "\"0\""), contract("1", "\"1\"")).ratio, std::nullopt);
}

TEST_F(DiffTest, MaximaAreComparedFormulaByFormula) {
  EXPECT_EQ(
      only_change(contract("max(10*t + 5, 20*c)", "null"), contract("max(20*c, 11*t + 5)", "null")).ratio,
      Rational(1, 10));
  EXPECT_EQ(only_change(contract("10*t + 5", "null"), contract("max(10*t + 5, 1)", "null")).ratio,
            Rational(0));
}

TEST_F(DiffTest, PlacesOfWhatIsNew) {
  const std::string before = "[" + line("a.c:1", "x = 1;", 3) + "," + line("a.c:2", "y = 2;", 5) + "]";
  const std::string after = "[" + line("a.c:2", "x = 1;", 3) + "," +
                            line("a.c:3", "get(flows);", 4, R"(["flows.get hit"])") + "," +
                            line("a.c:4", "y = 2;", 6) + "]";
  const Change change = only_change(contract("8", "\"8\"", before), contract("13", "\"13\"", after));
  ASSERT_EQ(change.places.size(), 2U);
  EXPECT_EQ(change.places[0].at, "a.c:3");
  EXPECT_EQ(change.places[0].calls, std::vector<std::string>{"flows.get hit"});
  EXPECT_EQ(change.places[1].at, "a.c:4");
  EXPECT_EQ(change.places[1].more, 1);
}

TEST_F(DiffTest, LinesWithoutTextAreToldByWhatTheyDo) {
  const std::string before = "[" + line("a.c:1", "", 3) + "," + line("a.c:2", "", 5) + "]";
  const std::string after =
      "[" + line("a.c:1", "", 3) + "," + line("a.c:2", "", 4) + "," + line("a.c:9", "", 5) + "]";
  const Change change = only_change(contract("8", "\"8\"", before), contract("12", "\"12\"", after));
  ASSERT_EQ(change.places.size(), 1U);
  EXPECT_EQ(change.places[0].at, "a.c:2");
}

TEST_F(DiffTest, ClassesThatOnlyOneHas) {
  const auto before = read_summary(contract("1", "\"1\"", "[]", "a"), "old.json", diagnostics);
  const auto after = read_summary(contract("1", "\"1\"", "[]", "b"), "new.json", diagnostics);
  ASSERT_TRUE(before && after);
  EXPECT_FALSE(compare(*before, *after, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 3U);
  EXPECT_EQ(diagnostics.all()[0].kind, &diag::kOnlyInOne);
  EXPECT_EQ(diagnostics.all()[2].kind, &diag::kNothing);
}

TEST_F(DiffTest, WhatIsNoContract) {
  EXPECT_TRUE(report_of("{").contains("'x.json' is no contract: it is no JSON object"));
  EXPECT_TRUE(report_of("[]").contains("it is no JSON object"));
  EXPECT_TRUE(report_of("{}").contains("its `schema` is not perfpact.contract/1"));
  EXPECT_TRUE(report_of(R"({"schema": "perfpact.contract/1"})").contains("key 'program' not found"));
}

}  // namespace
}  // namespace perfpact::diff
