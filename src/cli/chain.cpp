#include "cli/chain.h"

#include <fmt/format.h>

#include "chain/contract.h"
#include "cli/exit_status.h"
#include "report/chain.h"

namespace perfpact::cli {
namespace {

void verify_all(report::ChainView& view) {
  for (const chain::ChainPath& path : view.combination.paths())
    (void)chain::verify(view.combination, path, path.model);
  view.verified = view.combination.paths().size();
  for (const chain::ClassContract& one : view.classes)
    view.measured.push_back(
        one.worst ? chain::verify(view.combination, view.combination.paths()[*one.worst], one.witness)
                  : report::ChainView::Measured());
}

}  // namespace

Result<int> find_chain_contract(const Options& options, Diagnostics& diagnostics) {
  const auto file = chain::ChainFile::load(options.program, diagnostics);
  if (!file) return std::unexpected(file.error());
  std::vector<contract::InputClass> classes;
  if (!options.classes.empty()) {
    auto loaded = contract::load_classes(options.classes, diagnostics);
    if (!loaded) return std::unexpected(loaded.error());
    classes = std::move(*loaded);
  }
  smt::Options solver;
  solver.save_directory = options.save_queries;
  const auto nodes = chain::make_nodes(
      *file, {.paths = options.max_paths, .seconds = options.time_limit, .solver = solver}, diagnostics);
  if (!nodes) return std::unexpected(nodes.error());
  chain::Combination combination(file->edges, *nodes, {.paths = options.max_paths, .solver = solver});
  combination.run();
  const auto contract = chain::make_contract(combination, classes, diagnostics);
  if (!contract) return std::unexpected(contract.error());
  report::ChainView view{options.program, *file, combination, *contract, {}};
  if (options.verify) verify_all(view);
  fmt::print("{}", options.json ? report::to_json(view) : report::to_text(view));
  const bool has_unknown =
      std::ranges::any_of(*contract, [](const chain::ClassContract& one) { return one.unknown > 0; });
  return combination.gaps().empty() && !has_unknown ? kExitOk : kExitGaps;
}

}  // namespace perfpact::cli
