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

}  // namespace
}  // namespace perfpact::report
