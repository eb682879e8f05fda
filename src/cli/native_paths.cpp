#include "cli/native_paths.h"

#include <fmt/format.h>

#include <fstream>

#include "cli/cycles.h"
#include "cli/exit_status.h"
#include "cli/path_files.h"
#include "derive/check.h"
#include "explore/native/replay.h"
#include "report/native_paths.h"
#include "report/paths.h"

namespace perfpact::cli {
namespace {

Result<explore::NativeOptions> native_options(const Options& options, Diagnostics& diagnostics) {
  explore::NativeOptions result;
  auto entry = read_entry(options, diagnostics);
  if (!entry) return std::unexpected(entry.error());
  result.entry = std::move(*entry);
  auto packs = read_packs(options, diagnostics);
  if (!packs) return std::unexpected(packs.error());
  result.packs = std::move(*packs);
  if (options.cuts_c_library) result.packs.push_back(library::Pack::c_library(diagnostics));
  if (options.packet_length) std::tie(result.entry.shortest, result.entry.longest) = *options.packet_length;
  result.opens_state = options.state != State::Snapshot;
  result.merges = options.merges;
  result.keeps_accesses = !cycle_metrics(options).empty();
  result.limits.paths = options.max_paths;
  result.solver.save_directory = options.save_queries;
  result.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit * 1000));
  return result;
}

}  // namespace

bool is_native(const Options& options) {
  return !options.entry.empty() || !options.entry_file.empty() || is_elf(options.program);
}

bool is_elf(const std::string& file) {
  std::array<char, 4> magic{};
  std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
  return magic == std::array<char, 4>{0x7f, 'E', 'L', 'F'};
}

Result<explore::Entry> read_entry(const Options& options, Diagnostics& diagnostics) {
  if (!options.entry_file.empty()) return explore::Entry::load(options.entry_file, diagnostics);
  return options.preset == explore::Entry::Preset::Mbuf ? explore::Entry::mbuf(options.entry)
                                                        : explore::Entry::raw(options.entry);
}

Result<std::vector<library::Pack>> read_packs(const Options& options, Diagnostics& diagnostics) {
  std::vector<library::Pack> packs;
  for (const std::string& path : options.packs) {
    auto pack = library::Pack::load(path, diagnostics);
    if (!pack) return std::unexpected(pack.error());
    packs.push_back(std::move(*pack));
  }
  return packs;
}

Result<void> explore_native(const Options& options, Diagnostics& diagnostics, const UseOfPaths& use) {
  auto how = native_options(options, diagnostics);
  if (!how) return std::unexpected(how.error());
  const std::vector<std::string> metrics = cycle_metrics(options);
  std::optional<timing::Machine> machine;
  if (!metrics.empty()) {
    auto read = read_machine(options, diagnostics);
    if (!read) return std::unexpected(read.error());
    machine = std::move(*read);
    keep_latencies_of(machine->cpu, how->packs, diagnostics);
  }
  const auto process = process::Process::start(
      {.program = options.program, .arguments = options.arguments, .entry = how->entry.function},
      diagnostics);
  if (!process) return std::unexpected(process.error());
  for (const library::Pack& pack : how->packs)
    if (auto fits = derive::check_pack(*process, pack, diagnostics); !fits)
      return std::unexpected(fits.error());
  explore::NativeExplorer explorer(*process, *how);
  std::vector<explore::NativePath> paths;
  explorer.run([&](const explore::NativePath& path) { paths.push_back(path); });
  explorer.report_assumptions(diagnostics);
  explorer.report_methods(diagnostics);
  if (options.verify)
    for (const explore::NativePath& path : paths) explore::verify(*process, explorer, path);
  std::vector<explore::PathMetric> cycles;
  if (machine) cycles = price_in_cycles(metrics, *process, explorer, paths, *machine);
  Result<void> done = use({explorer, *how, paths, machine ? &*machine : nullptr, cycles});
  if (options.statistics) fmt::print(stderr, "{}", report::to_text(explorer.statistics()));
  return done;
}

Result<int> find_native_paths(const Options& options, Diagnostics& diagnostics) {
  bool has_gaps = false;
  const auto done = explore_native(options, diagnostics, [&](const FoundPaths& found) -> Result<void> {
    // Paths that only their results tell apart have the same id.
    std::map<program::PathId, std::size_t> named;
    for (const explore::NativePath& path : found.paths) {
      if (options.pcap_out.empty()) break;
      const std::size_t ways = ++named[path.id];
      const std::string name = program::to_string(path.id) + (ways > 1 ? fmt::format("-{}", ways) : "");
      if (auto written = write_capture(name, path.witness.packet, options.pcap_out, diagnostics); !written)
        return std::unexpected(written.error());
    }
    const explore::NativeExplorer& explorer = found.explorer;
    const report::NativePathsView view{options.program,  found.how,     found.paths, explorer.gaps(),
                                       explorer.state(), found.machine, found.cycles};
    fmt::print("{}", options.json ? report::to_json(view) : report::to_text(view));
    has_gaps = !explorer.gaps().empty();
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return has_gaps ? kExitGaps : kExitOk;
}

}  // namespace perfpact::cli
