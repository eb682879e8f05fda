#include "cost/pricing.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/check.h"

namespace perfpact::cost {
namespace {

using workload::WeightedCase;
using workload::WeightedCases;
using workload::Workload;

// Prices each distinct occurrence (site, numbers) once.
class EventPricer {
 public:
  EventPricer(const CostModel& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  /// Nothing when pricing failed, which is reported once per distinct occurrence.
  const Costs* price(const program::Event& event) {
    auto [known, is_new] = prices_.try_emplace({event.site, event.numbers});
    if (is_new)
      if (auto costs = model_.price(event, diagnostics_)) known->second = std::move(*costs);
    return known->second ? &*known->second : nullptr;
  }

 private:
  using Key = std::pair<const program::EventSite*, std::array<std::int64_t, 5>>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::size_t hash = std::hash<const void*>{}(key.first);
      for (std::int64_t number : key.second)
        hash = hash * 0x9e3779b97f4a7c15 + static_cast<std::size_t>(number);
      return hash ^ (hash >> 32);
    }
  };
  const CostModel& model_;
  Diagnostics& diagnostics_;
  std::unordered_map<Key, std::optional<Costs>, Hash> prices_;
};

Result<std::vector<PricedCase>> price_cases(const WeightedCases& cases, const Workload& workload,
                                            const CostModel& model, Diagnostics& diagnostics) {
  EventPricer pricer(model, diagnostics);
  bool ok = true;
  std::vector<PricedCase> result;
  for (std::size_t index = 0; index < cases.cases.size(); ++index) {
    const WeightedCase& weighted = cases.cases[index];
    PricedCase priced{index, weighted.probability(workload), Costs(model.scenarios().size()), {}};
    for (const program::Event& event : weighted.trace.events) {
      const Costs* costs = pricer.price(event);
      if (costs == nullptr) {
        ok = false;
        continue;
      }
      for (std::size_t s = 0; s < costs->size(); ++s) priced.cost[s] += (*costs)[s];
      priced.steps.push_back({&event, *costs});
    }
    result.push_back(std::move(priced));
  }
  if (!ok) return std::unexpected(diagnostics.already_reported());
  return result;
}

// A case as one scenario's statistics see it.
struct Weight {
  Rational cost;
  const WeightedCase* weighted;
};

// The statistics of one scenario over the cases that take part.
class Statistics {
 public:
  Statistics(const Workload& workload, std::vector<Weight> weights)
      : rest_(workload.rest), weights_(std::move(weights)) {
    if (rest_ > 0)
      for (std::size_t row = 0; row < workload.rows.size(); ++row)
        if (!workload.rows[row].probability) unknown_rows_.push_back(row);
    std::erase_if(weights_, [&](const Weight& w) { return w.weighted->known == 0 && !has_open_share(w); });
    PERFPACT_CHECK(!weights_.empty(), "no case has a probability above zero");
    std::ranges::stable_sort(weights_, std::less<>{}, &Weight::cost);
  }

  [[nodiscard]] const Rational& min() const { return weights_.front().cost; }
  [[nodiscard]] const Rational& max() const { return weights_.back().cost; }

  [[nodiscard]] Interval mean() const {
    Rational known = 0;
    std::vector<Rational> of_row(unknown_rows_.size());
    for (const Weight& weight : weights_) {
      known += weight.weighted->known * weight.cost;
      add_shares(weight, weight.cost, of_row);
    }
    return bounds(known, of_row);
  }

  // Least x with P(cost <= x) >= level: the low end by the sharing that makes P largest, the high end by the
  // one that makes it least. `levels` rise.
  [[nodiscard]] std::vector<Interval> quantiles(const std::vector<Rational>& levels) const {
    std::vector<Interval> result(levels.size());
    std::size_t next_low = 0;
    std::size_t next_high = 0;
    Rational known = 0;
    std::vector<Rational> of_row(unknown_rows_.size());
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      known += weights_[i].weighted->known;
      add_shares(weights_[i], 1, of_row);
      if (i + 1 < weights_.size() && weights_[i + 1].cost == weights_[i].cost) continue;
      const Interval probability = bounds(known, of_row);
      for (; next_low < levels.size() && probability.high >= levels[next_low]; ++next_low)
        result[next_low].low = weights_[i].cost;
      for (; next_high < levels.size() && probability.low >= levels[next_high]; ++next_high)
        result[next_high].high = weights_[i].cost;
    }
    PERFPACT_CHECK(next_high == levels.size(), "the probabilities of the cases sum to less than {}",
                   to_fraction(levels.back()));
    return result;
  }

 private:
  [[nodiscard]] bool has_open_share(const Weight& weight) const {
    return rest_ > 0 && !weight.weighted->unknown.empty();
  }
  void add_shares(const Weight& weight, const Rational& factor, std::vector<Rational>& of_row) const {
    for (std::size_t j = 0; j < unknown_rows_.size(); ++j) {
      const auto share = weight.weighted->unknown.find(unknown_rows_[j]);
      if (share != weight.weighted->unknown.end()) of_row[j] += share->second * factor;
    }
  }
  [[nodiscard]] Interval bounds(const Rational& known, const std::vector<Rational>& of_row) const {
    if (of_row.empty()) return known;
    const auto [least, most] = std::ranges::minmax_element(of_row);
    return {known + rest_ * *least, known + rest_ * *most};
  }

  Rational rest_;
  std::vector<Weight> weights_;            // by rising cost
  std::vector<std::size_t> unknown_rows_;  // none when nothing is left for them
};

std::vector<Quantile> named_quantiles(std::size_t scenarios) {
  std::vector<Quantile> quantiles{{"p50", Rational(1, 2), {}},
                                  {"p90", Rational(9, 10), {}},
                                  {"p99", Rational(99, 100), {}},
                                  {"p99.9", Rational(999, 1000), {}}};
  for (Quantile& quantile : quantiles) quantile.value.resize(scenarios);
  return quantiles;
}

}  // namespace

Result<Prediction> price(const WeightedCases& cases, const Workload& workload, const CostModel& model,
                         Diagnostics& diagnostics) {
  auto priced = price_cases(cases, workload, model, diagnostics);
  if (!priced) return std::unexpected(priced.error());

  Prediction prediction{&model, {}, named_quantiles(model.scenarios().size()), {}};
  std::vector<Rational> levels;
  for (const Quantile& quantile : prediction.mix_quantiles) levels.push_back(quantile.level);
  for (std::size_t s = 0; s < model.scenarios().size(); ++s) {
    std::vector<Weight> weights;
    for (const PricedCase& c : *priced) weights.push_back({c.cost[s], &cases.cases[c.index]});
    const Statistics statistics(workload, std::move(weights));
    prediction.estimators.min.push_back(statistics.min());
    prediction.estimators.mean.push_back(statistics.mean());
    prediction.estimators.max.push_back(statistics.max());
    const std::vector<Interval> values = statistics.quantiles(levels);
    for (std::size_t q = 0; q < values.size(); ++q) prediction.mix_quantiles[q].value[s] = values[q];
  }

  std::ranges::stable_sort(*priced, [](const PricedCase& a, const PricedCase& b) {
    if (a.probability.high != b.probability.high) return a.probability.high > b.probability.high;
    return a.cost.back() > b.cost.back();
  });
  prediction.cases = std::move(*priced);
  return prediction;
}

}  // namespace perfpact::cost
