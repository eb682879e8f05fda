#include "cli/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/spelling.h"
#include "cli/diagnostics.h"
#include "cli/exit_status.h"
#include "cli/path_files.h"
#include "packet/capture.h"
#include "traffic/diagnostics.h"
#include "traffic/generator.h"

namespace perfpact::cli {
namespace {

packet::CaptureWriter::Precision precision(const traffic::Recipe& recipe) {
  const auto is_fine = [](const traffic::Phase& phase) {
    return phase.gap_ns % 1000 != 0 || phase.wait_ns % 1000 != 0;
  };
  using enum packet::CaptureWriter::Precision;
  return std::ranges::any_of(recipe.phases, is_fine) ? Nanoseconds : Microseconds;
}

// Ports are written as they come: there can be more packets than memory has room for.
Result<void> write_packets(traffic::Recipe& recipe, const Options& options, Diagnostics& diagnostics) {
  auto writer = packet::CaptureWriter::create(options.output, precision(recipe), diagnostics);
  if (!writer) return std::unexpected(writer.error());
  std::ofstream ports;
  errno = 0;
  if (!options.ports_out.empty()) ports.open(options.ports_out, std::ios::binary);
  traffic::generate(recipe, [&](const traffic::MadePacket& packet) {
    writer->write(packet.bytes, packet.time);
    if (ports.is_open()) ports << packet.port << '\n';
  });
  if (ports.is_open()) ports.close();
  if (!ports)
    return std::unexpected(
        diagnostics.report(diag::kCannotWriteFile, {}, options.ports_out, std::strerror(errno)));
  return writer->finish(diagnostics);
}

// FILE, where there are routes of one name only, or NAME=FILE.
Result<void> write_routes(const traffic::Recipe& recipe, const std::string& text, Diagnostics& diagnostics) {
  const auto equals = text.find('=');
  std::vector<std::string> names;
  for (const auto& [name, routes] : recipe.routes) names.push_back(name);
  if (equals == std::string::npos && names.size() != 1)
    return std::unexpected(diagnostics.report(traffic::diag::kRoutesNotNamed, {}, text, names.size()));
  const std::string name = equals == std::string::npos ? names.front() : text.substr(0, equals);
  const auto found = recipe.routes.find(name);
  if (found == recipe.routes.end())
    return std::unexpected(
        diagnostics.report(traffic::diag::kUnknownRoutes, {}, name, did_you_mean(name, names)));
  return write_text(traffic::to_text(*found->second),
                    equals == std::string::npos ? text : text.substr(equals + 1), diagnostics);
}

void print(const traffic::PhaseRange& range) {
  const std::string packets =
      range.packets == 0 ? "no packets"
                         : fmt::format("packets {} to {}", range.first, range.first + range.packets - 1);
  fmt::print("{}: {}{}\n", range.name, packets, range.measured ? ", measured" : "");
}

}  // namespace

Result<int> make_traffic(const Options& options, Diagnostics& diagnostics) {
  auto recipe = traffic::load_recipe(options.recipe, diagnostics);
  if (!recipe) return std::unexpected(recipe.error());
  for (const std::string& text : options.routes_out)
    if (auto written = write_routes(*recipe, text, diagnostics); !written)
      return std::unexpected(written.error());
  const auto ranges = traffic::phase_ranges(*recipe);
  if (!options.phases_out.empty())
    if (auto written = write_text(traffic::to_json(ranges), options.phases_out, diagnostics); !written)
      return std::unexpected(written.error());
  if (auto written = write_packets(*recipe, options, diagnostics); !written)
    return std::unexpected(written.error());
  for (const traffic::PhaseRange& range : ranges) print(range);
  return kExitOk;
}

}  // namespace perfpact::cli
