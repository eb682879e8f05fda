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
            {"gaps", Json::array()}};
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
                       {"cost", by_scenario(model, step.cost)}});
    return {{"path", program::to_string(trace.path)},
            {"probability", probability(priced.probability)},
            {"pcvs", pcvs(trace)},
            {"cost", by_scenario(model, priced.cost)},
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
