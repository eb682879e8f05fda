#include "report/json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;

class Writer {
 public:
  Writer(const PredictionView& view, JsonNumbers numbers) : view_(view), numbers_(numbers) {}

  [[nodiscard]] Json write() const {
    Json predictions = Json::array();
    for (const cost::Prediction& prediction : view_.predictions) predictions.push_back(write(prediction));
    return {{"schema", "perfpact.prediction/1"},
            {"program", view_.program},
            {"predictions", std::move(predictions)},
            {"gaps", gaps()}};
  }

 private:
  [[nodiscard]] Json number(const Rational& value) const {
    const double nearest = to_double(value);
    // A number that no double holds is written as in the exact form rather than as null.
    if (numbers_ == JsonNumbers::Fraction || !std::isfinite(nearest)) return to_fraction(value);
    return nearest;
  }
  [[nodiscard]] Json number(const Interval& value) const {
    if (value.is_exact()) return number(value.low);
    return {{"low", number(value.low)}, {"high", number(value.high)}};
  }
  [[nodiscard]] Json number(const cost::Bounds& value) const {
    if (value.high) return number(Interval(value.low, *value.high));
    return {{"low", number(value.low)}, {"high", nullptr}};
  }
  [[nodiscard]] static Json probability(const Interval& value) {
    if (value.is_exact()) return to_fraction(value.low);
    return {{"low", to_fraction(value.low)}, {"high", to_fraction(value.high)}};
  }
  /// {scenario: number}
  template <class Number>
  [[nodiscard]] Json by_scenario(const cost::CostModel& model, const std::vector<Number>& values) const {
    Json out = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) out[model.scenarios()[i]] = number(values[i]);
    return out;
  }

  [[nodiscard]] Json gaps() const {
    Json out = Json::array();
    for (const workload::WeightedGap& gap : view_.cases.gaps(view_.workload)) {
      Json paths = Json::array();
      for (std::size_t index : gap.cases)
        paths.push_back(program::to_string(view_.cases.cases[index].trace.path));
      out.push_back({{"reason", gap.gap.reason},
                     {"at", view_.sources.describe(gap.gap.at)},
                     {"probability", probability(gap.probability)},
                     {"paths", std::move(paths)}});
    }
    return out;
  }

  /// The costs of a case; those of a gap are known from below only.
  [[nodiscard]] Json costs_of(const program::Trace& trace, const cost::CostModel& model,
                              const cost::Costs& costs) const {
    if (!std::holds_alternative<program::Gap>(trace.verdict)) return by_scenario(model, costs);
    std::vector<cost::Bounds> bounds;
    for (const Rational& cost : costs) bounds.emplace_back(cost, std::nullopt);
    return by_scenario(model, bounds);
  }

  [[nodiscard]] Json write(const cost::Prediction& prediction) const {
    const cost::CostModel& model = *prediction.model;
    Json quantiles = Json::object();
    for (std::size_t i = 0; i < model.scenarios().size(); ++i) {
      Json& of_scenario = quantiles[model.scenarios()[i]] = Json::object();
      for (const cost::Quantile& quantile : prediction.mix_quantiles)
        of_scenario[quantile.name] = number(quantile.value[i]);
    }
    Json cases = Json::array();
    for (const cost::PricedCase& priced : prediction.cases) cases.push_back(write(priced, model));
    return {{"cost_model", model.name()},
            {"metric", model.metric()},
            {"unit", model.unit()},
            {"estimators",
             {{"min", by_scenario(model, prediction.estimators.min)},
              {"mean", by_scenario(model, prediction.estimators.mean)},
              {"max", by_scenario(model, prediction.estimators.max)}}},
            {"mix_quantiles", std::move(quantiles)},
            {"cases", std::move(cases)}};
  }

  [[nodiscard]] Json write(const cost::PricedCase& priced, const cost::CostModel& model) const {
    const program::Trace& trace = view_.cases.cases[priced.index].trace;
    Json steps = Json::array();
    for (const cost::PricedStep& step : priced.steps)
      steps.push_back({{"event", program::describe(*step.event)},
                       {"at", view_.sources.describe(step.event->site->at)},
                       {"copy", step.is_copy},
                       {"cost", by_scenario(model, step.price->costs)},
                       {"by", view_.sources.describe(step.price->by)}});
    return {{"path", program::to_string(trace.path)},
            {"probability", probability(priced.probability)},
            {"pcvs", pcvs(trace)},
            {"cost", costs_of(trace, model, priced.cost)},
            {"cost_of_original", costs_of(trace, model, priced.original)},
            {"cost_of_copies", costs_of(trace, model, priced.copies)},
            {"verdict", program::to_string(trace.verdict)},
            {"steps", std::move(steps)}};
  }

  /// `table.pcv`, of the second apply on the path `table#2.pcv`.
  [[nodiscard]] static Json pcvs(const program::Trace& trace) {
    Json out = Json::object();
    std::map<std::string, int, std::less<>> applies;
    for (const program::Event& event : trace.events) {
      if (event.kind() != program::EventKind::TableApply) continue;
      const std::string table(event.text("table").value());
      const int nth = ++applies[table];
      const std::string prefix = nth == 1 ? table : table + "#" + std::to_string(nth);
      const auto& names = program::schema(event.kind()).numbers;
      for (std::size_t i = 0; i < names.size() && !names[i].empty(); ++i)
        out[prefix + "." + std::string(names[i])] = event.numbers[i];
    }
    return out;
  }

  const PredictionView& view_;
  JsonNumbers numbers_;
};

}  // namespace

std::string to_json(const PredictionView& view, JsonNumbers numbers) {
  // Names come from the user's files and may be no UTF-8: such bytes are replaced, never thrown at.
  return Writer(view, numbers).write().dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfpact::report
