#include "cli/count_packets.h"

#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/native_paths.h"
#include "count/count.h"
#include "report/packet_counts.h"

namespace perfpact::cli {

Result<int> count_packets(const Options& options, Diagnostics& diagnostics) {
  auto entry = read_entry(options, diagnostics);
  if (!entry) return std::unexpected(entry.error());
  auto packs = read_packs(options, diagnostics);
  if (!packs) return std::unexpected(packs.error());
  const count::Options how{
      .launch = {.program = options.program, .arguments = options.arguments, .entry = entry->function},
      .entry = std::move(*entry),
      .engine = options.count_engine,
      .packs = std::move(*packs),
      .capture = options.pcap,
      .wants_profile = options.by_function || options.by_line,
      .wants_accesses = options.wants_accesses};
  report::CountSummary summary;
  bool is_complete = true;
  const auto take = [&](const count::PacketCount& packet) {
    is_complete &= packet.ending != count::PacketCount::Ending::NotDecoded;
    if (options.json) {
      fmt::print("{}", report::to_json_line(packet, how.entry));
      return;
    }
    summary.add(packet);
    if (options.wants_accesses)
      fmt::print("packet {}:\n{}\n", summary.packets(), report::to_text(report::AccessesView{packet}));
  };
  const Result<count::Profile> counted = count::count(how, take, diagnostics);
  if (!options.json && summary.packets() > 0) fmt::print("{}", summary.to_text(options.program, how.entry));
  if (!counted) return std::unexpected(counted.error());
  if (how.wants_profile) {
    const report::ProfileView view{*counted, options.by_function, options.by_line};
    fmt::print("{}", options.json ? report::to_json_line(view) : report::to_text(view));
  }
  return is_complete ? kExitOk : kExitGaps;
}

}  // namespace perfpact::cli
