#include "derive/runs.h"

#include <algorithm>

#include "derive/diagnostics.h"

namespace perfpact::derive {
namespace {

std::vector<Rational> values(const count::MethodCall& call, const DerivedOutcome& outcome) {
  std::vector<Rational> values;
  values.reserve(outcome.pcvs.size());
  for (const DerivedPcv& pcv : outcome.pcvs) {
    const auto value = call.pcvs.find(pcv.counted);
    values.emplace_back(value == call.pcvs.end() ? 0 : value->second);
  }
  return values;
}

}  // namespace

RunChecker::RunChecker(std::vector<DerivedMethod>& derived, Diagnostics& diagnostics)
    : diagnostics_(diagnostics) {
  for (DerivedMethod& method : derived)
    if (method.is_counted) methods_.emplace(method.method->function, &method);
}

void RunChecker::check(const count::MethodCall& call) {
  const auto found = methods_.find(call.method);
  if (found == methods_.end()) return;
  DerivedMethod& method = *found->second;
  const bool is_only = method.method->outcomes.size() == 1 && call.outcome.empty();
  auto outcome = std::ranges::find_if(method.outcomes, [&](const DerivedOutcome& one) {
    return one.outcome->name == call.outcome || is_only;
  });
  if (outcome == method.outcomes.end()) {
    diagnostics_.report(diag::kOtherWay, method.method->at, call.method,
                        fmt::format("ended in outcome '{}'", call.outcome));
    return;
  }
  for (const auto& [name, count] : call.pcvs)
    if (std::ranges::find(outcome->pcvs, name, &DerivedPcv::counted) == outcome->pcvs.end()) {
      diagnostics_.report(diag::kOtherWay, method.method->at, call.method,
                          fmt::format("counted PCV '{}'", name));
      return;
    }
  ++outcome->calls;
  const std::array<std::uint64_t, library::kMetrics.size()> counted{call.counts.instructions,
                                                                    call.counts.loads, call.counts.stores};
  const std::vector<Rational> pcvs = values(call, *outcome);
  for (std::size_t metric = 0; metric < counted.size(); ++metric) {
    DerivedCost& cost = outcome->costs[metric];
    Rational predicted = cost.constant;
    for (std::size_t i = 0; i < pcvs.size(); ++i) predicted += cost.prices[i] * pcvs[i];
    const Rational over = predicted - Rational(counted[metric]);
    if (over < 0 || (over > 0 && cost.is_exact_by_structure)) {
      diagnostics_.report(over < 0 ? diag::kUnderestimated : diag::kOverestimated, method.method->at,
                          call.method, outcome->outcome->name, counted[metric], library::kMetrics[metric],
                          to_fraction(predicted));
    }
    cost.is_exact_in_runs &= over == 0;
    cost.over_at_most = std::max(cost.over_at_most, over);
    cost.over_sum += over;
  }
}

Result<void> hold_to_runs(std::vector<DerivedMethod>& derived, const count::Options& options,
                          Diagnostics& diagnostics) {
  RunChecker checker(derived, diagnostics);
  const auto counted = count::count(
      options,
      [&](const count::PacketCount& packet) {
        // What did not return was not counted to its end.
        if (packet.ending != count::PacketCount::Ending::Returned) return;
        for (const count::MethodCall& call : packet.calls) checker.check(call);
      },
      diagnostics);
  if (!counted) return std::unexpected(counted.error());
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  return {};
}

}  // namespace perfpact::derive
