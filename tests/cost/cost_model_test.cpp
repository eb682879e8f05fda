#include "cost/cost_model.h"

#include <gtest/gtest.h>

#include "../packet/reported.h"

namespace perfpact::cost {
namespace {

using program::Event;
using program::EventKind;
using program::EventSite;

const std::string kHead =
    "schema: perfpact.cost-model/1\n"  // line 1
    "metric: latency\n"
    "unit: ms\n"
    "scenarios: [best, worst]\n";

class CostModelTest : public ::testing::Test {
 protected:
  CostModelTest() : diagnostics(sources), program(sources.add("l3.p4", "\n\n  t.apply();\n")) {}

  std::optional<CostModel> load(const std::string& content) {
    auto model = CostModel::load(folder.write("vendor.yaml", content), diagnostics);
    if (!model) return std::nullopt;
    return std::move(*model);
  }
  // What loading reports, which must be something.
  std::string fault(const std::string& rest) {
    EXPECT_FALSE(load(kHead + rest)) << rest;
    return test::reported(diagnostics);
  }
  EventSite site(EventKind kind, std::string first = "", std::string second = "") const {
    return {kind, {program, {3, 3}, {3, 12}}, {std::move(first), std::move(second)}};
  }
  std::string priced(const CostModel& model, const Event& event) {
    auto price = model.price(event, diagnostics);
    if (!price) return test::reported(diagnostics);
    std::string text;
    for (const Rational& cost : price->costs) text += (text.empty() ? "" : " ") + to_fraction(cost);
    return text;
  }

  test::Folder folder;
  SourceManager sources;
  Diagnostics diagnostics;
  FileId program;
};

TEST_F(CostModelTest, Heading) {
  const auto model = load(kHead + "target: a switch\norigin: a paper\ncosts: []\nothers: 0\n");
  ASSERT_TRUE(model) << diagnostics.render();
  EXPECT_EQ(model->name(), "vendor");
  EXPECT_EQ(model->file(), folder.path("vendor.yaml"));
  EXPECT_EQ(model->target(), "a switch");
  EXPECT_EQ(model->origin(), "a paper");
  EXPECT_EQ(model->metric(), "latency");
  EXPECT_EQ(model->unit(), "ms");
  EXPECT_EQ(model->scenarios(), (std::vector<std::string>{"best", "worst"}));
}

TEST_F(CostModelTest, FirstRowThatMatchesCounts) {
  const auto model = load(kHead +
                          "constants:\n"
                          "  base: {worst: 2/3, best: 0.1}\n"
                          "  k: 10\n"
                          "costs:\n"
                          "  - event: table.apply\n"
                          "    kind: [ternary, range]\n"
                          "    hit: 1\n"
                          "    cost: base + visited*key_bits\n"
                          "  - {event: table.apply, kind: ternary, cost: 5}\n"
                          "  - {event: table.apply, table: ingress.acl, cost: k}\n"
                          "  - {event: [assign, compute], bits: [8, 16], cost: bits/k}\n"
                          "others: 7*base\n");
  ASSERT_TRUE(model) << diagnostics.render();
  const EventSite ternary = site(EventKind::TableApply, "ingress.t", "ternary");
  const EventSite exact = site(EventKind::TableApply, "ingress.t", "exact");
  const EventSite acl = site(EventKind::TableApply, "ingress.acl", "exact");
  const EventSite assign = site(EventKind::Assign);
  const EventSite compute = site(EventKind::Compute, "+");
  const EventSite drop = site(EventKind::Drop);
  EXPECT_EQ(priced(*model, {&ternary, {100, 9, 1, 3, 0}}), "271/10 83/3");
  EXPECT_EQ(priced(*model, {&ternary, {100, 9, 0, 100, 0}}), "5 5");
  EXPECT_EQ(priced(*model, {&acl, {100, 9, 0, 100, 0}}), "10 10");
  EXPECT_EQ(priced(*model, {&exact, {100, 9, 0, 100, 0}}), "7/10 14/3");
  EXPECT_EQ(priced(*model, {&assign, {8}}), "4/5 4/5");
  EXPECT_EQ(priced(*model, {&compute, {16}}), "8/5 8/5");
  EXPECT_EQ(priced(*model, {&compute, {32}}), "7/10 14/3");
  EXPECT_EQ(priced(*model, {&drop, {}}), "7/10 14/3");
}

TEST_F(CostModelTest, EventWithoutCost) {
  const auto model = load(kHead + "costs:\n  - {event: table.apply, kind: lpm, cost: 1}\n");
  ASSERT_TRUE(model) << diagnostics.render();
  const EventSite exact = site(EventKind::TableApply, "ingress.t", "exact");
  EXPECT_EQ(
      priced(*model, {&exact, {4, 8, 1, 1, 0}}),
      "3:3: cost model 'vendor' gives no cost to the event table.apply(ingress.t, exact; entries 4, key_bits "
      "8, "
      "hit 1, visited 1, prefix_length 0): it has no row for it and no 'others' [event-without-cost]\n");
  EXPECT_NE(diagnostics.render().find("l3.p4:3:3"), std::string::npos);
  EXPECT_NE(diagnostics.render().find("vendor.yaml:6:3: note: the rows of the cost model"), std::string::npos)
      << diagnostics.render();
}

TEST_F(CostModelTest, NegativeCost) {
  const auto model =
      load(kHead + "constants: {x: {best: 8, worst: 9}}\ncosts:\n  - {event: assign, cost: x - bits}\n");
  ASSERT_TRUE(model) << diagnostics.render();
  const EventSite assign = site(EventKind::Assign);
  EXPECT_EQ(priced(*model, {&assign, {8}}), "0 1");
  EXPECT_EQ(priced(*model, {&assign, {9}}),
            "7:27: the cost of assign(bits 9) in scenario 'best' is -1, below zero [cost-negative]\n");
}

TEST_F(CostModelTest, FaultOfEvaluationNamesEventAndScenario) {
  const auto model = load(kHead + "costs:\n  - {event: assign, cost: 1/(bits - 8)}\n");
  ASSERT_TRUE(model) << diagnostics.render();
  const EventSite assign = site(EventKind::Assign);
  EXPECT_EQ(priced(*model, {&assign, {8}}),
            "6:30: division by zero in the formula [formula-division-by-zero]\n");
  EXPECT_NE(diagnostics.render().find("l3.p4:3:3: note: in the cost of assign(bits 8), scenario 'best'"),
            std::string::npos)
      << diagnostics.render();
}

// Exact where the formula stands in the file as it is read; a block scalar is placed by its start.
TEST_F(CostModelTest, PlacesInsideFormulas) {
  EXPECT_EQ(
      fault("costs:\n"
            "  - {event: assign, cost: \"bits + * 2\"}\n"
            "  - event: compute\n"
            "    cost:   bits +\n"
            "      bitz   # the rest of it\n"
            "  - event: hash\n"
            "    cost: >-\n"
            "      bits *\n"
            "      (2\n"),
      "6:35: expected a number, a name, a function or '(' in the formula, not '*' [formula-syntax]\n"
      "9:7: 'bitz' is no constant of this cost model and no number of event 'compute'; did you mean 'bits'? "
      "[cost-unknown-variable]\n"
      "11:20: expected ')' in the formula, not its end [formula-syntax]\n");
}

TEST_F(CostModelTest, SeveralFaultsAtOnce) {
  EXPECT_EQ(
      fault("constants:\n"
            "  a: {best: 1}\n"
            "  b: {best: 1, wurst: 2, worst: 3}\n"
            "  bits: 4\n"
            "  a-b: 4\n"
            "  and: 4\n"
            "  c: many\n"
            "costs:\n"
            "  - {event: table.aply, cost: 1}\n"
            "  - {event: table.apply, kid: lpm, cost: 1}\n"
            "  - {event: table.apply, kind: turnary, cost: 1}\n"
            "  - {event: table.apply, hit: yes, cost: 1}\n"
            "  - {event: table.apply, hit: [], cost: 1}\n"
            "  - {event: assign}\n"
            "others: bits + xyzzy\n"
            "metrik: 1\n"),
      "6:6: constant 'a' has no value for scenario 'worst' [cost-constant-scenario]\n"
      "7:16: there is no scenario 'wurst'; did you mean 'worst'? [cost-unknown-scenario]\n"
      "8:3: constant 'bits' has the name of an attribute of parser.extract; formulas could mean either "
      "[cost-constant-shadows]\n"
      "9:3: 'a-b' is no name for a constant; expected letters, digits and '_', not starting with a digit, "
      "and "
      "none of and, or, not [cost-constant-name]\n"
      "10:3: 'and' is no name for a constant; expected letters, digits and '_', not starting with a digit, "
      "and "
      "none of and, or, not [cost-constant-name]\n"
      "11:6: constant 'c' must be a number or a fraction like 1/3, not 'many' [yaml-expected]\n"
      "13:13: there is no event 'table.aply'; did you mean 'table.apply'? [cost-unknown-event]\n"
      "14:26: event 'table.apply' has no attribute 'kid'; did you mean 'kind'? [cost-unknown-attribute]\n"
      "15:32: attribute 'kind' of event 'table.apply' is never 'turnary'; did you mean 'ternary'? "
      "[cost-impossible-value]\n"
      "16:31: hit must be a non-negative whole number, not 'yes' [yaml-expected]\n"
      "17:31: hit must be a value or a list of values, not an empty list [yaml-expected]\n"
      "18:5: a row of costs needs a key 'cost' [yaml-missing-key]\n"
      "19:16: 'xyzzy' is no constant of this cost model [cost-unknown-variable]\n"
      "20:1: unknown key 'metrik' in cost model; did you mean 'metric'? [yaml-unknown-key]\n");
}

TEST_F(CostModelTest, Scenarios) {
  EXPECT_FALSE(load("schema: perfpact.cost-model/2\nscenarios: []\ncosts: 1\n"));
  EXPECT_EQ(test::reported(diagnostics),
            "1:9: schema is 'perfpact.cost-model/2'; expected 'perfpact.cost-model/1' [yaml-schema]\n"
            "1:1: cost model needs a key 'metric' [yaml-missing-key]\n"
            "1:1: cost model needs a key 'unit' [yaml-missing-key]\n"
            "2:12: a cost model needs at least one scenario [cost-scenarios]\n"
            "3:8: costs must be a list, not '1' [yaml-expected]\n");
}

TEST_F(CostModelTest, ScenarioTwice) {
  EXPECT_FALSE(load(
      "schema: perfpact.cost-model/1\nmetric: m\nunit: u\nscenarios: [a, b, a]\ncosts: []\nothers: 0\n"));
  EXPECT_EQ(test::reported(diagnostics), "4:19: scenario 'a' stands twice [cost-scenario-twice]\n");
}

TEST_F(CostModelTest, RowThatNeverCounts) {
  EXPECT_TRUE(
      load(kHead + "costs:\n  - {event: assign, cost: 1}\n  - {event: [assign, hash], bits: 8, cost: 2}\n"));
  EXPECT_EQ(test::reported(diagnostics),
            "7:5: this row never counts for 'assign': the row in line 6 matches every such event before it "
            "[cost-unreachable-row]\n");
}

TEST_F(CostModelTest, FilesThatAreNone) {
  EXPECT_FALSE(CostModel::load(folder.path("none.yaml"), diagnostics));
  EXPECT_FALSE(load("- 1\n"));
  EXPECT_EQ(test::reported(diagnostics),
            fmt::format("0:0: cannot read '{}': No such file or directory [cannot-read]\n"
                        "1:1: cost model must be a mapping, not a list [yaml-expected]\n",
                        folder.path("none.yaml")));
}

}  // namespace
}  // namespace perfpact::cost
