#include "report/text.h"

#include <gtest/gtest.h>

#include "report/made_view.h"

namespace perfpact::report {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Text, ShowsThePapersEstimatorsSideBySide) {
  made::View made;
  made::fill(made);
  made.price_with("per-size", made::kPerSize);
  made.price_with("per-size-again", made::kPerSize);
  const std::string text = to_text(made.view(), {});
  EXPECT_TRUE(text.starts_with(
      "made.p4: 2 packets of made.yaml, 2 distinct and run\n"
      "tables: ingress.fib 0 entries\n\n"
      "latency in ms       min  avg_best             avg       avg_worst             max\n"
      "per-size        0.46545    0.8169  1.959916133333  2.525066666667  3.046833333333\n"
      "per-size-again  0.46545    0.8169  1.959916133333  2.525066666667  3.046833333333\n\n"))
      << text;
  EXPECT_TRUE(contains(text, "p99.9")) << text;
}

TEST(Text, ShowsCasesWithTheirStepsDearestFirst) {
  made::View made;
  made::fill(made);
  made.price_with("cycles", made::kCycles);
  const std::string text = to_text(made.view(), {});
  EXPECT_TRUE(contains(text, "\ncycles, cycles  ")) << text;
  EXPECT_TRUE(contains(text, "  min over inputs")) << text;
  const std::string path = program::to_string(made.cases.cases[1].trace.path);
  const auto first = text.find("case 1: probability 0.6666666666667 (2/3), dropped, path " + path +
                               "\n"
                               "  packets: no route\n"
                               "  does: parser start; ingress.fib miss (50000 of 50000 visited), NoAction\n");
  ASSERT_NE(first, std::string::npos) << text;
  const auto total = text.find("350019", first);
  const auto lookup = text.find("350005", first);
  const auto action = text.find("action.run", first);
  ASSERT_NE(action, std::string::npos);
  EXPECT_LT(total, lookup);
  EXPECT_LT(lookup, action);
  EXPECT_TRUE(contains(text, "made.p4:7: statement 7;")) << text;
}

TEST(Text, StepsWithoutACostAreCountedUnlessExplained) {
  made::View made;
  made::fill(made);
  made.price_with("per-size", made::kPerSize);
  const std::string brief = to_text(made.view(), {});
  EXPECT_TRUE(contains(brief, "2 further steps without a cost")) << brief;
  EXPECT_FALSE(contains(brief, "parser.state")) << brief;
  EXPECT_FALSE(contains(brief, "mean over inputs")) << brief;
  const std::string full = to_text(made.view(), {.explain = true});
  EXPECT_FALSE(contains(full, "without a cost")) << full;
  EXPECT_TRUE(contains(full, "parser.state(start)")) << full;
  EXPECT_TRUE(contains(full, "mean over inputs")) << full;
}

TEST(Text, ManyStepsAreSummedUp) {
  made::View made;
  std::vector<program::Event> events;
  for (int i = 0; i < 20; ++i) events.push_back({made.start, {}});
  made.add_row("all", Rational(1));
  made.add_case(std::move(events), program::Dropped{}, {{0, Rational(1)}});
  made.finish();
  made.price_with("per-size", made::kPerSize);
  const std::string text = to_text(made.view(), {});
  // 8 of 20 starts, 0.114 / 0.309394 / 0.438 each
  EXPECT_TRUE(contains(text, "0.912  2.475152  3.504      8 further steps, together")) << text;
  EXPECT_TRUE(contains(text, "  does: then normal; then normal;")) << text;
}

TEST(Text, WhatALongPathDoesIsCutShort) {
  made::View made;
  std::vector<program::Event> events{{made.start, {}}};
  for (int i = 0; i < 100; ++i) events.push_back({made.parser, {}});
  made.add_row("all", Rational(1));
  made.add_case(std::move(events), program::Dropped{}, {{0, Rational(1)}});
  made.finish();
  made.price_with("per-size", made::kPerSize);
  const std::string text = to_text(made.view(), {});
  EXPECT_TRUE(contains(text, ", start, start; and 60 more\n")) << text;
}

TEST(Text, UnknownProbabilitiesAreIntervals) {
  made::View made;
  made.add_row("known", Rational(1, 4));
  made.add_row("hits", std::nullopt);
  made.add_row("misses", std::nullopt);
  made.add_case(made.hit(), program::Sent{1}, {{0, Rational(1)}, {1, Rational(1)}});
  made.add_case(made.miss(), program::Dropped{}, {{2, Rational(1)}});
  made.finish();
  made.price_with("cycles", made::kCycles);
  const std::string text = to_text(made.view(), {});
  EXPECT_TRUE(contains(text, "[140019, 297519]")) << text;
  EXPECT_TRUE(contains(text, "probability [0.25, 1], sent(1)")) << text;
}

TEST(Text, ManyCasesAreCutWithTheirProbability) {
  made::View made;
  for (int i = 0; i < 25; ++i) made.add_row("row", Rational(1, 25));
  for (std::int64_t i = 0; i < 25; ++i)
    made.add_case({{made.start, {}}, {made.fib, {50000, 44, 1, i + 1, 0}}}, program::Sent{1},
                  {{static_cast<std::size_t>(i), Rational(1)}});
  made.finish();
  made.price_with("per-size", made::kPerSize);
  const std::string text = to_text(made.view(), {});
  EXPECT_TRUE(contains(text, "case 20: ")) << text;
  EXPECT_FALSE(contains(text, "case 21: ")) << text;
  EXPECT_TRUE(contains(text, "5 further cases with probability 0.2 together are not shown")) << text;
  EXPECT_TRUE(contains(to_text(made.view(), {.explain = true}), "case 25: "));
}

TEST(Text, CopiesStandUnderTheTotal) {
  made::View made;
  std::vector<program::Event> events = made.miss();
  events.push_back({made.start, {}});
  made.add_row("all", Rational(1));
  made.add_case(std::move(events), program::Sent{1}, {{0, Rational(1)}});
  made.cases.cases[0].trace.passes = {{0, false}, {4, true}};
  made.finish();
  made.price_with("per-size", made::kPerSize);
  const std::string text = to_text(made.view(), {});
  EXPECT_TRUE(contains(
      text, "  does: parser start; ingress.fib miss (50000 of 50000 visited), NoAction; then normal\n"))
      << text;
  EXPECT_TRUE(contains(text, "total\n")) << text;
  EXPECT_TRUE(contains(text, "    0.992625  2.372546666667  3.046833333333       of it the original\n"))
      << text;
  EXPECT_TRUE(contains(text, "       0.114        0.309394           0.438       of it copies\n")) << text;
  EXPECT_TRUE(contains(text, "5  start(normal), of a copy\n")) << text;
}

TEST(Text, ExplainNamesTheRowOfTheCostModel) {
  made::View made;
  made::fill(made);
  made.price_with("per-size", made::kPerSize);
  const std::string text = to_text(made.view(), {.explain = true});
  EXPECT_TRUE(contains(text, "per-size.yaml:13: cost: base\n")) << text;
  EXPECT_TRUE(contains(text, "per-size.yaml:16: others: 0\n")) << text;
  EXPECT_FALSE(contains(to_text(made.view(), {}), "per-size.yaml:")) << text;
}

TEST(Text, GapsComeFirstAndMakeFiguresLowerBounds) {
  made::View made;
  made.add_row("known route", Rational(1, 3));
  made.add_row("no end", Rational(2, 3));
  made.add_case(made.hit(), program::Sent{1}, {{0, Rational(1)}});
  made.add_case(made.miss(), program::Gap{"more than 2 passes", made.start->at}, {{1, Rational(1)}});
  made.finish();
  made.price_with("per-size", made::kPerSize);
  const std::string text = to_text(made.view(), {});
  EXPECT_TRUE(
      contains(text,
               "gaps: packets that were not followed to their end; a figure that this leaves open reads >= "
               "(at least)\n"
               "  probability 0.6666666666667 (2/3): more than 2 passes\n"
               "    made.p4:1: statement 1;\n\n"))
      << text;
  EXPECT_TRUE(contains(text,
                       "per-size       0.46545  >= 0.8169  >= 1.959916133333  >= 2.525066666667  >= "
                       "3.046833333333\n"))
      << text;
  EXPECT_TRUE(contains(text, "gap(more than 2 passes), path")) << text;
  EXPECT_TRUE(contains(text, "at least, before the gap\n")) << text;
}

}  // namespace
}  // namespace perfpact::report
