#include "cli/derive.h"

#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/path_files.h"
#include "derive/binary.h"
#include "derive/pack_text.h"
#include "derive/runs.h"
#include "report/derived_costs.h"

namespace perfpact::cli {
namespace {

Result<void> hold_to_runs(std::vector<derive::DerivedMethod>& derived, const Options& options,
                          Diagnostics& diagnostics) {
  if (options.entry.empty() && options.arguments.empty()) return {};
  const std::string entry = options.entry.empty() ? "main" : options.entry;
  return derive::hold_to_runs(
      derived,
      {.launch = {.program = options.program, .arguments = options.arguments, .entry = entry},
       .entry = explore::Entry::raw(entry),
       .engine = options.count_engine},
      diagnostics);
}

}  // namespace

Result<int> derive_pack(const Options& options, Diagnostics& diagnostics) {
  const auto methods = library::Pack::load_methods(options.methods, diagnostics);
  if (!methods) return std::unexpected(methods.error());
  const auto process = process::Process::start({.program = options.program,
                                                .arguments = options.arguments,
                                                .entry = derive::start_of(options.program)},
                                               diagnostics);
  if (!process) return std::unexpected(process.error());
  std::optional<timing::Cpu> cpu;
  if (!options.cpu.empty()) {
    auto found = timing::Cpu::find(options.cpu, diagnostics);
    if (!found) return std::unexpected(found.error());
    cpu = std::move(*found);
  }
  const derive::Code code(*process, methods->methods, diagnostics, cpu ? &*cpu : nullptr);
  auto derived = derive::derive(code, *methods, diagnostics);
  if (!derived) return std::unexpected(derived.error());
  if (auto held = hold_to_runs(*derived, options, diagnostics); !held) return std::unexpected(held.error());
  derive::Binary binary = derive::binary_of(*process, *derived);
  if (cpu) binary.latency_cpu = cpu->name();
  const std::string pack = derive::to_pack(*methods, *derived, binary);
  if (auto written = write_text(pack, options.output, diagnostics); !written)
    return std::unexpected(written.error());
  fmt::print("{}", report::to_text(*derived));
  return kExitOk;
}

}  // namespace perfpact::cli
