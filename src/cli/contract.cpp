#include "cli/contract.h"

#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/native_paths.h"
#include "contract/contract.h"
#include "contract/diagnostics.h"
#include "report/contract.h"

namespace perfpact::cli {
namespace {

Result<contract::ContractOptions> contract_options(const Options& options, Diagnostics& diagnostics) {
  contract::ContractOptions result;
  if (!options.classes.empty()) {
    auto classes = contract::load_classes(options.classes, diagnostics);
    if (!classes) return std::unexpected(classes.error());
    result.classes = std::move(*classes);
  }
  for (const std::string& binding : options.bindings) {
    const std::size_t equals = binding.find('=');
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : parse_rational(std::string_view(binding).substr(equals + 1));
    if (!value || equals == 0)
      return std::unexpected(diagnostics.report(contract::diag::kBinding, {}, binding));
    result.bindings.emplace_back(binding.substr(0, equals), *value);
  }
  return result;
}

bool is_incomplete(const contract::Contract& contract) {
  return std::ranges::any_of(contract.classes, [](const auto& one) { return one.unknown > 0; });
}

}  // namespace

Result<Made> contract_of(const Options& options, Diagnostics& diagnostics) {
  auto how = contract_options(options, diagnostics);
  if (!how) return std::unexpected(how.error());
  Made made;
  const auto done = explore_native(options, diagnostics, [&](const FoundPaths& found) -> Result<void> {
    how->metrics = found.cycles;
    const auto contract = contract::make_contract(found.explorer, found.paths, *how, diagnostics);
    if (!contract) return std::unexpected(contract.error());
    const report::ContractView view{options.program, found.how.entry.function, *contract,
                                    found.paths,     found.explorer,           found.machine};
    made = {options.json ? report::to_json(view) : report::to_text(view),
            !found.explorer.gaps().empty() || is_incomplete(*contract)};
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return made;
}

Result<int> make_contract(const Options& options, Diagnostics& diagnostics) {
  const auto made = contract_of(options, diagnostics);
  if (!made) return std::unexpected(made.error());
  fmt::print("{}", made->text);
  return made->has_gaps ? kExitGaps : kExitOk;
}

}  // namespace perfpact::cli
