#include "cli/run_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/exit_status.h"
#include "cli/phases.h"
#include "packet/capture.h"
#include "report/layout.h"
#include "report/run.h"

namespace perfpact::cli {
namespace {

using Packets = std::vector<packet::CapturedPacket>;

/// The packets that left, with the times at which those that caused them came in.
Result<std::optional<packet::CaptureWriter>> open_output(const Options& options, const Packets& packets,
                                                         Diagnostics& diagnostics) {
  if (options.pcap_out.empty()) return std::nullopt;
  const bool is_fine = std::ranges::any_of(
      packets, [](const packet::CapturedPacket& one) { return one.time.nanoseconds % 1000 != 0; });
  using enum packet::CaptureWriter::Precision;
  auto writer =
      packet::CaptureWriter::create(options.pcap_out, is_fine ? Nanoseconds : Microseconds, diagnostics);
  if (!writer) return std::unexpected(writer.error());
  return std::optional(std::move(*writer));
}

/// Entries that wait for the keys looked up are made after a first run over all packets.
Result<void> materialize(tables::TableSet& tables, p4::Engine& engine, const Packets& packets,
                         std::uint64_t port, Diagnostics& diagnostics) {
  if (!tables.has_pending()) return {};
  for (const packet::CapturedPacket& one : packets) (void)engine.run({port, one.bytes});
  engine.reset();
  if (!tables.materialize(diagnostics)) return std::unexpected(diagnostics.already_reported());
  return {};
}

void print(const report::RunLine& line, const Options& options, const SourceManager& sources) {
  if (options.json) {
    fmt::print("{}", report::to_json_line(line, sources, options.explain));
    return;
  }
  const std::string name = fmt::format("packet {}", line.number);
  fmt::print("{}", report::outcome_text(name, line.packet, line.trace));
  if (options.explain) fmt::print("{}", report::path_text(name, line.trace, sources));
}

}  // namespace

Result<int> run_capture(const p4::core::Program& program, const Options& options, Diagnostics& diagnostics) {
  tables::TableSet tables = read_tables(program, options, diagnostics);
  auto packets = packet::read_capture(options.pcap, {}, diagnostics);
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  auto writer = open_output(options, *packets, diagnostics);
  if (!writer) return std::unexpected(writer.error());
  const auto engine = make_engine(program, diagnostics.sources(), tables, options, packets->size());
  if (auto made = materialize(tables, *engine, *packets, options.port, diagnostics); !made)
    return std::unexpected(made.error());

  std::size_t number = 0;
  std::size_t outputs = 0;
  std::size_t gaps = 0;
  for (packet::CapturedPacket& one : *packets) {
    const program::InputPacket packet{options.port, std::move(one.bytes)};
    const program::Trace trace = engine->run(packet);
    print({++number, one.time, packet, trace}, options, diagnostics.sources());
    outputs += trace.outputs.size();
    gaps += std::holds_alternative<program::Gap>(trace.verdict) ? 1 : 0;
    if (*writer)
      for (const program::OutputPacket& output : trace.outputs) (*writer)->write(output.bytes, one.time);
  }
  if (*writer)
    if (auto finished = (*writer)->finish(diagnostics); !finished) return std::unexpected(finished.error());
  if (!options.json)
    fmt::print("{} in, {} out, {}\n", report::count_of(number, "packet"), report::count_of(outputs, "packet"),
               report::count_of(gaps, "gap"));
  return gaps > 0 ? kExitGaps : kExitOk;
}

}  // namespace perfpact::cli
