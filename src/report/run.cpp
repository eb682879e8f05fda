#include "report/run.h"

#include <nlohmann/json.hpp>
#include <span>

#include "report/counts.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;

Json passes(const program::Trace& trace) {
  Json out = Json::array();
  for (std::size_t i = 0; i < trace.passes.size(); ++i) {
    const program::Pass& pass = trace.passes[i];
    const std::size_t end =
        i + 1 < trace.passes.size() ? trace.passes[i + 1].first_event : trace.events.size();
    const std::span events = std::span(trace.events).subspan(pass.first_event, end - pass.first_event);
    // A limit may cut a pass off before its `start`.
    const auto kind = events.empty() ? std::nullopt : events.front().text("pass");
    out.push_back({{"pass", kind ? Json(*kind) : Json()},
                   {"copy", pass.is_copy},
                   {"events", to_json(count_events(events))}});
  }
  return out;
}

Json outputs(const program::Trace& trace) {
  Json out = Json::array();
  for (const program::OutputPacket& output : trace.outputs)
    out.push_back({{"port", output.port}, {"hex", packet::to_hex(output.bytes)}});
  return out;
}

Json gap(const program::Trace& trace, const SourceManager& sources) {
  const auto* gap = std::get_if<program::Gap>(&trace.verdict);
  if (gap == nullptr) return {};
  return {{"reason", gap->reason}, {"at", sources.describe(gap->at)}};
}

Json steps(const program::Trace& trace, const SourceManager& sources) {
  Json out = Json::array();
  for (const program::Event& event : trace.events)
    out.push_back({{"event", program::describe(event)}, {"at", sources.describe(event.site->at)}});
  return out;
}

}  // namespace

std::string outcome_text(const std::string& name, const program::InputPacket& packet,
                         const program::Trace& trace) {
  std::string out =
      fmt::format("{}: port {}, {} bytes: {}, path {}\n", name, packet.port, packet.bytes.size(),
                  program::to_string(trace.verdict), program::to_string(trace.path));
  for (const program::OutputPacket& output : trace.outputs)
    out += fmt::format("  port {}: {}\n", output.port, packet::to_hex(output.bytes));
  return out;
}

std::string path_text(const std::string& name, const program::Trace& trace, const SourceManager& sources) {
  std::string out = fmt::format("path of {}:\n", name);
  for (const program::Event& event : trace.events)
    out += fmt::format("  {}  {}\n", program::describe(event), sources.describe(event.site->at));
  return out;
}

std::string to_json_line(const RunLine& line, const SourceManager& sources, bool with_steps) {
  const program::Trace& trace = line.trace;
  Json out{{"schema", "perfpact.run/1"},
           {"packet", line.number},
           {"time", fmt::format("{}.{:09}", line.time.seconds, line.time.nanoseconds)},
           {"port", line.packet.port},
           {"bytes", line.packet.bytes.size()},
           {"verdict", program::to_string(trace.verdict)},
           {"path", program::to_string(trace.path)},
           {"parser_error", trace.parser_error.empty() ? Json() : Json(trace.parser_error)},
           {"outputs", outputs(trace)},
           {"events", to_json(count_events(trace.events))},
           {"passes", passes(trace)},
           {"gap", gap(trace, sources)}};
  if (with_steps) out["steps"] = steps(trace, sources);
  // Names come from the user's files and may be no UTF-8: such bytes are replaced, never thrown at.
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfpact::report
