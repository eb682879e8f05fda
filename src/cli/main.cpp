// perfpact: the command line. Phases are in phases.h, flags in options.h; data goes to stdout, diagnostics to
// stderr.
#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdio>

#include "cli/chain.h"
#include "cli/contract.h"
#include "cli/count_packets.h"
#include "cli/derive.h"
#include "cli/diagnostics.h"
#include "cli/diff.h"
#include "cli/exit_status.h"
#include "cli/measure.h"
#include "cli/native_paths.h"
#include "cli/options.h"
#include "cli/paths.h"
#include "cli/phases.h"
#include "cli/run.h"
#include "cli/run_capture.h"
#include "cli/traffic.h"
#include "markov/chain.h"
#include "markov/prism_explicit.h"
#include "p4/ir/to_llvm.h"
#include "report/json.h"
#include "report/text.h"

namespace perfpact::cli {
namespace {

// Gives the exit status.
int predict(const Options& options, const Priced& priced, const Diagnostics& diagnostics) {
  const report::PredictionView view{options.program,    priced.workload, priced.cases,
                                    priced.predictions, *priced.tables,  diagnostics.sources()};
  if (options.json) {
    fmt::print("{}", report::to_json(
                         view, options.exact ? report::JsonNumbers::Fraction : report::JsonNumbers::Decimal));
  } else {
    fmt::print("{}", report::to_text(view, {.explain = options.explain}));
  }
  return std::ranges::any_of(priced.cases.gaps(priced.workload), &workload::WeightedGap::matters) ? kExitGaps
                                                                                                  : kExitOk;
}

Result<void> export_model(const Options& options, const Priced& priced, Diagnostics& diagnostics) {
  for (const workload::WeightedGap& gap : priced.cases.gaps(priced.workload))
    if (gap.matters())
      diagnostics.report(diag::kExportGap, gap.gap.at, to_fraction(gap.probability.high), gap.gap.reason);
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  const auto chain = markov::Chain::build(priced.cases, priced.workload, priced.predictions);
  const std::string title = fmt::format("{}, {}", options.program, options.workload);
  return markov::export_prism_explicit(chain, title, options.output_directory, diagnostics);
}

void export_llvm(const p4::core::Program& program, const SourceManager& sources) {
  llvm::LLVMContext context;
  std::string text;
  llvm::raw_string_ostream stream(text);
  p4::ir::to_llvm(program, sources, context).module->print(stream, nullptr);
  fmt::print("{}", text);
}

// Gives the exit status.
Result<int> run(const Options& options, Diagnostics& diagnostics) {
  if (options.command == Command::Traffic) return make_traffic(options, diagnostics);
  if (options.command == Command::Paths && is_native(options)) return find_native_paths(options, diagnostics);
  if (options.command == Command::MeasureMemory) return measure_memory(options, diagnostics);
  if (options.command == Command::Derive) return derive_pack(options, diagnostics);
  if (options.command == Command::Contract) return make_contract(options, diagnostics);
  if (options.command == Command::Chain) return find_chain_contract(options, diagnostics);
  if (options.command == Command::Diff) return find_differences(options, diagnostics);
  if (options.command == Command::Count) return count_packets(options, diagnostics);
  auto program = load(options, diagnostics);
  if (!program) return std::unexpected(program.error());
  if (*program == nullptr || options.command == Command::Check) return kExitOk;
  if (options.command == Command::Run)
    return options.pcap.empty() ? run_stf(**program, options, diagnostics)
                                : run_capture(**program, options, diagnostics);
  if (options.command == Command::Paths) return find_paths(**program, options, diagnostics);
  if (options.command == Command::Export && options.format == kLlvm) {
    export_llvm(**program, diagnostics.sources());
    return kExitOk;
  }
  auto priced = price(std::move(*program), options, diagnostics);
  if (!priced) return std::unexpected(priced.error());
  if (options.command == Command::Predict) return predict(options, **priced, diagnostics);
  if (auto done = export_model(options, **priced, diagnostics); !done) return std::unexpected(done.error());
  return kExitOk;
}

}  // namespace
}  // namespace perfpact::cli

int main(int argc, char** argv) {
  using namespace perfpact;
  auto parsed = cli::parse_command_line(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const Result<int> status = cli::run(std::get<cli::Options>(parsed), diagnostics);
  fmt::print(stderr, "{}", diagnostics.render());
  if (!status) return cli::kExitBadInput;
  if (std::fflush(stdout) != 0) {
    fmt::print(stderr, "perfpact: cannot write the output\n");
    return cli::kExitBadInput;
  }
  return *status;
}
