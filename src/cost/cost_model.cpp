#include "cost/cost_model.h"

#include <algorithm>

#include "cost/diagnostics.h"

namespace perfpact::cost {

bool CostModel::Row::matches(const program::Event& event) const {
  const auto text_holds = [&](const TextCondition& condition) {
    return std::ranges::count(condition.accepted, event.site->texts[condition.index]) > 0;
  };
  const auto number_holds = [&](const NumberCondition& condition) {
    return std::ranges::count(condition.accepted, event.numbers[condition.index]) > 0;
  };
  return std::ranges::all_of(texts, text_holds) && std::ranges::all_of(numbers, number_holds);
}

const CostModel::BoundFormula* CostModel::find_cost(const program::Event& event) const {
  const std::vector<Row>& rows = rows_[static_cast<std::size_t>(event.kind())];
  const auto row = std::ranges::find_if(rows, [&](const Row& r) { return r.matches(event); });
  if (row != rows.end()) return &row->cost;
  return others_ ? &*others_ : nullptr;
}

Reported CostModel::report_no_cost(const program::Event& event, Diagnostics& diagnostics) const {
  const Reported reported =
      diagnostics.report(diag::kEventWithoutCost, event.site->at, name_, program::describe(event));
  diagnostics.note(span_, "the rows of the cost model");
  return reported;
}

Result<std::optional<std::vector<formula::Formula>>> CostModel::formulas(const program::Event& event,
                                                                         const NumberNames& names,
                                                                         Diagnostics& diagnostics) const {
  for (const Row& row : rows_[static_cast<std::size_t>(event.kind())]) {
    const bool depends = std::ranges::any_of(
        row.numbers, [&](const NumberCondition& condition) { return !names[condition.index].empty(); });
    if (depends) return std::nullopt;
    if (row.matches(event)) break;
  }
  const BoundFormula* cost = find_cost(event);
  if (cost == nullptr) return std::unexpected(report_no_cost(event, diagnostics));
  std::vector<formula::Formula> result;
  for (std::size_t scenario = 0; scenario < scenarios_.size(); ++scenario) {
    std::vector<std::pair<std::string, formula::Formula>> values;
    for (std::size_t i = 0; i < cost->slots.size(); ++i) {
      const Slot& slot = cost->slots[i];
      const formula::Formula value =
          slot.is_constant            ? formula::Formula::constant(constants_[scenario][slot.index])
          : names[slot.index].empty() ? formula::Formula::constant(Rational(event.numbers[slot.index]))
                                      : formula::Formula::name(names[slot.index]);
      values.emplace_back(cost->formula.names()[i].name, value);
    }
    result.push_back(cost->formula.substitute(values));
  }
  return result;
}

Result<EventPrice> CostModel::price(const program::Event& event, Diagnostics& diagnostics) const {
  const BoundFormula* cost = find_cost(event);
  if (cost == nullptr) return std::unexpected(report_no_cost(event, diagnostics));
  Costs costs;
  std::vector<Rational> values(cost->slots.size());
  for (std::size_t scenario = 0; scenario < scenarios_.size(); ++scenario) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Slot& slot = cost->slots[i];
      values[i] = slot.is_constant ? constants_[scenario][slot.index] : Rational(event.numbers[slot.index]);
    }
    auto value = cost->formula.evaluate(values, diagnostics);
    const bool negative = value && *value < 0;
    if (negative)
      diagnostics.report(diag::kNegativeCost, cost->formula.span(), program::describe(event),
                         scenarios_[scenario], to_decimal(*value));
    if (!value || negative) {
      diagnostics.note(event.site->at, fmt::format("in the cost of {}, scenario '{}'",
                                                   program::describe(event), scenarios_[scenario]));
      return std::unexpected(diagnostics.already_reported());
    }
    costs.push_back(std::move(*value));
  }
  return EventPrice{std::move(costs), cost->formula.span()};
}

}  // namespace perfpact::cost
