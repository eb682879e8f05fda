#include "cli/paths.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "base/check.h"
#include "cli/exit_status.h"
#include "cli/path_files.h"
#include "cli/phases.h"
#include "packet/packet.h"
#include "report/path_tree.h"
#include "report/paths.h"

namespace perfpact::cli {
namespace {

explore::Options explore_options(const Options& options, const tables::TableSet* installed) {
  explore::Options result;
  if (options.packet_length) std::tie(result.shortest, result.longest) = *options.packet_length;
  result.tables = installed;
  result.zero_state = options.state == State::Zero;
  result.limits.passes = options.explored_passes;
  result.limits.replicas = options.max_replicas;
  result.limits.paths = options.max_paths;
  result.solver.save_directory = options.save_queries;
  result.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit * 1000));
  return result;
}

/// The trace of the path's witness, which must be what the exploration says.
program::Trace verified(const p4::core::Program& program, const explore::Path& path,
                        const explore::Options& options) {
  program::Trace trace = explore::replay(program, path.witness, options.tables, options.limits.passes);
  PERFPACT_CHECK(trace.path == path.id && trace.verdict == path.witness.verdict,
                 "path {}, {}: its witness (port {}, {}) takes path {}, {}", program::to_string(path.id),
                 program::to_string(path.witness.verdict), path.witness.packet.port,
                 packet::to_hex(path.witness.packet.bytes), program::to_string(trace.path),
                 program::to_string(trace.verdict));
  return trace;
}

}  // namespace

Result<int> find_paths(const p4::core::Program& program, const Options& options, Diagnostics& diagnostics) {
  std::optional<tables::TableSet> installed;
  if (!options.tables.empty()) installed = read_tables(program, options, diagnostics);
  // No packets are given that generated entries are not to match.
  if (!diagnostics.has_errors() && installed && installed->has_pending()) installed->materialize(diagnostics);
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  const explore::Options how = explore_options(options, installed ? &*installed : nullptr);
  llvm::LLVMContext context;
  const p4::ir::Lowered lowered = p4::ir::to_llvm(program, diagnostics.sources(), context);
  explore::Explorer explorer(program, lowered, how);
  std::vector<report::ExploredPath> paths;
  std::unordered_map<std::uint64_t, std::size_t> known;
  report::PathTree tree;
  explorer.run([&](const explore::Path& path) {
    const program::Trace trace = verified(program, path, how);
    const auto [at, is_new] = known.try_emplace(static_cast<std::uint64_t>(path.id), paths.size());
    if (!is_new) {
      ++paths[at->second].ways;
      return;
    }
    paths.push_back(report::describe(path, trace, program, installed.has_value()));
    if (!options.dot.empty()) tree.add(trace, paths.back().verdict, installed.has_value());
  });
  if (!options.pcap_out.empty())
    for (const report::ExploredPath& path : paths)
      if (auto written = write_capture(program::to_string(path.id), path.witness.packet.bytes,
                                       options.pcap_out, diagnostics);
          !written)
        return std::unexpected(written.error());
  if (!options.dot.empty())
    if (auto written = write_text(tree.to_dot(options.program), options.dot, diagnostics); !written)
      return std::unexpected(written.error());
  const report::PathsView view{options.program, program, how, paths, explorer.gaps(), diagnostics.sources()};
  fmt::print("{}", options.json ? report::to_json(view) : report::to_text(view));
  if (options.statistics) fmt::print(stderr, "{}", report::to_text(explorer.statistics()));
  return explorer.gaps().empty() ? kExitOk : kExitGaps;
}

}  // namespace perfpact::cli
