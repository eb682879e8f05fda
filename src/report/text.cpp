#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/doings.h"
#include "report/layout.h"

namespace perfpact::report {
namespace {

constexpr std::size_t kCasesShown = 20;
constexpr std::size_t kStepsShown = 12;
constexpr std::size_t kLongestFraction = 24;

std::string show(const Rational& value) {
  return to_decimal(value);
}
std::string show(const Interval& value) {
  return value.is_exact() ? show(value.low) : fmt::format("[{}, {}]", show(value.low), show(value.high));
}

std::string show(const cost::Bounds& value) {
  return value.high ? show(Interval(value.low, *value.high)) : ">= " + show(value.low);
}

std::string show_probability(const Interval& probability) {
  const std::string decimal = show(probability);
  if (!probability.is_exact()) return decimal;
  const std::string fraction = to_fraction(probability.low);
  return fraction == decimal || fraction.size() > kLongestFraction
             ? decimal
             : fmt::format("{} ({})", decimal, fraction);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string metric_and_unit(const cost::CostModel& model) {
  return model.metric() == model.unit() ? model.metric()
                                        : fmt::format("{} in {}", model.metric(), model.unit());
}

/// The scenarios that the paper's names stand for, in this order.
bool has_paper_scenarios(const cost::CostModel& model) {
  return model.scenarios() == std::vector<std::string>{"best", "average", "worst"};
}

// ---- head
// ----------------------------------------------------------------------------------------------------

std::string head(const PredictionView& view) {
  std::string out =
      fmt::format("{}: {} of {}, {} distinct and run\n", view.program, count_of(view.cases.packets, "packet"),
                  view.workload.file, view.cases.executed);
  std::vector<std::string> tables;
  for (std::size_t i = 0; i < view.tables.size(); ++i) {
    const auto id = static_cast<tables::TableId>(i);
    const std::uint64_t entries = view.tables.entry_count(id);
    tables.push_back(
        fmt::format("{} {} {}", view.tables.schema(id).name, entries, entries == 1 ? "entry" : "entries"));
  }
  if (!tables.empty()) out += fmt::format("tables: {}\n", join(tables, ", "));
  return out + "\n";
}

/// `router.p4:21: recirculate();`, or nothing where the place is not known.
std::string show_line(const Span& at, const SourceManager& sources) {
  if (!at.is_known()) return "";
  std::string_view line = sources.line(at.file, at.begin.line);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return fmt::format("{}:{}{}{}", sources.name(at.file), at.begin.line, line.empty() ? "" : ": ", line);
}

std::string gaps(const PredictionView& view) {
  std::string out;
  for (const workload::WeightedGap& gap : view.cases.gaps(view.workload)) {
    out += fmt::format("  probability {}: {}\n", show_probability(gap.probability), gap.gap.reason);
    if (gap.gap.at.is_known()) out += fmt::format("    {}\n", show_line(gap.gap.at, view.sources));
  }
  if (out.empty()) return "";
  return "gaps: packets that were not followed to their end; a figure that this leaves open reads >= (at "
         "least)\n" +
         out + "\n";
}

// ---- estimators
// ----------------------------------------------------------------------------------------------

using Align = TextTable::Align;

/// All models with the scenarios best, average, worst: the paper's five estimators, side by side. Models in
/// different units stand in different tables.
std::string five_estimators(const PredictionView& view) {
  std::string out;
  std::vector<const cost::Prediction*> left;
  for (const cost::Prediction& prediction : view.predictions)
    if (has_paper_scenarios(*prediction.model)) left.push_back(&prediction);
  while (!left.empty()) {
    const std::string title = metric_and_unit(*left.front()->model);
    TextTable table({Align::Left, Align::Right});
    table.add({title, "min", "avg_best", "avg", "avg_worst", "max"});
    std::erase_if(left, [&](const cost::Prediction* prediction) {
      if (metric_and_unit(*prediction->model) != title) return false;
      const cost::Estimators& e = prediction->estimators;
      table.add({prediction->model->name(), show(e.min[0]), show(e.mean[0]), show(e.mean[1]), show(e.mean[2]),
                 show(e.max[2])});
      return true;
    });
    out += table.render() + "\n";
  }
  return out;
}

template <class Number>
std::vector<std::string> row_of(std::string name, const std::vector<Number>& values) {
  std::vector<std::string> cells{std::move(name)};
  for (const Number& value : values) cells.push_back(show(value));
  return cells;
}

/// min, mean, max over inputs in every scenario.
std::string estimator_grid(const cost::Prediction& prediction) {
  const cost::CostModel& model = *prediction.model;
  TextTable table({Align::Left, Align::Right});
  std::vector<std::string> title{fmt::format("{}, {}", model.name(), metric_and_unit(model))};
  title.insert(title.end(), model.scenarios().begin(), model.scenarios().end());
  table.add(std::move(title));
  table.add(row_of("  min over inputs", prediction.estimators.min));
  table.add(row_of("  mean over inputs", prediction.estimators.mean));
  table.add(row_of("  max over inputs", prediction.estimators.max));
  return table.render() + "\n";
}

std::string estimators(const PredictionView& view, const TextOptions& options) {
  std::string out = five_estimators(view);
  for (const cost::Prediction& prediction : view.predictions)
    if (options.explain || !has_paper_scenarios(*prediction.model)) out += estimator_grid(prediction);
  return out;
}

std::string quantiles(const PredictionView& view) {
  TextTable table({Align::Left, Align::Left, Align::Right});
  std::vector<std::string> title{"quantiles over the packet mix", ""};
  for (const cost::Quantile& quantile : view.predictions.front().mix_quantiles)
    title.push_back(quantile.name);
  table.add(std::move(title));
  for (const cost::Prediction& prediction : view.predictions) {
    const auto& scenarios = prediction.model->scenarios();
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      std::vector<std::string> cells{
          i == 0 ? fmt::format("{}, {}", prediction.model->name(), metric_and_unit(*prediction.model)) : "",
          scenarios[i]};
      for (const cost::Quantile& quantile : prediction.mix_quantiles)
        cells.push_back(show(quantile.value[i]));
      table.add(std::move(cells));
    }
  }
  return table.render() + "\n";
}

// ---- cases
// ---------------------------------------------------------------------------------------------------

class StepList {
 public:
  StepList(const PredictionView& view, const cost::Prediction& prediction, const cost::PricedCase& priced,
           const TextOptions& options)
      : view_(view), model_(*prediction.model), priced_(priced), explain_(options.explain) {}

  [[nodiscard]] std::string render() const {
    std::string out = fmt::format("  {}, {}\n", model_.name(), metric_and_unit(model_));
    std::vector<Align> columns(model_.scenarios().size() + 1, Align::Right);
    columns.push_back(Align::Left);
    TextTable table(std::move(columns), 4);
    table.add(model_.scenarios());
    add_sums(table);
    const std::vector<std::size_t> order = by_falling_cost();
    std::size_t shown = 0;
    while (shown < order.size() && (explain_ || (shown < kStepsShown && has_cost(order[shown])))) {
      add_step(table, order[shown]);
      ++shown;
    }
    add_rest(table, {order.begin() + static_cast<std::ptrdiff_t>(shown), order.end()});
    return out + table.render();
  }

 private:
  /// The whole cost, then its parts where there are copies. Of a gap it is what was seen of it.
  void add_sums(TextTable& table) const {
    const auto& trace = view_.cases.cases[priced_.index].trace;
    const bool is_gap = std::holds_alternative<program::Gap>(trace.verdict);
    add(table, priced_.cost, "", is_gap ? "at least, before the gap" : "total");
    if (std::ranges::none_of(trace.passes, &program::Pass::is_copy)) return;
    add(table, priced_.original, "", "  of it the original");
    add(table, priced_.copies, "", "  of it copies");
  }

  [[nodiscard]] const cost::Costs& cost_of(std::size_t step) const {
    return priced_.steps[step].price->costs;
  }
  [[nodiscard]] bool has_cost(std::size_t step) const {
    return std::ranges::any_of(cost_of(step), [](const Rational& cost) { return cost != 0; });
  }

  /// By the cost in the last scenario; of equal ones, steps with a cost first, then in order of execution.
  [[nodiscard]] std::vector<std::size_t> by_falling_cost() const {
    std::vector<std::size_t> order(priced_.steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      if (has_cost(a) != has_cost(b)) return has_cost(a);
      return cost_of(a).back() > cost_of(b).back();
    });
    return order;
  }

  static void add(TextTable& table, const cost::Costs& cost, std::string number, std::string text) {
    std::vector<std::string> cells;
    for (const Rational& value : cost) cells.push_back(show(value));
    cells.push_back(std::move(number));
    cells.push_back(std::move(text));
    table.add(std::move(cells));
  }

  void add_step(TextTable& table, std::size_t index) const {
    const cost::PricedStep& step = priced_.steps[index];
    add(table, step.price->costs, std::to_string(index + 1),
        program::describe(*step.event) + (step.is_copy ? ", of a copy" : ""));
    add_place(table, step.event->site->at);
    if (explain_) add_place(table, step.price->by);
  }

  void add_place(TextTable& table, const Span& at) const {
    if (!at.is_known()) return;
    std::vector<std::string> cells(model_.scenarios().size() + 1);
    cells.push_back(show_line(at, view_.sources));
    table.add(std::move(cells));
  }

  /// One line for further steps with a cost, one for those without.
  void add_rest(TextTable& table, const std::vector<std::size_t>& rest) const {
    cost::Costs sum(priced_.cost.size(), Rational(0));
    std::size_t with_cost = 0;
    for (const std::size_t step : rest) {
      if (!has_cost(step)) continue;
      ++with_cost;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += cost_of(step)[i];
    }
    if (with_cost > 0) add(table, sum, "", count_of(with_cost, "further step") + ", together");
    if (rest.size() > with_cost)
      add(table, cost::Costs(priced_.cost.size(), Rational(0)), "",
          count_of(rest.size() - with_cost, with_cost > 0 ? "more step" : "further step") +
              " without a cost");
  }

  const PredictionView& view_;
  const cost::CostModel& model_;
  const cost::PricedCase& priced_;
  bool explain_;
};

/// The same case priced by every model, by its index among the weighted cases.
class SameCases {
 public:
  explicit SameCases(const PredictionView& view) {
    for (const cost::Prediction& prediction : view.predictions) {
      auto& by_index = by_model_.emplace_back(prediction.cases.size());
      for (const cost::PricedCase& priced : prediction.cases) by_index[priced.index] = &priced;
    }
  }
  [[nodiscard]] const cost::PricedCase& find(std::size_t model, std::size_t index) const {
    return *by_model_[model][index];
  }

 private:
  std::vector<std::vector<const cost::PricedCase*>> by_model_;
};

std::string one_case(const PredictionView& view, const SameCases& same, std::size_t number,
                     const cost::PricedCase& first, const TextOptions& options) {
  const workload::WeightedCase& weighted = view.cases.cases[first.index];
  std::string out =
      fmt::format("case {}: probability {}, {}, path {}\n", number, show_probability(first.probability),
                  program::to_string(weighted.trace.verdict), program::to_string(weighted.trace.path));
  std::vector<std::string> rows;
  rows.reserve(weighted.rows.size());
  for (const std::size_t row : weighted.rows) rows.push_back(view.workload.rows[row].name);
  out += fmt::format("  packets: {}\n  does: {}\n", join(rows, ", "), what_it_does(weighted.trace));
  for (std::size_t model = 0; model < view.predictions.size(); ++model)
    out += StepList(view, view.predictions[model], same.find(model, first.index), options).render();
  return out + "\n";
}

std::string all_cases(const PredictionView& view, const TextOptions& options) {
  // The first model's order.
  const auto& cases = view.predictions.front().cases;
  const std::size_t shown = options.explain ? cases.size() : std::min(cases.size(), kCasesShown);
  const SameCases same(view);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += one_case(view, same, i + 1, cases[i], options);
  if (shown < cases.size()) {
    Interval rest(Rational(0));
    for (std::size_t i = shown; i < cases.size(); ++i) rest = rest + cases[i].probability;
    out += fmt::format("{} with probability {} together are not shown (--explain shows all)\n",
                       count_of(cases.size() - shown, "further case"), show(rest));
  }
  return out;
}

}  // namespace

std::string to_text(const PredictionView& view, const TextOptions& options) {
  std::string out =
      head(view) + gaps(view) + estimators(view, options) + quantiles(view) + all_cases(view, options);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace perfpact::report
