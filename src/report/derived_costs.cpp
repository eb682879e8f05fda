#include "report/derived_costs.h"

#include "report/layout.h"

namespace perfpact::report {
namespace {

constexpr int kDigits = 4;

std::string why(const derive::DerivedCost& cost, std::uint64_t calls) {
  if (cost.is_exact_by_structure) return "exact: all ways through the code";
  if (cost.is_exact(calls)) return fmt::format("exact: {}", count_of(calls, "call"));
  if (!cost.is_counted) return "bounded";
  if (calls == 0) return "bounded: no calls";
  return fmt::format("bounded: up to {} above {}, {} on average", to_decimal(cost.over_at_most, kDigits),
                     count_of(calls, "call"), to_decimal(cost.over_sum / Rational(calls), kDigits));
}

}  // namespace

std::string to_text(const std::vector<derive::DerivedMethod>& derived) {
  TextTable table({TextTable::Align::Left});
  for (const derive::DerivedMethod& method : derived)
    for (const derive::DerivedOutcome& outcome : method.outcomes)
      for (std::size_t metric = 0; metric < outcome.costs.size(); ++metric) {
        const bool is_first = metric == 0;
        table.add({is_first && &outcome == &method.outcomes.front() ? method.method->function : "",
                   is_first ? outcome.outcome->name : "", std::string(derive::metric_name(metric)),
                   derive::formula(outcome, metric), why(outcome.costs[metric], outcome.calls)});
      }
  return table.render();
}

}  // namespace perfpact::report
