#include "derive/check.h"

#include <algorithm>

#include "derive/code_hash.h"
#include "derive/derive.h"
#include "derive/diagnostics.h"
#include "derive/graph.h"
#include "explore/native/structures.h"
#include "library/latency.h"

namespace perfpact::derive {
namespace {

// A formula that is a sum over PCVs, by the numbers of these.
struct Linear {
  std::vector<Rational> prices;
  Rational constant;
};

std::optional<Linear> linear(const formula::Formula& formula, const std::vector<DerivedPcv>& pcvs) {
  const auto terms = formula.terms();
  if (!terms) return std::nullopt;
  Linear sum{.prices = std::vector<Rational>(pcvs.size())};
  for (const formula::Formula::Term& term : *terms) {
    if (term.names.size() > 1) return std::nullopt;
    if (term.names.empty()) {
      sum.constant += term.coefficient;
      continue;
    }
    const auto pcv = std::ranges::find(pcvs, term.names.front(), &DerivedPcv::name);
    // What is not counted on any way is 0.
    if (pcv != pcvs.end()) sum.prices[static_cast<std::size_t>(pcv - pcvs.begin())] += term.coefficient;
  }
  return sum;
}

class Checker {
 public:
  Checker(const process::Process& process, const library::Pack& pack, Diagnostics& diagnostics)
      : pack_(pack),
        diagnostics_(diagnostics),
        cpu_(cpu_of(pack)),
        code_(process, pack.methods, unsaid_, cpu_ ? &*cpu_ : nullptr) {}

  Result<void> check() {
    for (const library::Method& method : pack_.methods)
      if (!method.code_sha256.empty())
        for (const std::uint64_t address : explore::addresses_of(code_.process(), method.function))
          check(method, address);
    if (fits_) return {};
    return std::unexpected(diagnostics_.already_reported());
  }

 private:
  std::optional<timing::Cpu> cpu_of(const library::Pack& pack) {
    const auto name = pack.binary.find(library::kLatencyCpu);
    if (name == pack.binary.end()) return std::nullopt;
    auto cpu = timing::Cpu::find(name->second, unsaid_);
    return cpu ? std::optional(std::move(*cpu)) : std::nullopt;
  }

  void check(const library::Method& method, std::uint64_t address) {
    const Result<Graph> graph = Graph::build(code_, address, unsaid_);
    const std::string here = graph ? code_sha256(code_, *graph) : "not known";
    if (here != method.code_sha256) {
      report(diag::kOtherCode, method.at, method.function, method.code_sha256, here, pack_.path);
      return;
    }
    for (const library::Outcome& outcome : method.outcomes)
      if (!outcome.costs.empty()) check(method, outcome, *graph);
  }

  void check(const library::Method& method, const library::Outcome& outcome, const Graph& graph) {
    const Ways ways(graph, ends_in(graph, outcome));
    if (ways.places().empty()) return;
    const std::vector<DerivedPcv> pcvs = pcvs_of(pack_, graph, ways);
    for (std::size_t metric = 0; metric < (cpu_ ? kLatencyMetric + 1 : kLatencyMetric); ++metric) {
      const auto cost = outcome.costs.find(metric_name(metric));
      if (cost == outcome.costs.end()) continue;
      const std::optional<Linear> sum = linear(cost->second.formula, pcvs);
      const std::string text = cost->second.formula.to_string();
      if (!sum)
        diagnostics_.report(diag::kPackUnchecked, outcome.at, metric_name(metric), method.function,
                            outcome.name, text);
      else if (is_exceeded(ways, metric, sum->prices, sum->constant))
        report(diag::kPackBelow, outcome.at, metric_name(metric), method.function, outcome.name, text,
               pack_.path);
    }
  }

  template <class... Arguments>
  void report(const DiagnosticKind& kind, const Span& at, const Arguments&... arguments) {
    diagnostics_.report(kind, at, arguments...);
    fits_ = false;
  }

  const library::Pack& pack_;
  Diagnostics& diagnostics_;
  SourceManager sources_;
  Diagnostics unsaid_{sources_};  // code that cannot be derived from is other code
  std::optional<timing::Cpu> cpu_;
  Code code_;
  bool fits_ = true;
};

}  // namespace

Result<void> check_pack(const process::Process& process, const library::Pack& pack,
                        Diagnostics& diagnostics) {
  return Checker(process, pack, diagnostics).check();
}

}  // namespace perfpact::derive
