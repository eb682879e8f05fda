#include "explore/native/path_cost.h"

namespace perfpact::explore {

using formula::Formula;

std::uint64_t own_cost(const NativePath& path, std::string_view metric) {
  if (metric == library::kInstructions) return path.counts.instructions;
  return metric == library::kLoads ? path.counts.loads : path.counts.stores;
}

Formula cost_of(const NativeCall& call, std::string_view metric) {
  const auto cost = call.outcome->costs.find(metric);
  if (cost == call.outcome->costs.end()) return Formula::name(fmt::format("{}.{}", call.label, metric));
  std::vector<std::pair<std::string, Formula>> values;
  for (std::size_t i = 0; i < call.pcvs.size(); ++i) {
    const std::string& pcv = call.outcome->pcvs[i].name;
    const smt::Expr value = call.pcvs[i];
    values.emplace_back(pcv, value && value.is_constant()
                                 ? Formula::constant(Rational(value.value().number()))
                                 : Formula::name(fmt::format("{}.{}", call.label, pcv)));
  }
  return cost->second.formula.substitute(values);
}

Formula cost_of(const NativePath& path, std::string_view metric) {
  std::vector<Formula> terms{Formula::constant(own_cost(path, metric))};
  for (const NativeCall& call : path.calls) terms.push_back(cost_of(call, metric));
  return Formula::sum(terms);
}

}  // namespace perfpact::explore
