#include "chain/p4_node.h"

#include <filesystem>

#include "base/check.h"
#include "chain/diagnostics.h"
#include "cost/cost_model.h"
#include "explore/p4/explorer.h"
#include "explore/p4/state.h"
#include "p4/core/lower.h"
#include "p4/syntax/parser.h"

namespace perfpact::chain {
namespace {

using explore::State;

Result<std::unique_ptr<p4::core::Program>> load(const NodeSpec& spec, Diagnostics& diagnostics) {
  auto ast = p4::parse_program(spec.program, {}, diagnostics);
  if (!ast) return std::unexpected(ast.error());
  const auto typed = p4::check(std::shared_ptr<const p4::ast::Ast>(std::move(*ast)), diagnostics);
  if (!typed) return std::unexpected(typed.error());
  return p4::lower(**typed, std::filesystem::path(spec.program).filename().string(), diagnostics);
}

// Why what leaves is not known, or which way leads there; empty where both are.
std::string unsupported(const State& state) {
  if (!state.hashes.empty()) return "not supported yet: hashes in a chain";
  if (!state.installed.empty()) return "not supported yet: large tables that are installed, in a chain";
  if (state.outcome.truncates) return "not supported yet: truncated packets in a chain";
  return "";
}

class P4Node : public Node {
 public:
  P4Node(const NodeSpec& spec, std::unique_ptr<p4::core::Program> program, cost::CostModel model,
         const SourceManager& sources)
      : Node(spec),
        program_(std::move(program)),
        model_(std::move(model)),
        lowered_(p4::ir::to_llvm(*program_, sources, llvm_)) {}

  Result<void> explore(const NodeSpec& spec, const ExploreLimits& limits, Diagnostics& diagnostics) {
    if (!spec.tables.empty()) {
      tables_.emplace(program_->tables);
      for (const std::string& file : spec.tables) tables::read_tables(file, *tables_, diagnostics);
      tables_->finish(diagnostics);
      if (!diagnostics.has_errors() && tables_->has_pending()) tables_->materialize(diagnostics);
      if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
      options_.tables = &*tables_;
    }
    for (const std::string& scenario : model_.scenarios()) {
      const bool is_only = model_.scenarios().size() == 1;
      metrics_.push_back(
          {is_only ? model_.metric() : fmt::format("{}[{}]", model_.metric(), scenario), model_.unit()});
    }
    if (spec.packet_length) std::tie(options_.shortest, options_.longest) = *spec.packet_length;
    options_.keeps_states = true;
    options_.limits.paths = limits.paths;
    options_.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(limits.seconds * 1000));
    options_.solver = limits.solver;
    explorer_ = std::make_unique<explore::Explorer>(*program_, lowered_, options_);
    std::vector<NodePath> gaps;
    explorer_->run([&](const explore::Path& path) { add(path, gaps, diagnostics); });
    if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
    for (const explore::Gap& gap : explorer_->gaps())
      gaps.push_back({.ending = NodePath::Ending::Gap,
                      .what = gap.at.empty() ? gap.reason : fmt::format("{}, {}", gap.reason, gap.at),
                      .condition = gap.condition.to_vector()});
    std::ranges::move(gaps, std::back_inserter(paths_));
    return {};
  }

  smt::Context& context() override { return explorer_->context(); }
  smt::Expr byte(std::uint32_t i) override { return explorer_->byte(i); }
  smt::Expr length() override { return explorer_->length(); }
  smt::Expr port() override { return explorer_->port(); }
  smt::Expr now_ns() override { return {}; }
  std::uint32_t longest() const override { return options_.longest; }

  smt::Expr byte_behind(std::size_t path, std::uint32_t i) override {
    return explorer_->byte_behind(*states_[path], i);
  }
  smt::Expr length_behind(std::size_t path) override { return explorer_->length_behind(*states_[path]); }
  const std::vector<explore::Read>& reads(std::size_t /*path*/) const override {
    static const std::vector<explore::Read> none;
    return none;
  }
  Result<smt::Expr> where(std::size_t /*path*/, const formula::Formula& condition,
                          Diagnostics& diagnostics) override {
    return std::unexpected(diagnostics.report(diag::kWhere, condition.span(), name()));
  }
  Passage passage(std::size_t path, const std::shared_ptr<const smt::Model>& model) override {
    const explore::Witness witness = explorer_->witness(*states_[path], model);
    return {witness.packet.port, std::nullopt, witness.packet.bytes, program::to_string(witness.verdict)};
  }
  Measured run(std::size_t path, const std::shared_ptr<const smt::Model>& model) override;

 private:
  void add(const explore::Path& path, std::vector<NodePath>& gaps, Diagnostics& diagnostics);
  [[nodiscard]] std::optional<std::vector<MetricCost>> costs_of(const State& state, Diagnostics& diagnostics);
  /// The event with those of its numbers that the path tells, and names for the others.
  [[nodiscard]] std::pair<program::Event, cost::CostModel::NumberNames> event_of(
      const explore::Event& event, std::map<std::string, int>& named) const;

  std::unique_ptr<p4::core::Program> program_;
  cost::CostModel model_;
  llvm::LLVMContext llvm_;
  p4::ir::Lowered lowered_;
  std::optional<tables::TableSet> tables_;
  explore::Options options_;
  std::unique_ptr<explore::Explorer> explorer_;
  std::vector<std::shared_ptr<const State>> states_;  // as paths_, which has gaps behind them
};

void P4Node::add(const explore::Path& path, std::vector<NodePath>& gaps, Diagnostics& diagnostics) {
  NodePath one{.id = path.id,
               .what = program::to_string(path.witness.verdict),
               .condition = path.condition.to_vector()};
  std::string reason = unsupported(*path.state);
  auto costs = costs_of(*path.state, diagnostics);
  if (reason.empty() && !costs)
    reason = "not supported yet: which row of the cost model counts depends on tables";
  if (!reason.empty()) {
    one.ending = NodePath::Ending::Gap;
    one.what = std::move(reason);
    gaps.push_back(std::move(one));
    return;
  }
  const bool has_copies = path.state->outcome.sent > 1 ||
                          std::ranges::any_of(path.passes, [](const auto& pass) { return pass.is_copy; });
  if (has_copies)
    one.ending = NodePath::Ending::Flood;
  else if (path.state->outcome.sent == 1) {
    one.ending = NodePath::Ending::Sent;
    one.port = path.port;
  }
  one.costs = std::move(*costs);
  paths_.push_back(std::move(one));
  states_.push_back(path.state);
}

// `ingress.fib.visited`, `ingress.fib#2.visited` for the second time on a path.
std::pair<program::Event, cost::CostModel::NumberNames> P4Node::event_of(
    const explore::Event& event, std::map<std::string, int>& named) const {
  program::Event known{.site = &program_->sites[event.site]};
  cost::CostModel::NumberNames names;
  const auto& schema = program::schema(known.kind());
  std::string label(known.site->texts[0].empty() ? schema.name : known.site->texts[0]);
  if (const int times = ++named[label]; times > 1) label += fmt::format("#{}", times);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!event.numbers[i]) continue;
    if (event.numbers[i].is_constant())
      known.numbers[i] = static_cast<std::int64_t>(event.numbers[i].value().word());
    else
      names[i] = fmt::format("{}.{}", label, schema.numbers[i]);
  }
  return {known, names};
}

std::optional<std::vector<MetricCost>> P4Node::costs_of(const State& state, Diagnostics& diagnostics) {
  std::vector<std::vector<formula::Formula>> terms(metrics_.size());
  std::map<std::string, int> named;
  for (const explore::Event& event : state.events) {
    const auto [known, names] = event_of(event, named);
    auto prices = model_.formulas(known, names, diagnostics);
    if (!prices || !*prices) return std::nullopt;
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].push_back((**prices)[i]);
  }
  std::vector<MetricCost> costs;
  for (std::size_t i = 0; i < terms.size(); ++i)
    costs.push_back(
        {metrics_[i], terms[i].empty() ? formula::Formula::constant(0) : formula::Formula::sum(terms[i])});
  return costs;
}

Measured P4Node::run(std::size_t path, const std::shared_ptr<const smt::Model>& model) {
  const State& state = *states_[path];
  const explore::Witness witness = explorer_->witness(state, model);
  const program::Trace trace = explore::replay(*program_, witness, options_.tables, options_.limits.passes);
  PERFPACT_CHECK(trace.path == paths_[path].id && trace.verdict == witness.verdict &&
                     trace.events.size() == state.events.size(),
                 "node {}, path {}, {}: its witness takes path {}, {}", name(),
                 program::to_string(paths_[path].id), program::to_string(witness.verdict),
                 program::to_string(trace.path), program::to_string(trace.verdict));
  SourceManager sources;
  Diagnostics diagnostics(sources);
  std::map<std::string, Rational> pcvs;
  std::map<std::string, int> named;
  Measured result;
  for (const Metric& metric : metrics_) result.costs.emplace_back(metric, 0);
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const auto [known, names] = event_of(state.events[i], named);
    for (std::size_t j = 0; j < names.size(); ++j)
      if (!names[j].empty()) pcvs[names[j]] = Rational(trace.events[i].numbers[j]);
    const auto price = model_.price(trace.events[i], diagnostics);
    PERFPACT_CHECK(price, "an event that had a price has none: {}", program::describe(trace.events[i]));
    for (std::size_t k = 0; k < result.costs.size(); ++k) result.costs[k].second += price->costs[k];
  }
  for (std::size_t k = 0; k < result.costs.size(); ++k) {
    const auto predicted = paths_[path].costs[k].cost.evaluate(
        [&](std::string_view name) -> std::optional<Rational> {
          const auto found = pcvs.find(std::string(name));
          return found == pcvs.end() ? std::nullopt : std::optional(found->second);
        },
        diagnostics);
    PERFPACT_CHECK(predicted && *predicted == result.costs[k].second,
                   "node {}, path {}: predicted {}, but the interpreter's events cost {}", name(),
                   program::to_string(paths_[path].id), predicted ? to_decimal(*predicted) : "nothing",
                   to_decimal(result.costs[k].second));
  }
  if (paths_[path].ending == NodePath::Ending::Sent) result.sent = trace.outputs.front().bytes;
  return result;
}

}  // namespace

Result<std::unique_ptr<Node>> make_p4_node(const NodeSpec& spec, const ExploreLimits& limits,
                                           Diagnostics& diagnostics) {
  for (const auto& [key, at] : spec.native_keys) diagnostics.report(diag::kWrongKey, at, key, "native");
  if (spec.cost_model.empty()) diagnostics.report(diag::kNoCost, spec.at, spec.name);
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  auto program = load(spec, diagnostics);
  if (!program) return std::unexpected(program.error());
  auto model = cost::CostModel::load(spec.cost_model, diagnostics);
  if (!model) return std::unexpected(model.error());
  auto node = std::make_unique<P4Node>(spec, std::move(*program), std::move(*model), diagnostics.sources());
  if (auto explored = node->explore(spec, limits, diagnostics); !explored)
    return std::unexpected(explored.error());
  return node;
}

}  // namespace perfpact::chain
