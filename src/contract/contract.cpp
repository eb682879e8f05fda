#include "contract/contract.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/spelling.h"
#include "contract/diagnostics.h"
#include "contract/filter.h"
#include "contract/where.h"
#include "explore/native/path_cost.h"

namespace perfpact::contract {
namespace {

using explore::NativeCall;
using explore::NativePath;
using formula::Formula;
using smt::Expr;

class Maker {
 public:
  Maker(explore::NativeExplorer& explorer, const std::vector<NativePath>& paths,
        const ContractOptions& options, Diagnostics& diagnostics)
      : explorer_(explorer),
        context_(explorer.context()),
        paths_(paths),
        options_(options),
        diagnostics_(diagnostics) {
    for (const NativePath& path : paths)
      for (const NativeCall& call : path.calls) {
        calls_.emplace(call.label, call.method);
        for (const library::Pcv& pcv : call.outcome->pcvs)
          declared_.emplace(fmt::format("{}.{}", call.label, pcv.name), Range{pcv.low, pcv.high});
      }
  }

  Result<Contract> make() {
    Contract contract;
    std::vector<Expr> none(paths_.size(), context_.boolean(true));
    for (const InputClass& one : options_.classes) {
      std::optional<std::vector<Expr>> conditions = conditions_of(one);
      if (!conditions) return std::unexpected(diagnostics_.already_reported());
      contract.classes.push_back(contract_of(one, *conditions));
      for (std::size_t i = 0; i < paths_.size(); ++i)
        none[i] = context_.and_(none[i], context_.not_((*conditions)[i]));
    }
    const bool is_all = options_.classes.empty();
    ClassContract rest = contract_of({.name = is_all ? "all" : std::string(kOther)}, none);
    if (is_all || !rest.paths.empty() || rest.unknown > 0) contract.classes.push_back(std::move(rest));
    return contract;
  }

 private:
  // Of each path, when it is in the class.
  std::optional<std::vector<Expr>> conditions_of(const InputClass& one) {
    Expr passed = context_.boolean(true);
    if (one.filter) {
      const SymbolicPacket packet{[this](std::uint32_t i) { return explorer_.byte(i); }, explorer_.length(),
                                  explorer_.longest()};
      const std::optional<Expr> filter = passes(context_, *one.filter, packet);
      if (!filter) {
        diagnostics_.report(diag::kFilterForm, one.filter_at, one.filter_text);
        return std::nullopt;
      }
      passed = *filter;
    }
    std::vector<Expr> conditions;
    for (const NativePath& path : paths_) {
      Expr condition = passed;
      if (one.where) {
        const auto holds = where(context_, *one.where, explorer_, path, calls_, diagnostics_);
        if (!holds) return std::nullopt;
        condition = context_.and_(condition, *holds);
      }
      conditions.push_back(condition);
    }
    return conditions;
  }

  ClassContract contract_of(const InputClass& one, const std::vector<Expr>& conditions) {
    ClassContract result{.name = one.name};
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (conditions[i].is_false()) continue;
      const smt::Answer answer = explorer_.judge(paths_[i], conditions[i]);
      if (answer.is_unknown()) ++result.unknown;
      if (answer.is_sat()) result.paths.push_back(i);
    }
    if (result.paths.empty()) return result;
    for (const std::string_view metric : library::kMetrics)
      result.bounds.push_back(bound_of(one, result.paths, metric, [&](std::size_t path) {
        return explore::cost_of(paths_[path], metric);
      }));
    for (const explore::PathMetric& metric : options_.metrics)
      result.bounds.push_back(
          bound_of(one, result.paths, metric.name, [&](std::size_t path) { return metric.costs[path]; }));
    const std::size_t worst = result.bounds.front().worst_path;
    result.worst = explorer_.restricted(paths_[worst], conditions[worst]);
    report_unused(one, result.paths);
    return result;
  }

  Bound bound_of(const InputClass& one, const std::vector<std::size_t>& paths, std::string_view metric,
                 const std::function<Formula(std::size_t path)>& cost_of) {
    const Ranges ranges = [&](const std::string& name) { return range_of(one, name); };
    std::vector<Formula> formulas;
    std::vector<std::size_t> first;  // path of each formula
    std::set<std::string> known;
    for (const std::size_t path : paths) {
      Formula cost = bound(one, cost_of(path));
      if (!known.insert(cost.to_string()).second) continue;
      formulas.push_back(std::move(cost));
      first.push_back(path);
    }
    std::vector<std::size_t> kept = largest(formulas, ranges);
    std::ranges::stable_sort(kept, std::greater{},
                             [&](std::size_t i) { return height(formulas[i], ranges); });
    Bound result{.metric = std::string(metric), .most = Rational(0), .worst_path = first[kept.front()]};
    for (const std::size_t i : kept) {
      const std::optional<Rational> limit = most(formulas[i], ranges);
      result.most = limit && result.most ? std::optional(std::max(*limit, *result.most)) : std::nullopt;
      result.formulas.push_back(formulas[i]);
    }
    return result;
  }

  // To tell which of several formulas is shown as the worst: with each PCV at its highest, or a little above
  // its lowest.
  static Rational height(const Formula& formula, const Ranges& ranges) {
    const Ranges limited = [&](const std::string& name) {
      Range range = ranges(name);
      if (!range.high) range.high = range.low + 1;
      return range;
    };
    return most(formula, limited).value_or(0);
  }

  Range range_of(const InputClass& one, const std::string& name) const {
    // The longest is the most exact.
    const std::pair<const std::string, Range>* best = nullptr;
    for (const auto& candidate : one.pcvs)
      if (is_meant(name, candidate.first) && (best == nullptr || candidate.first.size() > best->first.size()))
        best = &candidate;
    if (best != nullptr) return best->second;
    const auto declared = declared_.find(name);
    return declared == declared_.end() ? Range{} : declared->second;
  }

  // With the values that the class and the bindings give.
  Formula bound(const InputClass& one, const Formula& cost) const {
    std::vector<std::pair<std::string, Formula>> values;
    for (const Formula::Name& name : cost.names()) {
      const auto bound = std::ranges::find_if(
          options_.bindings, [&](const auto& binding) { return is_meant(name.name, binding.first); });
      if (bound != options_.bindings.end()) {
        values.emplace_back(name.name, Formula::constant(bound->second));
        continue;
      }
      const Range range = range_of(one, name.name);
      if (range.high == range.low) values.emplace_back(name.name, Formula::constant(Rational(range.low)));
    }
    return cost.substitute(values);
  }

  void report_unused(const InputClass& one, const std::vector<std::size_t>& paths) {
    std::vector<std::string> names;
    for (const std::size_t path : paths)
      for (const NativeCall& call : paths_[path].calls)
        for (const library::Pcv& pcv : call.outcome->pcvs)
          names.push_back(fmt::format("{}.{}", call.label, pcv.name));
    for (const auto& [wanted, range] : one.pcvs)
      if (std::ranges::none_of(names, [&](const std::string& name) { return is_meant(name, wanted); }))
        diagnostics_.report(diag::kUnusedPcv, one.at, one.name, wanted, did_you_mean(wanted, names));
  }

  explore::NativeExplorer& explorer_;
  smt::Context& context_;
  const std::vector<NativePath>& paths_;
  const ContractOptions& options_;
  Diagnostics& diagnostics_;
  std::map<std::string, const library::Method*> calls_;  // by label
  std::map<std::string, Range> declared_;                // of PCVs, by the packs
};

}  // namespace

std::string ClassContract::to_string(const Bound& bound) {
  if (bound.formulas.size() == 1) return bound.formulas.front().to_string();
  std::vector<std::string> texts;
  for (const Formula& formula : bound.formulas) texts.push_back(formula.to_string());
  return fmt::format("max({})", fmt::join(texts, ", "));
}

Result<Contract> make_contract(explore::NativeExplorer& explorer, const std::vector<NativePath>& paths,
                               const ContractOptions& options, Diagnostics& diagnostics) {
  return Maker(explorer, paths, options, diagnostics).make();
}

}  // namespace perfpact::contract
