#include "report/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/made_view.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(Json, HoldsEverythingOfThePrediction) {
  made::View made;
  made::fill(made);
  made.price_with("per-size", made::kPerSize);
  const Json json = Json::parse(to_json(made.view(), JsonNumbers::Decimal));
  EXPECT_EQ(json.begin().key(), "schema");
  EXPECT_EQ(json["schema"], "perfpact.prediction/1");
  EXPECT_EQ(json["program"], "made.p4");
  EXPECT_EQ(json["gaps"], Json::array());
  const Json& prediction = json["predictions"][0];
  EXPECT_EQ(prediction["cost_model"], "per-size");
  EXPECT_EQ(prediction["metric"], "latency");
  EXPECT_EQ(prediction["unit"], "ms");
  // 50000 * 44 * 5.692 / 4800000 + 0.438 and 20000 * 44 * 1.917 / 4800000 + 0.114
  EXPECT_DOUBLE_EQ(prediction["estimators"]["max"]["worst"].get<double>(), 5.692 * 2.2 / 4.8 + 0.438);
  EXPECT_DOUBLE_EQ(prediction["estimators"]["min"]["best"].get<double>(), 1.917 * 0.88 / 4.8 + 0.114);
  EXPECT_DOUBLE_EQ(prediction["mix_quantiles"]["worst"]["p99"].get<double>(), 5.692 * 2.2 / 4.8 + 0.438);

  const Json& likeliest = prediction["cases"][0];
  EXPECT_EQ(likeliest["probability"], "2/3");
  EXPECT_EQ(likeliest["verdict"], "dropped");
  EXPECT_EQ(likeliest["path"], program::to_string(made.cases.cases[1].trace.path));
  EXPECT_EQ(likeliest["pcvs"]["ingress.fib.visited"], 50000);
  EXPECT_EQ(likeliest["pcvs"]["ingress.fib.hit"], 0);
  ASSERT_EQ(likeliest["steps"].size(), 4U);
  EXPECT_EQ(likeliest["steps"][2]["event"], program::describe(made.cases.cases[1].trace.events[2]));
  EXPECT_EQ(likeliest["steps"][2]["at"], "made.p4:7:3");
  EXPECT_EQ(likeliest["steps"][1]["cost"]["worst"], 0.0);
}

TEST(Json, ExactNumbersAreFractions) {
  made::View made;
  made::fill(made);
  made.price_with("cycles", made::kCycles);
  const Json json = Json::parse(to_json(made.view(), JsonNumbers::Fraction));
  const Json& first = json["predictions"][0]["cases"][0];
  EXPECT_EQ(first["steps"][0]["cost"], (Json{{"hot", "1/6"}, {"cold", "7/2"}}));
  EXPECT_EQ(first["cost"]["cold"], "350019");  // 3.5 + 3.5 + (7 * 50000 + 5) + 7
}

TEST(Json, UnknownProbabilitiesAreIntervals) {
  made::View made;
  made.add_row("known", Rational(1, 4));
  made.add_row("hits", std::nullopt);
  made.add_row("misses", std::nullopt);
  made.add_case(made.hit(), program::Sent{1}, {{0, Rational(1)}, {1, Rational(1)}});
  made.add_case(made.miss(), program::Dropped{}, {{2, Rational(1)}});
  made.finish();
  made.price_with("cycles", made::kCycles);
  const Json json = Json::parse(to_json(made.view(), JsonNumbers::Fraction));
  const Json& prediction = json["predictions"][0];
  // hit: 7/2 + 7/2 + 140005 + 7, miss: 350019; a quarter is known to hit.
  EXPECT_EQ(prediction["estimators"]["mean"]["cold"], (Json{{"low", "140019"}, {"high", "297519"}}));
  const auto hit =
      std::ranges::find_if(prediction["cases"], [](const Json& c) { return c["verdict"] == "sent(1)"; });
  ASSERT_NE(hit, prediction["cases"].end());
  EXPECT_EQ((*hit)["probability"], (Json{{"low", "1/4"}, {"high", "1"}}));
}

TEST(Json, ASecondApplyOfATableHasPcvsOfItsOwn) {
  made::View made;
  auto events = made.hit();
  events.push_back({made.fib, {50000, 44, 0, 50000, 0}});
  made.add_row("all", Rational(1));
  made.add_case(std::move(events), program::Dropped{}, {{0, Rational(1)}});
  made.finish();
  made.price_with("cycles", made::kCycles);
  const Json json = Json::parse(to_json(made.view(), JsonNumbers::Decimal));
  const Json& pcvs = json["predictions"][0]["cases"][0]["pcvs"];
  EXPECT_EQ(pcvs["ingress.fib.visited"], 20000);
  EXPECT_EQ(pcvs["ingress.fib#2.visited"], 50000);
}

TEST(Json, IsTheSameTwiceAndSurvivesNamesThatAreNoUtf8) {
  made::View made;
  made::fill(made);
  made.price_with("per-size", made::kPerSize);
  made.price_with("cycles", made::kCycles);
  PredictionView view = made.view();
  view.program = "caf\xe9.p4";
  const std::string text = to_json(view, JsonNumbers::Decimal);
  EXPECT_EQ(text, to_json(view, JsonNumbers::Decimal));
  EXPECT_EQ(Json::parse(text)["predictions"].size(), 2U);
}

TEST(Json, CopiesAndGaps) {
  made::View made;
  made.add_row("known route", Rational(1, 3));
  made.add_row("no end", Rational(2, 3));
  made.add_case(made.hit(), program::Sent{1}, {{0, Rational(1)}});
  made.add_case(made.miss(), program::Gap{"more than 2 passes", made.start->at}, {{1, Rational(1)}});
  made.cases.cases[0].trace.passes = {{0, false}, {2, true}};
  made.finish();
  made.price_with("cycles", made::kCycles);
  const Json json = Json::parse(to_json(made.view(), JsonNumbers::Fraction));
  const auto at_least = [](const char* low) { return Json{{"low", low}, {"high", nullptr}}; };
  EXPECT_EQ(json["gaps"],
            Json::array({{{"reason", "more than 2 passes"},
                          {"at", "made.p4:1:3"},
                          {"probability", "2/3"},
                          {"paths", Json::array({program::to_string(made.cases.cases[1].trace.path)})}}}));
  // hit: 7/2 + 7/2 + 140005 + 7 = 140019, miss: 350019.
  const Json& prediction = json["predictions"][0];
  EXPECT_EQ(prediction["estimators"]["min"]["cold"], "140019");
  EXPECT_EQ(prediction["estimators"]["mean"]["cold"], at_least("280019"));
  EXPECT_EQ(prediction["estimators"]["max"]["cold"], at_least("350019"));
  const Json& gap = prediction["cases"][0];
  EXPECT_EQ(gap["verdict"], "gap(more than 2 passes)");
  EXPECT_EQ(gap["cost"]["cold"], at_least("350019"));
  EXPECT_EQ(gap["cost_of_copies"]["cold"], at_least("0"));
  const Json& copied = prediction["cases"][1];
  EXPECT_EQ(copied["cost"]["cold"], "140019");
  EXPECT_EQ(copied["cost_of_original"]["cold"], "7");
  EXPECT_EQ(copied["cost_of_copies"]["cold"], "140012");
  EXPECT_EQ(copied["steps"][1]["copy"], false);
  EXPECT_EQ(copied["steps"][2]["copy"], true);
  EXPECT_TRUE(copied["steps"][2]["by"].get<std::string>().ends_with("cycles.yaml:12:11"));
}

}  // namespace
}  // namespace perfpact::report
