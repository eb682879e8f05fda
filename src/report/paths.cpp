#include "report/paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "packet/packet.h"
#include "report/conditions.h"
#include "report/counts.h"
#include "report/doings.h"
#include "report/gaps.h"
#include "report/layout.h"
#include "smt/infix.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;
using explore::Witness;

/// `ingress.fib(packet[30] . packet[31]) hits, ingress.forward`, `... misses`.
std::string describe(const p4::core::Program& program, const explore::InstalledLookup& lookup) {
  const tables::TableSchema& schema = program.tables[static_cast<std::size_t>(lookup.table)];
  std::vector<std::string> keys;
  for (smt::Expr key : lookup.keys) keys.push_back(smt::to_infix(key));
  return fmt::format("{}({}) {}", schema.name, fmt::join(keys, ", "),
                     lookup.hit ? "hits, " + schema.actions[lookup.action].name : "misses");
}

/// The witness's verdict, with the expressions where it can be another on the same path.
std::string verdict_of(const explore::Path& path) {
  const auto value = [](smt::Expr expr, std::uint64_t known) {
    return expr.is_constant() ? std::to_string(known) : smt::to_infix(expr);
  };
  if (const auto* sent = std::get_if<program::Sent>(&path.witness.verdict))
    return fmt::format("sent({})", value(path.port, sent->port));
  if (const auto* multicast = std::get_if<program::Multicast>(&path.witness.verdict))
    return fmt::format("multicast({}, {})", value(path.group, multicast->group), multicast->copies);
  return program::to_string(path.witness.verdict);
}

std::vector<std::string> condition(const ExploredPath& path) {
  std::vector<std::string> texts = report::condition(path.condition);
  std::ranges::copy(path.installed, std::back_inserter(texts));
  return texts;
}

/// `ingress.forward(port: 0x1)`.
std::string describe(const tables::TableSchema& schema, const tables::ActionCall& call) {
  const tables::ActionSchema& action = schema.actions[call.action];
  std::vector<std::string> data;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    data.push_back(fmt::format("{}: {}", action.parameters[i].name, hexadecimal(call.arguments[i])));
  return fmt::format("{}({})", action.name, fmt::join(data, ", "));
}

/// `ingress.fib {hdr.ipv4.dst: 0x0} -> ingress.forward(port: 0x1)`, `ingress.fib miss -> NoAction()`.
std::string describe(const p4::core::Program& program, const Witness::Lookup& lookup) {
  const tables::TableSchema& schema = program.tables[static_cast<std::size_t>(lookup.table)];
  std::string key = "miss";
  if (lookup.hit) {
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < schema.keys.size(); ++i)
      fields.push_back(fmt::format("{}: {}", schema.keys[i].name, hexadecimal(lookup.key[i])));
    key = fmt::format("{{{}}}", fmt::join(fields, ", "));
  }
  return fmt::format("{} {} -> {}", schema.name, key, describe(schema, lookup.action));
}

std::string describe(const Witness::Group& group) {
  std::vector<std::string> replicas;
  for (const tables::MulticastReplica& replica : group.replicas)
    replicas.push_back(fmt::format("port {} instance {}", replica.port, replica.instance));
  return fmt::format("{}{} -> {}", group.is_session ? "clone session " : "", group.id,
                     replicas.empty() ? "nothing" : fmt::format("{}", fmt::join(replicas, ", ")));
}

std::string describe(const p4::core::Program& program, const Witness::Cell& cell) {
  return fmt::format("{}[{}] = {}", program.objects[p4::core::index(cell.object)].name, cell.index,
                     hexadecimal(cell.value));
}

/// What must be so beside the packet, a line each, with what the line is about.
std::vector<std::pair<std::string, std::string>> surroundings(const p4::core::Program& program,
                                                              const Witness& witness) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Witness::Lookup& lookup : witness.lookups)
    lines.emplace_back("table", describe(program, lookup));
  for (const Witness::Group& group : witness.groups) lines.emplace_back("group", describe(group));
  for (const Witness::Cell& cell : witness.cells) lines.emplace_back("register", describe(program, cell));
  for (const Integer& choice : witness.choices) lines.emplace_back("chance", choice.str());
  return lines;
}

std::string to_text(const PathsView& view, const ExploredPath& path) {
  std::string out = fmt::format("\npath {}: {}{}\n", program::to_string(path.id), path.verdict,
                                path.ways > 1 ? fmt::format(", under {} conditions", path.ways) : "");
  out += fmt::format("  does: {}\n", path.does);
  out += when(condition(path));
  for (const auto& [what, text] : surroundings(view.core, path.witness))
    out += fmt::format("  {}: {}\n", what, text);
  return out + fmt::format("  witness: port {}, {}, {}: {}\n", path.witness.packet.port,
                           count_of(path.witness.packet.bytes.size(), "byte"),
                           program::to_string(path.witness.verdict),
                           packet::to_hex(path.witness.packet.bytes));
}

std::string to_text(const GapsOfAKind<explore::Gap>& gaps) {
  const explore::Gap& gap = *gaps.first;
  std::string out = headline(gaps);
  if (gap.witness)
    out += fmt::format("  for example: port {}, {}: {}\n", gap.witness->packet.port,
                       count_of(gap.witness->packet.bytes.size(), "byte"),
                       packet::to_hex(gap.witness->packet.bytes));
  return out;
}

Json calls(const ExploredPath& path) {
  Json out = Json::array();
  for (const ExploredPath::Call& call : path.calls) {
    out.push_back({{"method", "apply"}, {"structure", call.structure}, {"outcome", call.outcome}});
    if (!call.action.empty()) out.back()["action"] = call.action;
  }
  return out;
}

Json witness_json(const p4::core::Program& program, const Witness& witness) {
  Json returns = Json::array();
  for (const auto& [what, text] : surroundings(program, witness)) returns.push_back({{what, text}});
  return {
      {"packet", packet::to_hex(witness.packet.bytes)}, {"port", witness.packet.port}, {"returns", returns}};
}

Json witness_of(const p4::core::Program& program, const ExploredPath& path) {
  Json out = witness_json(program, path.witness);
  out["verdict"] = program::to_string(path.witness.verdict);
  return out;
}

}  // namespace

ExploredPath describe(const explore::Path& path, const program::Trace& trace,
                      const p4::core::Program& program, bool with_ranks) {
  ExploredPath result;
  result.id = path.id;
  result.condition = path.condition;
  for (const explore::InstalledLookup& lookup : path.installed)
    result.installed.push_back(describe(program, lookup));
  result.witness = path.witness;
  result.verdict = verdict_of(path);
  result.does = what_it_does(trace, with_ranks);
  result.events = count_events(trace.events);
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const program::Event& event = trace.events[i];
    if (event.kind() != program::EventKind::TableApply) continue;
    const bool runs =
        i + 1 < trace.events.size() && trace.events[i + 1].kind() == program::EventKind::ActionRun;
    result.calls.push_back({std::string(event.text("table").value()),
                            event.number("hit").value() != 0 ? "hit" : "miss",
                            runs ? std::string(trace.events[i + 1].text("action").value()) : ""});
  }
  return result;
}

std::string to_text(const PathsView& view) {
  std::string out = fmt::format("{}: {}, {}; {}; packets of {} to {} bytes\n", view.program,
                                count_of(view.paths.size(), "path"), count_of(view.gaps.size(), "gap"),
                                view.options.tables == nullptr ? "any tables" : "tables as installed",
                                view.options.shortest, view.options.longest);
  for (const ExploredPath& path : view.paths) out += to_text(view, path);
  if (!view.gaps.empty()) out += "\n";
  for (const GapsOfAKind<explore::Gap>& gaps : gaps_by_kind(view.gaps)) out += to_text(gaps);
  return out;
}

std::string to_json(const PathsView& view) {
  Json out{{"schema", "perfpact.paths/1"},
           {"program", view.program},
           {"paths", Json::array()},
           {"gaps", Json::array()}};
  for (const ExploredPath& path : view.paths)
    out["paths"].push_back({{"path", program::to_string(path.id)},
                            {"ways", path.ways},
                            {"condition", condition(path)},
                            {"verdict", path.verdict},
                            {"events", to_json(path.events)},
                            {"calls", calls(path)},
                            {"witness", witness_of(view.core, path)}});
  for (const explore::Gap& gap : view.gaps) {
    Json one{{"reason", gap.reason}, {"at", gap.at}, {"condition", report::condition(gap.condition)}};
    if (gap.witness) one["witness"] = witness_json(view.core, *gap.witness);
    out["gaps"].push_back(std::move(one));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_text(const explore::Statistics& statistics) {
  const smt::Statistics& solver = statistics.solver;
  std::string out = fmt::format("{} instructions, {} forks, {} queries\n", statistics.instructions,
                                statistics.forks, solver.queries());
  for (std::size_t i = 0; i < smt::kLayers; ++i)
    out += fmt::format("  {:<14}{}\n", smt::to_string(static_cast<smt::Layer>(i)), solver.answered[i]);
  const double asked = static_cast<double>(solver.answered[static_cast<std::size_t>(smt::Layer::Z3)]);
  const double queries = static_cast<double>(std::max<std::uint64_t>(solver.queries(), 1));
  return out + fmt::format("without Z3: {:.1f} %; in Z3: {:.3f} s\n", 100 - 100 * asked / queries,
                           solver.z3_seconds);
}

}  // namespace perfpact::report
