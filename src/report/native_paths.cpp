#include "report/native_paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "explore/native/path_cost.h"
#include "packet/packet.h"
#include "report/conditions.h"
#include "report/cycles.h"
#include "report/gaps.h"
#include "smt/infix.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;
using explore::NativeCall;
using explore::NativePath;
using explore::NativeWitness;
using library::kMetrics;

/// `sent(1)`, `sent(port ^ 1)` where it depends.
std::string verdict_of(const NativePath& path) {
  if (path.port && !path.port.is_constant()) return fmt::format("sent({})", smt::to_infix(path.port));
  return to_string(path.witness.verdict);
}

/// `counter = 0x1f`.
std::string describe(const NativeWitness::Variable& variable) {
  Integer value;
  import_bits(value, variable.bytes.begin(), variable.bytes.end(), 8, false);
  return fmt::format("{} = {}", variable.name, hexadecimal(value));
}

/// `memcpy done (n: 6)`, `flows.get#2 hit (t, c)`.
std::string describe(const NativeCall& call) {
  std::vector<std::string> pcvs;
  for (std::size_t i = 0; i < call.pcvs.size(); ++i)
    pcvs.push_back(call.outcome->pcvs[i].name + (call.pcvs[i] ? ": " + smt::to_infix(call.pcvs[i]) : ""));
  return fmt::format("{} {}{}", call.label, call.outcome->name,
                     pcvs.empty() ? "" : fmt::format(" ({})", fmt::join(pcvs, ", ")));
}

/// `95 instructions, 12 loads, 3 stores`; formulas on a line each where methods are called.
std::string cost_text(const NativePath& path) {
  const process::Counts& counts = path.counts;
  std::string out = fmt::format("{}, {}, {}", count_of(counts.instructions, "instruction"),
                                count_of(counts.loads, "load"), count_of(counts.stores, "store"));
  if (path.calls.empty()) return out + "\n";
  out += " of its own\n";
  for (const std::string_view metric : kMetrics)
    out += fmt::format("  {}: {}\n", metric, cost_of(path, metric).to_string());
  return out;
}

/// `n: 3`.
std::vector<std::string> pcvs_of(const NativePath& path) {
  std::vector<std::string> pcvs;
  for (const NativePath::Pcv& pcv : path.pcvs) pcvs.push_back(fmt::format("{}: {}", pcv.name, pcv.value));
  return pcvs;
}

std::string to_text(const NativePathsView& view, std::size_t number) {
  const NativePath& path = view.paths[number];
  std::string out =
      fmt::format("\npath {}: {}; {}", program::to_string(path.id), verdict_of(path), cost_text(path));
  for (const explore::PathMetric& metric : view.cycles)
    out += fmt::format("  {}: {}\n", metric.name, metric.costs[number].to_string());
  if (path.origin) out += fmt::format("  merged: {} sequences of decisions\n", path.ways.str());
  if (!path.pcvs.empty()) out += fmt::format("  pcvs: {}\n", fmt::join(pcvs_of(path), ", "));
  out += when(condition(path.condition));
  for (const NativeCall& call : path.calls) out += fmt::format("  calls: {}\n", describe(call));
  const NativeWitness& witness = path.witness;
  for (const NativeWitness::Variable& variable : witness.state)
    out += fmt::format("  state: {}\n", describe(variable));
  for (std::uint64_t time : witness.times) out += fmt::format("  clock: {}\n", time);
  return out + fmt::format("  witness: port {}, at {} ns, {}, {}: {}\n", witness.port, witness.now_ns,
                           count_of(witness.packet.size(), "byte"), to_string(witness.verdict),
                           packet::to_hex(witness.packet));
}

std::string state_of(const NativePathsView& view) {
  if (view.state.empty()) return "no state that packets change";
  return fmt::format("{}: {}",
                     view.options.opens_state ? "any state of" : "state of the first packet, not any of",
                     fmt::join(view.state, ", "));
}

Json calls(const NativePath& path) {
  Json out = Json::array();
  for (const NativeCall& call : path.calls) {
    Json pcvs = Json::object();
    for (std::size_t i = 0; i < call.pcvs.size(); ++i)
      pcvs[call.outcome->pcvs[i].name] = call.pcvs[i] ? Json(smt::to_infix(call.pcvs[i])) : Json();
    out.push_back({{"call", call.label},
                   {"method", call.method->name},
                   {"structure", call.structure},
                   {"outcome", call.outcome->name},
                   {"pcvs", pcvs}});
  }
  return out;
}

Json costs(const NativePathsView& view, std::size_t number) {
  Json out = Json::object();
  for (const std::string_view metric : kMetrics)
    out[std::string(metric)] = cost_of(view.paths[number], metric).to_string();
  for (const explore::PathMetric& metric : view.cycles) out[metric.name] = metric.costs[number].to_string();
  return out;
}

Json pcvs(const NativePath& path) {
  Json out = Json::object();
  for (const NativePath::Pcv& pcv : path.pcvs) out[pcv.name] = pcv.value;
  return out;
}

Json witness_json(const NativeWitness& witness) {
  Json returns = Json::array();
  for (const NativeWitness::Variable& variable : witness.state)
    returns.push_back({{"state", describe(variable)}});
  for (std::uint64_t time : witness.times) returns.push_back({{"clock", time}});
  return {{"packet", packet::to_hex(witness.packet)},
          {"port", witness.port},
          {"now_ns", witness.now_ns},
          {"returns", returns},
          {"verdict", to_string(witness.verdict)}};
}

}  // namespace

std::string to_text(const NativePathsView& view) {
  const explore::Entry& entry = view.options.entry;
  std::string out = fmt::format("{}: {}, {}; entry {}; packets of {} to {} bytes; {}\n", view.program,
                                count_of(view.paths.size(), "path"), count_of(view.gaps.size(), "gap"),
                                entry.function, entry.shortest, entry.longest, state_of(view));
  if (view.machine != nullptr) out += to_text(*view.machine);
  for (std::size_t i = 0; i < view.paths.size(); ++i) out += to_text(view, i);
  if (!view.gaps.empty()) out += "\n";
  for (const auto& gaps : gaps_by_kind(view.gaps)) out += headline(gaps);
  return out;
}

std::string to_json(const NativePathsView& view) {
  Json out{{"schema", "perfpact.paths/1"},
           {"program", view.program},
           {"entry", view.options.entry.function},
           {"state", {{"opened", view.options.opens_state}, {"variables", view.state}}},
           {"paths", Json::array()},
           {"gaps", Json::array()}};
  if (view.machine != nullptr) out["machine"] = to_json(*view.machine);
  for (std::size_t i = 0; i < view.paths.size(); ++i) {
    const NativePath& path = view.paths[i];
    out["paths"].push_back({{"path", program::to_string(path.id)},
                            {"ways", path.ways.str()},
                            {"condition", condition(path.condition)},
                            {"verdict", verdict_of(path)},
                            {"events", {{"instruction", path.counts.instructions}}},
                            {"cost", costs(view, i)},
                            {"pcvs", pcvs(path)},
                            {"calls", calls(path)},
                            {"witness", witness_json(path.witness)}});
  }
  for (const explore::NativeGap& gap : view.gaps)
    out["gaps"].push_back({{"reason", gap.reason}, {"at", gap.at}, {"condition", condition(gap.condition)}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfpact::report
