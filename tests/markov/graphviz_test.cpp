#include "markov/graphviz.h"

#include <gtest/gtest.h>

#include "markov/made_workload.h"

namespace perfpact::markov {
namespace {

TEST(Graphviz, DrawsStatesRewardsAndProbabilities) {
  made::Workload made;
  const auto* start = made.site(program::EventKind::Start, 1, "normal");
  made.add_row("a \"quoted\" row", std::nullopt);
  made.add_row("b", std::nullopt);
  made.add_case({{start, {}}}, program::Sent{1}, {{0, Rational(1, 3)}, {1, Rational(1)}});
  made.add_case({}, program::Dropped{}, {{0, Rational(2, 3)}});
  made.finish();
  const cost::CostModel model = made::model("per-size", made::kPerSize, made.diagnostics);
  const std::vector<cost::Prediction> predictions{made.price(model)};
  const Chain chain = Chain::build(made.cases, made.workload, predictions);
  EXPECT_EQ(to_dot(chain, made.sources, "made.p4"), R"dot(digraph chain {
  rankdir=TB;
  node [fontname="monospace", fontsize=10];
  label="made.p4";
  s0 [label="begin", shape=circle];
  s1 [label="rows of unknown probability", shape=diamond];
  s2 [label="start(normal)\nmade.p4:1:3\nper-size (ms): 0.114 / 0.309394 / 0.438", shape=box];
  s3 [label="sent(1)", shape=oval];
  s4 [label="dropped", shape=oval];
  s5 [label="start(normal)\nmade.p4:1:3\nper-size (ms): 0.114 / 0.309394 / 0.438", shape=box];
  s6 [label="sent(1)", shape=oval];
  s7 [label="done", shape=doublecircle];
  s0 -> s1 [label="1"];
  s1 -> s2 [label="a \"quoted\" row: 1/3", style=dashed];
  s1 -> s4 [label="a \"quoted\" row: 2/3", style=dashed];
  s1 -> s5 [label="b: 1", style=dashed];
  s2 -> s3 [label="1"];
  s3 -> s7 [label="1"];
  s4 -> s7 [label="1"];
  s5 -> s6 [label="1"];
  s6 -> s7 [label="1"];
}
)dot");
}

}  // namespace
}  // namespace perfpact::markov
