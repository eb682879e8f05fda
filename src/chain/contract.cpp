#include "chain/contract.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/spelling.h"
#include "contract/bounds.h"
#include "contract/diagnostics.h"
#include "contract/filter.h"

namespace perfpact::chain {
namespace {

using contract::InputClass;
using contract::Range;
using contract::Ranges;
using formula::Formula;

/// A formula and the path that has it.
struct Cost {
  Formula formula;
  std::size_t path = 0;
};

Formula cost_of(const std::vector<MetricCost>& costs, const Metric& metric) {
  const auto found = std::ranges::find(costs, metric, &MetricCost::metric);
  return found == costs.end() ? Formula::constant(0) : found->cost;
}

class Maker {
 public:
  Maker(Combination& combination, Diagnostics& diagnostics)
      : combination_(combination), context_(combination.context()), diagnostics_(diagnostics) {
    std::set<Metric> known;
    for (const auto& node : combination.nodes()) {
      for (const Metric& metric : node->metrics())
        if (known.insert(metric).second) metrics_.push_back(metric);
      for (const auto& [name, range] : node->pcvs())
        declared_.emplace(fmt::format("{}.{}", node->name(), name), range);
    }
  }

  Result<std::vector<ClassContract>> make(const std::vector<InputClass>& classes) {
    std::vector<ClassContract> result;
    const std::size_t count = combination_.nodes().front()->paths().size();
    // Of each path of the first node, when a packet on it is in none of the classes.
    std::vector<smt::Expr> none(count, context_.boolean(true));
    for (const InputClass& one : classes) {
      const auto conditions = conditions_of(one, count);
      if (!conditions) return std::unexpected(diagnostics_.already_reported());
      result.push_back(contract_of(one, *conditions));
      for (std::size_t i = 0; i < count; ++i)
        none[i] = context_.and_(none[i], context_.not_((*conditions)[i]));
    }
    ClassContract rest = contract_of({.name = classes.empty() ? "all" : std::string(contract::kOther)}, none);
    if (classes.empty() || !rest.paths.empty() || !rest.gaps.empty() || rest.unknown > 0)
      result.push_back(std::move(rest));
    return result;
  }

 private:
  std::optional<std::vector<smt::Expr>> conditions_of(const InputClass& one, std::size_t count) {
    Node& node = *combination_.nodes().front();
    smt::Expr passed = context_.boolean(true);
    if (one.filter) {
      const contract::SymbolicPacket packet{combination_.input().byte, combination_.input().length,
                                            node.longest()};
      const auto filter = contract::passes(context_, *one.filter, packet);
      if (!filter) {
        diagnostics_.report(contract::diag::kFilterForm, one.filter_at, one.filter_text);
        return std::nullopt;
      }
      passed = *filter;
    }
    std::vector<smt::Expr> conditions(count, passed);
    for (std::size_t i = 0; one.where && i < count; ++i) {
      if (node.paths()[i].ending == NodePath::Ending::Gap) continue;
      const auto holds = node.where(i, *one.where, diagnostics_);
      if (!holds) return std::nullopt;
      conditions[i] = context_.and_(passed, combination_.first()(*holds));
    }
    return conditions;
  }

  ClassContract contract_of(const InputClass& one, const std::vector<smt::Expr>& conditions) {
    ClassContract result{.name = one.name};
    const Ranges ranges = [&](const std::string& name) { return range_of(one, name); };
    const auto& paths = combination_.paths();
    std::set<std::size_t> first;  // paths of the first node
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::size_t begin = paths[i].steps.front().path;
      const smt::Answer answer = combination_.judge(paths[i], conditions[begin]);
      if (answer.is_unknown()) ++result.unknown;
      if (!answer.is_sat()) continue;
      result.paths.push_back(i);
      first.insert(begin);
    }
    for (std::size_t i = 0; i < combination_.gaps().size(); ++i)
      if (!combination_.judge(combination_.gaps()[i], condition_of_gap(conditions)).is_unsat())
        result.gaps.push_back(i);
    if (result.paths.empty()) return result;
    for (const Metric& metric : metrics_) {
      std::vector<Cost> costs;
      for (const std::size_t i : result.paths)
        costs.push_back({fixed(cost_of(paths[i].costs, metric), ranges), i});
      result.bounds.push_back(bound_of(metric, costs, ranges));
      result.additions.push_back(addition(metric, first, ranges));
    }
    report_unused(one, result.paths);
    result.worst = result.bounds.front().worst_path;
    const ChainPath& worst = paths[*result.worst];
    result.witness = combination_.judge(worst, conditions[worst.steps.front().path]).model;
    return result;
  }

  // A gap's packets can be on any path of the first node.
  smt::Expr condition_of_gap(const std::vector<smt::Expr>& conditions) {
    smt::Expr any = context_.boolean(false);
    for (const smt::Expr condition : conditions) any = context_.or_(any, condition);
    return any;
  }

  // What the class says of PCVs that have one value.
  Formula fixed(const Formula& cost, const Ranges& ranges) {
    std::vector<std::pair<std::string, Formula>> values;
    for (const Formula::Name& name : cost.names())
      if (const Range range = ranges(name.name); range.high == range.low)
        values.emplace_back(name.name, Formula::constant(Rational(range.low)));
    return cost.substitute(values);
  }

  static Bound bound_of(const Metric& metric, const std::vector<Cost>& costs, const Ranges& ranges) {
    std::vector<Formula> formulas;
    std::vector<std::size_t> first;  // path of each formula
    std::set<std::string> known;
    for (const Cost& cost : costs) {
      if (!known.insert(cost.formula.to_string()).second) continue;
      formulas.push_back(cost.formula);
      first.push_back(cost.path);
    }
    // Where none dominates, the one that is highest with PCVs at their highest, or a little above their
    // lowest.
    const Ranges limited = [&](const std::string& name) {
      Range range = ranges(name);
      if (!range.high) range.high = range.low + 1;
      return range;
    };
    std::vector<std::size_t> kept = contract::largest(formulas, ranges);
    std::ranges::stable_sort(kept, std::greater{},
                             [&](std::size_t i) { return contract::most(formulas[i], limited).value_or(0); });
    Bound result{.metric = metric, .most = Rational(0), .worst_path = first[kept.front()]};
    for (const std::size_t i : kept) {
      const std::optional<Rational> limit = contract::most(formulas[i], ranges);
      result.most = limit && result.most ? std::optional(std::max(*limit, *result.most)) : std::nullopt;
      result.formulas.push_back(formulas[i]);
    }
    return result;
  }

  // The dearest way from each node on, of any packet at any node but the first.
  Bound addition(const Metric& metric, const std::set<std::size_t>& first, const Ranges& ranges) {
    const auto& nodes = combination_.nodes();
    std::vector<std::vector<Formula>> from(nodes.size());
    for (std::size_t node = nodes.size(); node-- > 0;) {
      std::vector<Cost> own;
      for (std::size_t i = 0; i < nodes[node]->paths().size(); ++i) {
        const NodePath& path = nodes[node]->paths()[i];
        if (path.ending == NodePath::Ending::Gap || (node == 0 && !first.contains(i))) continue;
        own.push_back({fixed(with_node(cost_of(path.costs, metric), nodes[node]->name()), ranges), i});
      }
      std::vector<Formula> behind;
      for (const Edge& edge : combination_.edges())
        if (edge.from == node) behind.insert(behind.end(), from[edge.to].begin(), from[edge.to].end());
      if (behind.empty()) behind.push_back(Formula::constant(0));
      std::vector<Cost> sums;
      if (own.empty()) own.push_back({Formula::constant(0), 0});
      for (const Formula& one : bound_of(metric, own, ranges).formulas)
        for (const Formula& rest : behind) sums.push_back({Formula::sum(std::array{one, rest}), 0});
      from[node] = bound_of(metric, sums, ranges).formulas;
    }
    std::vector<Cost> all;
    for (const Formula& formula : from.front()) all.push_back({formula, 0});
    return bound_of(metric, all, ranges);
  }

  void report_unused(const InputClass& one, const std::vector<std::size_t>& paths) {
    std::vector<std::string> names;
    for (const std::size_t path : paths)
      for (const MetricCost& cost : combination_.paths()[path].costs)
        for (const Formula::Name& name : cost.cost.names()) names.push_back(name.name);
    for (const auto& [wanted, range] : one.pcvs)
      if (std::ranges::none_of(names, [&](const auto& name) { return contract::is_meant(name, wanted); }))
        diagnostics_.report(contract::diag::kUnusedPcv, one.at, one.name, wanted,
                            did_you_mean(wanted, names));
  }

  Range range_of(const InputClass& one, const std::string& name) const {
    if (const Range* promised = contract::promised(one, name)) return *promised;
    const auto declared = declared_.find(name);
    return declared == declared_.end() ? Range{} : declared->second;
  }

  Combination& combination_;
  smt::Context& context_;
  Diagnostics& diagnostics_;
  std::vector<Metric> metrics_;
  std::map<std::string, Range> declared_;  // of PCVs, by the packs
};

}  // namespace

std::string Bound::to_string() const {
  if (formulas.size() == 1) return formulas.front().to_string();
  std::vector<std::string> texts;
  for (const Formula& formula : formulas) texts.push_back(formula.to_string());
  return fmt::format("max({})", fmt::join(texts, ", "));
}

Result<std::vector<ClassContract>> make_contract(Combination& combination,
                                                 const std::vector<InputClass>& classes,
                                                 Diagnostics& diagnostics) {
  return Maker(combination, diagnostics).make(classes);
}

}  // namespace perfpact::chain
