#include "base/check.h"
#include "chain/combine.h"

namespace perfpact::chain {

std::vector<Passage> passages(const Combination& combination, const ChainPath& path,
                              const std::shared_ptr<const smt::Model>& model) {
  smt::Evaluation evaluation(model);
  std::vector<Passage> result;
  for (const ChainStep& step : path.steps)
    result.push_back(combination.nodes()[step.node]->passage(step.path, step.translation->model(evaluation)));
  return result;
}

std::vector<std::pair<Metric, Rational>> verify(const Combination& combination, const ChainPath& path,
                                                const std::shared_ptr<const smt::Model>& model) {
  smt::Evaluation evaluation(model);
  std::map<Metric, Rational> sums;
  std::optional<std::vector<std::uint8_t>> handed_on;
  for (const ChainStep& step : path.steps) {
    Node& node = *combination.nodes()[step.node];
    const auto of_node = step.translation->model(evaluation);
    PERFPACT_CHECK(!handed_on || *handed_on == node.passage(step.path, of_node).packet,
                   "the packet that comes to node {} is not what was handed on to it", node.name());
    Measured measured = node.run(step.path, of_node);
    for (const auto& [metric, cost] : measured.costs) sums[metric] += cost;
    handed_on = std::move(measured.sent);
  }
  return {sums.begin(), sums.end()};
}

}  // namespace perfpact::chain
