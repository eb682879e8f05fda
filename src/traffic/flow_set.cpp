#include "traffic/flow_set.h"

#include <algorithm>
#include <cctype>

#include "base/check.h"
#include "traffic/diagnostics.h"
#include "traffic/place_search.h"

namespace perfpact::traffic {
namespace {

constexpr std::uint64_t kMostFlows = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostWithPlaces = std::uint64_t{1} << 22;  // which are kept in memory
constexpr unsigned kMostBits = 120;  // of a number that stands for the choices of all values

bool is_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

NamedValues read_values(const Yaml& yaml, const RoutesByName& routes, Diagnostics& diagnostics) {
  NamedValues values;
  if (!yaml.is_map())
    diagnostics.report(perfpact::diag::kYamlExpected, yaml.span(), "values", "a mapping from names to values",
                       yaml.describe());
  for (const auto& [name, inner] : yaml.entries()) {
    const std::string text = name.text();
    if (!is_name(text)) diagnostics.report(diag::kBadName, name.span(), text);
    if (auto value = read_value(inner, routes, diagnostics)) values.emplace_back(text, std::move(*value));
  }
  return values;
}

}  // namespace

Result<FlowSet> FlowSet::read(const std::string& name, const Yaml& yaml, const RoutesByName& routes,
                              std::uint64_t seed, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  FlowSet flows;
  flows.name_ = name;
  flows.seed_ = seed;
  YamlMap map(yaml, diagnostics, fmt::format("the set of flows '{}'", name));
  const auto places = map.optional("places");
  if (const auto count = map.require("count"))
    flows.count_ = count->as_u64("count", places ? kMostWithPlaces : kMostFlows, diagnostics).value_or(0);
  if (const auto values = map.require("values")) flows.values_ = read_values(*values, routes, diagnostics);
  map.finish();
  if (diagnostics.error_count() != errors_before) return std::unexpected(diagnostics.already_reported());

  // What does not fit into one number is drawn apart and counts as no choice.
  Wide product = 1;
  bool counts = false;
  for (const auto& [key, value] : flows.values_) {
    const bool fits = bits_of(product) + bits_of(value.choices()) <= kMostBits;
    flows.choices_.push_back(fits ? value.choices() : 1);
    product *= flows.choices_.back();
    const auto* counter = std::get_if<CounterValue>(&value.kind);
    counts |= counter != nullptr && counter->step > 0;
  }
  flows.order_ =
      std::make_shared<const Permutation>(counts ? std::max(product, Wide{flows.count_}) : product, seed);
  if (flows.order_->size() < flows.count_)
    return std::unexpected(
        diagnostics.report(diag::kTooManyFlows, yaml.span(), name, to_text(product), flows.count_));
  if (!places) return flows;

  if (!places->is_list())
    return std::unexpected(diagnostics.report(perfpact::diag::kYamlExpected, places->span(), "places",
                                              "a list", places->describe()));
  std::vector<Placement> placements;
  for (const Yaml& place : places->items())
    if (auto placement =
            read_placement(place, flows.values_, std::max<std::uint64_t>(flows.count_, 1), diagnostics))
      placements.push_back(std::move(*placement));
  if (diagnostics.error_count() != errors_before) return std::unexpected(diagnostics.already_reported());
  auto found = PlaceSearch(flows, std::move(placements), places->span()).run(diagnostics);
  if (!found) return std::unexpected(found.error());
  flows.found_ = std::move(*found);
  return flows;
}

void FlowSet::get(std::uint64_t flow, std::span<Wide> out) const {
  PERFPACT_CHECK(flow < count_, "flow {} of {}", flow, count_);
  if (found_.empty()) return candidate(flow, flow, out);
  std::copy_n(found_.begin() + static_cast<std::ptrdiff_t>(flow * values_.size()), values_.size(),
              out.begin());
}

void FlowSet::candidate(Wide candidate, std::uint64_t flow, std::span<Wide> out) const {
  Wide index = order_->at(candidate);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Value& value = values_[i].second;
    const std::uint64_t drawn = mix(derive_seed(seed_, i) + flow);
    const bool is_ordered = choices_[i] > 1;
    const Wide of_this =
        is_ordered ? index % choices_[i] : (Wide{mix(~drawn)} << 64 | drawn) % value.choices();
    if (is_ordered) index /= choices_[i];
    out[i] = value.at(of_this, flow, drawn);
  }
}

}  // namespace perfpact::traffic
