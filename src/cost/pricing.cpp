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
  const EventPrice* price(const program::Event& event) {
    auto [known, is_new] = known_.try_emplace({event.site, event.numbers}, nullptr);
    if (is_new)
      if (auto price = model_.price(event, diagnostics_))
        known->second = &prices_->emplace_back(std::move(*price));
    return known->second;
  }
  [[nodiscard]] std::shared_ptr<const std::deque<EventPrice>> prices() const { return prices_; }

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
  std::shared_ptr<std::deque<EventPrice>> prices_ = std::make_shared<std::deque<EventPrice>>();
  std::unordered_map<Key, const EventPrice*, Hash> known_;
};

// Whether an event is of a copy, asked in the order of the events.
class CopyCursor {
 public:
  explicit CopyCursor(const std::vector<program::Pass>& passes) : passes_(passes) {}
  bool is_copy(std::size_t event) {
    while (next_ < passes_.size() && passes_[next_].first_event <= event) ++next_;
    return next_ > 0 && passes_[next_ - 1].is_copy;
  }

 private:
  const std::vector<program::Pass>& passes_;
  std::size_t next_ = 0;
};

void add(Costs& sum, const Costs& costs) {
  for (std::size_t s = 0; s < costs.size(); ++s) sum[s] += costs[s];
}

Result<std::vector<PricedCase>> price_cases(const WeightedCases& cases, const Workload& workload,
                                            std::size_t scenarios, EventPricer& pricer,
                                            Diagnostics& diagnostics) {
  bool ok = true;
  std::vector<PricedCase> result;
  for (std::size_t index = 0; index < cases.cases.size(); ++index) {
    const WeightedCase& weighted = cases.cases[index];
    const Costs zero(scenarios);
    PricedCase priced{index, weighted.probability(workload), zero, zero, zero, {}};
    CopyCursor cursor(weighted.trace.passes);
    for (std::size_t i = 0; i < weighted.trace.events.size(); ++i) {
      const program::Event& event = weighted.trace.events[i];
      const EventPrice* price = pricer.price(event);
      if (price == nullptr) {
        ok = false;
        continue;
      }
      const bool is_copy = cursor.is_copy(i);
      add(is_copy ? priced.copies : priced.original, price->costs);
      priced.steps.push_back({&event, price, is_copy});
    }
    add(priced.cost, priced.original);
    add(priced.cost, priced.copies);
    result.push_back(std::move(priced));
  }
  if (!ok) return std::unexpected(diagnostics.already_reported());
  return result;
}

// A case as one scenario's statistics see it.
struct Weight {
  Rational cost;  // of a gap: the least it can be
  const WeightedCase* weighted;

  [[nodiscard]] bool is_gap() const { return std::holds_alternative<program::Gap>(weighted->trace.verdict); }
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

  [[nodiscard]] Bounds min() const {
    const auto whole = std::ranges::find_if_not(weights_, &Weight::is_gap);
    return {weights_.front().cost, whole == weights_.end() ? std::nullopt : std::optional(whole->cost)};
  }
  [[nodiscard]] Bounds max() const { return unbounded_by_gaps(weights_.back().cost); }

  [[nodiscard]] Bounds mean() const {
    Rational known = 0;
    std::vector<Rational> of_row(unknown_rows_.size());
    for (const Weight& weight : weights_) {
      known += weight.weighted->known * weight.cost;
      add_shares(weight, weight.cost, of_row);
    }
    return unbounded_by_gaps(bounds(known, of_row));
  }

  // Least x with P(cost <= x) >= level. The low end: by the sharing that makes P largest, gaps costing the
  // least they can; the high end: by the sharing that makes P least, gaps costing more than anything else.
  // `levels` rise.
  [[nodiscard]] std::vector<Bounds> quantiles(const std::vector<Rational>& levels) const {
    std::vector<const Weight*> all;
    all.reserve(weights_.size());
    for (const Weight& weight : weights_) all.push_back(&weight);
    const auto lows = reached(levels, all, &Interval::high);
    std::erase_if(all, [](const Weight* weight) { return weight->is_gap(); });
    const auto highs = reached(levels, all, &Interval::low);
    std::vector<Bounds> result;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      PERFPACT_CHECK(lows[i] && (highs[i] || has_gap()), "the probabilities of the cases sum to less than {}",
                     to_fraction(levels[i]));
      result.emplace_back(*lows[i], highs[i]);
    }
    return result;
  }

 private:
  // For each level the least cost at which that end of P(cost <= x) has reached it, if it does.
  [[nodiscard]] std::vector<std::optional<Rational>> reached(const std::vector<Rational>& levels,
                                                             const std::vector<const Weight*>& weights,
                                                             Rational Interval::* end) const {
    std::vector<std::optional<Rational>> result(levels.size());
    std::size_t next = 0;
    Rational known = 0;
    std::vector<Rational> of_row(unknown_rows_.size());
    for (std::size_t i = 0; i < weights.size() && next < levels.size(); ++i) {
      known += weights[i]->weighted->known;
      add_shares(*weights[i], 1, of_row);
      if (i + 1 < weights.size() && weights[i + 1]->cost == weights[i]->cost) continue;
      const Interval probability = bounds(known, of_row);
      for (; next < levels.size() && probability.*end >= levels[next]; ++next)
        result[next] = weights[i]->cost;
    }
    return result;
  }

  [[nodiscard]] bool has_gap() const { return std::ranges::any_of(weights_, &Weight::is_gap); }
  [[nodiscard]] Bounds unbounded_by_gaps(const Interval& value) const {
    return has_gap() ? Bounds(value.low, std::nullopt) : Bounds(value);
  }
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
  EventPricer pricer(model, diagnostics);
  auto priced = price_cases(cases, workload, model.scenarios().size(), pricer, diagnostics);
  if (!priced) return std::unexpected(priced.error());

  Prediction prediction{&model, pricer.prices(), {}, named_quantiles(model.scenarios().size()), {}};
  std::vector<Rational> levels;
  levels.reserve(prediction.mix_quantiles.size());
  for (const Quantile& quantile : prediction.mix_quantiles) levels.push_back(quantile.level);
  for (std::size_t s = 0; s < model.scenarios().size(); ++s) {
    std::vector<Weight> weights;
    weights.reserve(priced->size());
    for (const PricedCase& c : *priced) weights.push_back({c.cost[s], &cases.cases[c.index]});
    const Statistics statistics(workload, std::move(weights));
    prediction.estimators.min.push_back(statistics.min());
    prediction.estimators.mean.push_back(statistics.mean());
    prediction.estimators.max.push_back(statistics.max());
    const std::vector<Bounds> values = statistics.quantiles(levels);
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
