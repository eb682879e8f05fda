#include "chain/combine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "smt/derived.h"

namespace perfpact::chain {
namespace {

constexpr std::uint32_t kPortBits = 64;

void add(std::vector<MetricCost>& costs, const MetricCost& more, const std::string& node) {
  const formula::Formula cost = with_node(more.cost, node);
  const auto same = std::ranges::find(costs, more.metric, &MetricCost::metric);
  if (same == costs.end())
    costs.push_back({more.metric, cost});
  else
    same->cost = formula::Formula::sum(std::array{same->cost, cost});
}

// Conditions that all paths of a node begin with: what is demanded of its packets before it runs.
std::span<const smt::Expr> premise(const std::vector<NodePath>& paths) {
  if (paths.empty()) return {};
  std::span<const smt::Expr> common = paths.front().condition;
  for (const NodePath& path : paths) {
    const auto end = std::ranges::mismatch(common, path.condition).in1;
    common = common.first(static_cast<std::size_t>(end - common.begin()));
  }
  return common;
}

}  // namespace

formula::Formula with_node(const formula::Formula& cost, const std::string& node) {
  std::vector<std::pair<std::string, formula::Formula>> names;
  for (const formula::Formula::Name& name : cost.names())
    names.emplace_back(name.name, formula::Formula::name(fmt::format("{}.{}", node, name.name)));
  return cost.substitute(names);
}

/// Conditions of paths in the order of their decisions: what two neighbours have in common is asked once.
class Combination::Branch {
 public:
  Branch(Combination& combination, Translation& translation, const smt::Constraints& before)
      : combination_(combination), translation_(translation), lists_{before} {}

  /// With the conditions; nothing where they cannot hold.
  std::optional<smt::Constraints> demand(const std::vector<smt::Expr>& conditions) {
    const auto end = std::ranges::mismatch(conditions, asked_).in1;
    auto common = static_cast<std::size_t>(end - conditions.begin());
    if (is_dead_ && common == asked_.size()) return std::nullopt;
    is_dead_ = false;
    asked_.resize(common);
    lists_.resize(common + 1);
    for (; common < conditions.size(); ++common) {
      const smt::Expr taken = translation_(conditions[common]);
      asked_.push_back(conditions[common]);
      is_dead_ = combination_.solver_.check(lists_.back(), taken).is_unsat();
      if (is_dead_) return std::nullopt;
      lists_.push_back(lists_.back().with(combination_.context_, taken));
    }
    return lists_.back();
  }

 private:
  Combination& combination_;
  Translation& translation_;
  std::vector<smt::Expr> asked_;
  std::vector<smt::Constraints> lists_;  // before the first one that was asked, behind it, ...
  bool is_dead_ = false;                 // by the last one that was asked
};

Combination::Combination(const std::vector<Edge>& edges, const std::vector<std::unique_ptr<Node>>& nodes,
                         const CombineOptions& options)
    : edges_(edges), nodes_(nodes), options_(options), solver_(context_, options.solver) {
  Node& node = *nodes_.front();
  const auto same = [&](smt::Expr symbol) { return context_.symbol(symbol.name(), symbol.width()); };
  input_ = {[this](std::uint32_t i) { return context_.symbol(fmt::format("packet[{}]", i), 8); },
            same(node.length()), same(node.port()), node.now_ns() ? same(node.now_ns()) : smt::Expr()};
  first_ = std::make_shared<Translation>(context_, node, input_);
}

void Combination::run() {
  extend({}, first_, 0);
}

void Combination::extend(const Way& way, const std::shared_ptr<Translation>& translation, std::size_t node) {
  if (!way.steps.empty()) note_uncovered(way, *translation);
  Branch branch(*this, *translation, way.condition);
  const std::vector<NodePath>& paths = nodes_[node]->paths();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths_.size() >= options_.paths)
      return note_gap(way, fmt::format("more than {} paths", options_.paths));
    Way next = way;
    next.steps.push_back({translation, node, i});
    if (const auto condition = branch.demand(paths[i].condition)) {
      next.condition = *condition;
      take(std::move(next), paths[i]);
    } else {
      ++dropped_;
    }
  }
}

// A node is explored for packets of some lengths, on some ports; what else comes to it is a gap.
void Combination::note_uncovered(const Way& way, Translation& translation) {
  smt::Expr covered = context_.boolean(true);
  for (const smt::Expr condition : premise(translation.node().paths()))
    if (translation.speaks_of_input(condition)) covered = context_.and_(covered, translation(condition));
  Way outside = way;
  outside.condition = way.condition.with(context_, context_.not_(covered));
  int tries = options_.tries;
  if (!check(outside.condition, outside.loads, tries).is_unsat())
    gaps_.push_back({"packets that are handed on, of lengths or by ports that the node is not explored for",
                     translation.node().name(), outside.condition});
}

void Combination::take(Way way, const NodePath& path) {
  const ChainStep& step = way.steps.back();
  Node& node = *nodes_[step.node];
  way.hasher.decide(static_cast<std::uint32_t>(step.node), static_cast<std::uint64_t>(path.id));
  if (path.ending == NodePath::Ending::Gap) return note_gap(way, path.what);
  for (const explore::Read& read : node.reads(step.path)) {
    const auto held = [this, read, translation = step.translation](std::uint64_t address) {
      return (*translation)(read.memory.load(translation->node().context(), address, read.bytes));
    };
    way.loads.push_back({(*step.translation)(read.address), (*step.translation)(read.value), held});
  }
  for (const MetricCost& cost : path.costs) add(way.costs, cost, node.name());
  if (!is_taken(way)) return;
  const bool has_edge = std::ranges::find(edges_, step.node, &Edge::from) != edges_.end();
  if (path.ending == NodePath::Ending::Flood && has_edge)
    return note_gap(way, fmt::format("not supported yet: copies of a packet in a chain ({})", path.what));
  if (path.ending == NodePath::Ending::Sent) return send(way, path);
  finish(std::move(way));
}

void Combination::send(const Way& way, const NodePath& path) {
  const ChainStep& step = way.steps.back();
  const smt::Expr port = smt::resize(context_, (*step.translation)(path.port), kPortBits);
  Way leaves = way;
  for (const Edge& edge : edges_) {
    if (edge.from != step.node) continue;
    const smt::Expr is_it = context_.eq(port, context_.constant(kPortBits, edge.port));
    Way joined = way;
    joined.condition = way.condition.with(context_, is_it);
    leaves.condition = leaves.condition.with(context_, context_.not_(is_it));
    if (is_taken(joined)) hand_on(std::move(joined), edge);
  }
  if (is_taken(leaves)) finish(std::move(leaves));
}

void Combination::hand_on(Way way, const Edge& edge) {
  const ChainStep& from = way.steps.back();
  Node& node = *nodes_[edge.to];
  const auto byte = [translation = from.translation, path = from.path](std::uint32_t i) {
    return (*translation)(translation->node().byte_behind(path, i));
  };
  Input input{byte, (*from.translation)(nodes_[from.node]->length_behind(from.path)),
              context_.constant(kPortBits, edge.to_port), from.translation->input().now_ns};
  if (node.now_ns()) {
    const smt::Expr now = context_.symbol(fmt::format("{}.now_ns", node.name()), node.now_ns().width());
    if (input.now_ns) way.condition = way.condition.with(context_, context_.ule(input.now_ns, now));
    input.now_ns = now;
  }
  extend(way, std::make_shared<Translation>(context_, node, std::move(input)), edge.to);
}

// A gap where that is not known.
bool Combination::is_taken(const Way& way) {
  int tries = options_.tries;
  const smt::Answer answer = check(way.condition, way.loads, tries);
  if (answer.is_unknown()) note_gap(way, fmt::format("the solver does not know ({})", answer.reason));
  if (answer.is_unsat()) ++dropped_;
  return answer.is_sat();
}

void Combination::finish(Way way) {
  int tries = options_.tries;
  const smt::Answer answer = check(way.condition, way.loads, tries);
  PERFPACT_CHECK(answer.is_sat(), "a path of a chain that a packet was found for has none any more");
  way.model = answer.model;
  paths_.push_back(std::move(way));
}

void Combination::note_gap(const Way& way, const std::string& reason) {
  gaps_.push_back({reason, way.steps.empty() ? "" : nodes_[way.steps.back().node]->name(), way.condition});
}

smt::Answer Combination::judge(const ChainPath& path, smt::Expr condition) {
  int tries = options_.tries;
  return check(path.condition.with(context_, condition), path.loads, tries);
}

smt::Answer Combination::judge(const ChainGap& gap, smt::Expr condition) {
  return solver_.check(gap.condition, condition);
}

// As explore/native/machine_reads.cpp: where a model's value of a load is not what memory holds at the
// model's address, the address is fixed with what it holds; where that cannot be, it is excluded.
smt::Answer Combination::check(smt::Constraints constraints, const std::vector<Load>& loads, int& tries) {
  smt::Answer answer = solver_.check(constraints, context_.boolean(true));
  while (answer.is_sat()) {
    smt::Evaluation evaluation(answer.model);
    const auto wrong = std::ranges::find_if(loads, [&](const Load& load) {
      return evaluation.value(load.held(evaluation.value(load.address).word())) !=
             evaluation.value(load.value);
    });
    if (wrong == loads.end()) return answer;
    if (auto model = mended(constraints, loads, *answer.model)) return {smt::Verdict::Sat, std::move(model)};
    if (--tries < 0) return {.verdict = smt::Verdict::Unknown, .reason = "too many addresses of a load"};
    const std::uint64_t address = evaluation.value(wrong->address).word();
    const smt::Expr is_there =
        context_.eq(wrong->address, context_.constant(wrong->address.width(), address));
    const smt::Expr is_held = context_.eq(wrong->value, wrong->held(address));
    smt::Answer fixed = check(constraints.with(context_, is_there).with(context_, is_held), loads, tries);
    if (!fixed.is_unsat()) return fixed;
    constraints = constraints.with(context_, context_.not_(is_there));
    answer = solver_.check(constraints, context_.boolean(true));
  }
  return answer;
}

// Mostly nothing depends on the values that are wrong. Null where something does.
std::shared_ptr<smt::Model> Combination::mended(const smt::Constraints& constraints,
                                                const std::vector<Load>& loads, const smt::Model& model) {
  auto result = std::make_shared<smt::Model>(model);
  for (const Load& load : loads) {
    smt::Evaluation evaluation(std::make_shared<smt::Model>(*result));
    result->set(load.value, evaluation.value(load.held(evaluation.value(load.address).word())));
  }
  smt::Evaluation evaluation(result);
  const bool holds = std::ranges::all_of(constraints.to_vector(),
                                         [&](smt::Expr condition) { return evaluation.holds(condition); });
  return holds ? result : nullptr;
}

}  // namespace perfpact::chain
