#include "chain/native_node.h"

#include "chain/diagnostics.h"
#include "contract/where.h"
#include "derive/check.h"
#include "explore/native/path_cost.h"
#include "explore/native/replay.h"

namespace perfpact::chain {
namespace {

using explore::NativePath;

Result<explore::NativeOptions> native_options(const NodeSpec& spec, const ExploreLimits& limits,
                                              Diagnostics& diagnostics) {
  explore::NativeOptions result;
  result.entry = explore::Entry::raw(spec.entry);
  if (!spec.entry_file.empty()) {
    auto entry = explore::Entry::load(spec.entry_file, diagnostics);
    if (!entry) return std::unexpected(entry.error());
    result.entry = std::move(*entry);
  }
  if (result.entry.preset == explore::Entry::Preset::Mbuf)
    return std::unexpected(diagnostics.report(diag::kPreset, spec.at, spec.name));
  if (spec.packet_length) std::tie(result.entry.shortest, result.entry.longest) = *spec.packet_length;
  for (const std::string& file : spec.packs) {
    auto pack = library::Pack::load(file, diagnostics);
    if (!pack) return std::unexpected(pack.error());
    result.packs.push_back(std::move(*pack));
  }
  result.packs.push_back(library::Pack::c_library(diagnostics));
  result.keeps_memory = true;
  result.limits.paths = limits.paths;
  result.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(limits.seconds * 1000));
  result.solver = limits.solver;
  return result;
}

class NativeNode : public Node {
 public:
  NativeNode(const NodeSpec& spec, explore::NativeOptions options, process::Process process)
      : Node(spec),
        options_(std::move(options)),
        process_(std::move(process)),
        explorer_(process_, options_) {}

  void explore(Diagnostics& diagnostics) {
    for (const std::string_view metric : library::kMetrics)
      metrics_.push_back({std::string(metric), std::string(metric)});
    explorer_.run([&](const NativePath& path) { add(path); });
    for (const explore::NativeGap& gap : explorer_.gaps())
      paths_.push_back({.ending = NodePath::Ending::Gap,
                        .what = gap.at.empty() ? gap.reason : fmt::format("{}, {}", gap.reason, gap.at),
                        .condition = gap.condition.to_vector()});
    explorer_.report_assumptions(diagnostics);
    explorer_.report_methods(diagnostics);
  }

  smt::Context& context() override { return explorer_.context(); }
  smt::Expr byte(std::uint32_t i) override { return explorer_.byte(i); }
  smt::Expr length() override { return explorer_.length(); }
  smt::Expr port() override { return explorer_.port(); }
  smt::Expr now_ns() override { return explorer_.now_ns(); }
  std::uint32_t longest() const override { return explorer_.longest(); }

  smt::Expr byte_behind(std::size_t path, std::uint32_t i) override {
    return i < longest() ? explorer_.byte_behind(found_[path], i) : context().zero(8);
  }
  smt::Expr length_behind(std::size_t /*path*/) override { return explorer_.length(); }
  const std::vector<explore::Read>& reads(std::size_t path) const override {
    static const std::vector<explore::Read> none;
    return path < found_.size() ? found_[path].reads : none;
  }
  Result<smt::Expr> where(std::size_t path, const formula::Formula& condition,
                          Diagnostics& diagnostics) override {
    return contract::where(context(), condition, explorer_, found_[path], calls_, diagnostics);
  }
  Passage passage(std::size_t path, const std::shared_ptr<const smt::Model>& model) override {
    const explore::NativeWitness witness = explorer_.with_witness(found_[path], model).witness;
    return {witness.port, witness.now_ns, witness.packet, to_string(witness.verdict)};
  }
  Measured run(std::size_t path, const std::shared_ptr<const smt::Model>& model) override {
    const NativePath shown = explorer_.with_witness(found_[path], model);
    explore::verify(process_, explorer_, shown);
    Measured result;
    for (const Metric& metric : metrics_)
      result.costs.emplace_back(metric, Rational(explore::own_cost(shown, metric.name)));
    return result;
  }

 private:
  void add(const NativePath& path) {
    NodePath one{
        .id = path.id, .what = to_string(path.witness.verdict), .condition = path.condition.to_vector()};
    if (!path.witness.verdict.error) {
      if (path.witness.verdict.meaning == explore::Entry::Meaning::Flood)
        one.ending = NodePath::Ending::Flood;
      if (path.witness.verdict.meaning == explore::Entry::Meaning::Sent) {
        one.ending = NodePath::Ending::Sent;
        one.port = path.port;
      }
    }
    for (const Metric& metric : metrics_) one.costs.push_back({metric, explore::cost_of(path, metric.name)});
    for (const explore::NativeCall& call : path.calls) {
      calls_.emplace(call.label, call.method);
      for (const library::Pcv& pcv : call.outcome->pcvs)
        pcvs_.emplace(fmt::format("{}.{}", call.label, pcv.name), contract::Range{pcv.low, pcv.high});
    }
    paths_.push_back(std::move(one));
    found_.push_back(path);
  }

  explore::NativeOptions options_;
  process::Process process_;
  explore::NativeExplorer explorer_;
  std::vector<NativePath> found_;                        // as paths_, which has gaps behind them
  std::map<std::string, const library::Method*> calls_;  // by label
};

}  // namespace

Result<std::unique_ptr<Node>> make_native_node(const NodeSpec& spec, const ExploreLimits& limits,
                                               Diagnostics& diagnostics) {
  for (const auto& [key, at] : spec.p4_keys) diagnostics.report(diag::kWrongKey, at, key, "P4");
  if (spec.entry.empty() == spec.entry_file.empty()) diagnostics.report(diag::kEntry, spec.at, spec.name);
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  auto options = native_options(spec, limits, diagnostics);
  if (!options) return std::unexpected(options.error());
  auto process = process::Process::start(
      {.program = spec.program, .arguments = spec.arguments, .entry = options->entry.function}, diagnostics);
  if (!process) return std::unexpected(process.error());
  for (const library::Pack& pack : options->packs)
    if (auto fits = derive::check_pack(*process, pack, diagnostics); !fits)
      return std::unexpected(fits.error());
  auto node = std::make_unique<NativeNode>(spec, std::move(*options), std::move(*process));
  node->explore(diagnostics);
  return node;
}

}  // namespace perfpact::chain
