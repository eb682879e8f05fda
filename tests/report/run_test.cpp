#include "report/run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/made_view.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;

struct Run : testing::Test {
  Run() {
    const auto* clone = made.site(program::EventKind::Clone, 9);
    trace.events = made.hit();
    trace.events.push_back({clone, {}});
    trace.events.push_back({made.start, {}});
    trace.passes = {{0, false}, {5, true}, {6, true}};
    trace.verdict = program::Sent{1};
    trace.outputs = {{1, {0xab, 0xcd}}, {3, {}}};
  }
  Json json(bool with_steps) {
    const std::string line = to_json_line({7, {12, 34}, packet, trace}, made.sources, with_steps);
    EXPECT_EQ(std::ranges::count(line, '\n'), 1);
    return Json::parse(line);
  }

  made::View made;
  program::InputPacket packet{2, {1, 2, 3}};
  program::Trace trace;
};

TEST_F(Run, Text) {
  EXPECT_EQ(outcome_text("packet 7", packet, trace),
            "packet 7: port 2, 3 bytes: sent(1), path 0000000000000000\n"
            "  port 1: abcd\n"
            "  port 3: \n");
  const std::string path = path_text("packet 7", trace, made.sources);
  EXPECT_TRUE(path.starts_with("path of packet 7:\n  start(normal)  made.p4:1:3\n")) << path;
  EXPECT_EQ(std::ranges::count(path, '\n'), 7);
}

TEST_F(Run, JsonCountsEventsOfAllPassesAndOfEach) {
  const Json line = json(false);
  EXPECT_EQ(line.begin().value(), "perfpact.run/1");
  EXPECT_EQ(line["packet"], 7);
  EXPECT_EQ(line["time"], "12.000000034");
  EXPECT_EQ(line["port"], 2);
  EXPECT_EQ(line["bytes"], 3);
  EXPECT_EQ(line["verdict"], "sent(1)");
  EXPECT_EQ(line["parser_error"], nullptr);
  EXPECT_EQ(line["gap"], nullptr);
  EXPECT_EQ(line["outputs"], Json::array({{{"port", 1}, {"hex", "abcd"}}, {{"port", 3}, {"hex", ""}}}));
  EXPECT_EQ(line["events"],
            (Json{{"start", 2}, {"parser.state", 1}, {"table.apply", 1}, {"action.run", 1}, {"clone", 1}}));
  ASSERT_EQ(line["passes"].size(), 3U);
  EXPECT_EQ(line["passes"][0]["pass"], "normal");
  EXPECT_EQ(line["passes"][0]["copy"], false);
  EXPECT_EQ(line["passes"][0]["events"]["clone"], 1);
  EXPECT_EQ(line["passes"][1]["copy"], true);
  EXPECT_EQ(line["passes"][1]["events"], (Json{{"start", 1}}));
  EXPECT_EQ(line["passes"][2]["pass"], nullptr) << "cut off before its start";
  EXPECT_FALSE(line.contains("steps"));
}

TEST_F(Run, JsonWithStepsGapAndParserError) {
  trace.verdict = program::Gap{"execution limit", made.start->at};
  trace.parser_error = "PacketTooShort";
  const Json line = json(true);
  EXPECT_EQ(line["verdict"], "gap(execution limit)");
  EXPECT_EQ(line["gap"], (Json{{"reason", "execution limit"}, {"at", "made.p4:1:3"}}));
  EXPECT_EQ(line["parser_error"], "PacketTooShort");
  ASSERT_EQ(line["steps"].size(), 6U);
  EXPECT_EQ(line["steps"][4], (Json{{"event", "clone"}, {"at", "made.p4:9:3"}}));
}

}  // namespace
}  // namespace perfpact::report
