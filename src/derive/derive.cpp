#include "derive/derive.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/spelling.h"
#include "derive/bound.h"
#include "derive/code_hash.h"
#include "derive/diagnostics.h"
#include "derive/graph.h"
#include "explore/native/structures.h"
#include "library/latency.h"
#include "library/naming.h"

namespace perfpact::derive {
namespace {

using library::Method;
using library::Outcome;

std::vector<std::string> names_of(const std::vector<Outcome>& outcomes) {
  std::vector<std::string> names;
  for (const Outcome& outcome : outcomes) names.push_back(outcome.name);
  return names;
}

class Deriver {
 public:
  Deriver(const Code& code, const library::Pack& methods, Diagnostics& diagnostics)
      : code_(code), methods_(methods), diagnostics_(diagnostics) {}

  Result<std::vector<DerivedMethod>> derive() {
    std::vector<DerivedMethod> derived;
    std::vector<std::string> skipped;
    for (const Method& method : methods_.methods) {
      const std::vector<std::uint64_t> addresses = explore::addresses_of(code_.process(), method.function);
      if (addresses.empty()) {
        skipped.push_back(method.function);
      } else if (auto one = derive(method, addresses.front())) {
        derived.push_back(std::move(*one));
      }
    }
    if (skipped.size() == methods_.methods.size())
      diagnostics_.report(diag::kNoMethods, {}, skipped.size(), methods_.path);
    else if (!skipped.empty())
      diagnostics_.report(diag::kSkipped, {}, fmt::format("{}", fmt::join(skipped, ", ")));
    if (diagnostics_.has_errors()) return std::unexpected(diagnostics_.already_reported());
    return derived;
  }

 private:
  std::optional<DerivedMethod> derive(const Method& method, std::uint64_t address) {
    const Result<Graph> graph = Graph::build(code_, address, diagnostics_);
    if (!graph || !has_outcomes(method, *graph)) return std::nullopt;
    DerivedMethod derived{.method = &method,
                          .address = address,
                          .code_sha256 = code_sha256(code_, *graph),
                          .is_counted = is_counted(method, address, *graph)};
    for (const Outcome& outcome : method.outcomes) {
      const Ways ways(*graph, ends_in(*graph, outcome));
      if (ways.places().empty()) {
        diagnostics_.report(diag::kNoWay, outcome.at, method.function, outcome.name,
                            did_you_mean(outcome.name, graph->outcomes));
        continue;
      }
      DerivedOutcome one{.outcome = &outcome, .pcvs = pcvs_of(methods_, *graph, ways)};
      if (!find_costs(method, ways, one)) return std::nullopt;
      derived.outcomes.push_back(std::move(one));
    }
    return derived;
  }

  // Every way ends in an outcome that is listed. Where the code has no marks of outcomes, what is returned
  // tells.
  bool has_outcomes(const Method& method, const Graph& graph) {
    if (graph.outcomes.empty()) return true;
    const std::vector<std::string> listed = names_of(method.outcomes);
    std::set<std::int32_t> met;
    for (const Node& node : graph.nodes)
      if (node.returns && met.insert(node.outcome).second) {
        if (node.outcome < 0) {
          diagnostics_.report(diag::kNoOutcome, method.at, method.function, code_.describe(node.address));
          return false;
        }
        const std::string& name = graph.outcomes[static_cast<std::size_t>(node.outcome)];
        if (std::ranges::find(listed, name) != std::end(listed)) continue;
        diagnostics_.report(diag::kUnlistedOutcome, method.at, method.function, name,
                            did_you_mean(name, listed));
        return false;
      }
    return true;
  }

  bool is_counted(const Method& method, std::uint64_t address, const Graph& graph) const {
    const auto is_told = [&](std::uint64_t at) {
      return std::ranges::any_of(code_.marks(at), &Mark::is_told);
    };
    const bool is_marked = std::ranges::any_of(
        code_.process().marks(),
        [&](const process::Process::Mark& mark) { return mark.kind == "method" && mark.address == address; });
    return is_marked && (method.outcomes.size() == 1 || !graph.outcomes.empty()) &&
           std::ranges::none_of(graph.code, is_told);
  }

  bool find_costs(const Method& method, const Ways& ways, DerivedOutcome& outcome) {
    const std::size_t metrics = code_.cpu() != nullptr ? kLatencyMetric + 1 : kLatencyMetric;
    for (std::size_t metric = 0; metric < metrics; ++metric) {
      auto above = find_bound(ways, metric, Side::Above);
      if (const auto* loop = std::get_if<UnmarkedLoop>(&above)) {
        diagnostics_.report(diag::kUnmarkedLoop, method.at, method.function, code_.describe(loop->address),
                            code_.process().describe(loop->address));
        return false;
      }
      const auto below = find_bound(ways, metric, Side::Below);
      auto& bound = std::get<Bound>(above);
      outcome.costs.push_back({.prices = std::move(bound.prices),
                               .constant = bound.constant,
                               .is_exact_by_structure = bound.midst == std::get<Bound>(below).midst,
                               .is_counted = metric < kLatencyMetric});
    }
    return true;
  }

  const Code& code_;
  const library::Pack& methods_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<bool> ends_in(const Graph& graph, const Outcome& outcome) {
  const auto number = std::ranges::find(graph.outcomes, outcome.name) - graph.outcomes.begin();
  const auto returned = [&]() -> std::optional<std::uint64_t> {
    const library::Returned& it = outcome.returned;
    if (it.kind != library::Returned::Kind::Term || it.term.kind != library::Term::Kind::Number)
      return std::nullopt;
    return it.term.number & 0xff;
  }();
  std::vector<bool> ends;
  for (const Node& node : graph.nodes) {
    const bool fits = graph.outcomes.empty() ? !returned || !node.result || returned == node.result
                                             : node.outcome == number;
    ends.push_back(node.returns && fits);
  }
  return ends;
}

std::vector<DerivedPcv> pcvs_of(const library::Pack& methods, const Graph& graph, const Ways& ways) {
  std::vector<DerivedPcv> pcvs;
  std::map<std::string, int> times;
  for (const std::uint32_t number : ways.pcvs()) {
    const std::string& counted = graph.pcvs[number];
    pcvs.push_back({counted, library::pcv_by_methods(methods, counted)});
    ++times[pcvs.back().name];
  }
  for (DerivedPcv& pcv : pcvs)
    if (times[pcv.name] > 1) pcv.name = pcv.counted;
  return pcvs;
}

Result<std::vector<DerivedMethod>> derive(const Code& code, const library::Pack& methods,
                                          Diagnostics& diagnostics) {
  return Deriver(code, methods, diagnostics).derive();
}

std::string_view metric_name(std::size_t metric) {
  return metric < kLatencyMetric ? library::kMetrics[metric] : library::kLatency;
}

std::string formula(const DerivedOutcome& outcome, std::size_t metric) {
  const DerivedCost& cost = outcome.costs[metric];
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < cost.prices.size(); ++i)
    if (cost.prices[i] != 0) {
      const std::string& name = outcome.pcvs[i].name;
      terms.push_back(cost.prices[i] == 1 ? name : fmt::format("{}*{}", to_fraction(cost.prices[i]), name));
    }
  if (cost.constant != 0 || terms.empty()) terms.push_back(to_fraction(cost.constant));
  std::string text;
  for (const std::string& term : terms) {
    if (text.empty())
      text = term;
    else if (term.starts_with('-'))
      text += " - " + term.substr(1);
    else
      text += " + " + term;
  }
  return text;
}

}  // namespace perfpact::derive
