#include "report/contract.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "contract/lines.h"
#include "explore/native/path_cost.h"
#include "packet/packet.h"
#include "report/conditions.h"
#include "report/cycles.h"
#include "report/gaps.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;
using contract::Bound;
using contract::ClassContract;
using explore::NativePath;

/// `sent(1), hit flows.get, done flows.expire`.
std::string calls_of(const NativePath& path) {
  std::string text;
  for (const explore::NativeCall& call : path.calls)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", call.label, call.outcome->name);
  return text;
}

std::string to_text(const ClassContract& one) {
  if (one.paths.empty() && one.unknown == 0)
    return fmt::format("\n{}: empty, no packet is in it\n", one.name);
  std::string out = fmt::format("\n{}: {}\n", one.name, count_of(one.paths.size(), "path"));
  if (one.unknown > 0)
    out += fmt::format("  not known to be in it or not: {}\n", count_of(one.unknown, "path"));
  for (const Bound& bound : one.bounds) {
    out += fmt::format("  {}: {}", bound.metric, ClassContract::to_string(bound));
    if (bound.most && bound.formulas.front().names().size() > 0)
      out += fmt::format(", at most {}", to_decimal(*bound.most));
    out += "\n";
  }
  if (!one.worst) return out;
  const NativePath& worst = *one.worst;
  out += fmt::format("  worst path: {}, {}, {} of its own\n", program::to_string(worst.id),
                     to_string(worst.witness.verdict), count_of(worst.counts.instructions, "instruction"));
  if (!worst.calls.empty()) out += fmt::format("  calls: {}\n", calls_of(worst));
  return out + fmt::format("  witness: port {}, at {} ns, {}: {}\n", worst.witness.port, worst.witness.now_ns,
                           count_of(worst.witness.packet.size(), "byte"),
                           packet::to_hex(worst.witness.packet));
}

Json lines_json(const NativePath& path, const ContractView& view) {
  Json lines = Json::array();
  for (const contract::LineCost& line : contract::lines_of(view.explorer, path, view.program))
    lines.push_back({{"at", line.file.empty() ? line.function : fmt::format("{}:{}", line.file, line.line)},
                     {"function", line.function},
                     {"text", line.text},
                     {"instructions", line.counts.instructions},
                     {"loads", line.counts.loads},
                     {"stores", line.counts.stores},
                     {"calls", line.calls}});
  return lines;
}

Json class_json(const ClassContract& one, const ContractView& view) {
  Json formulas = Json::object(), most = Json::object(), worst_paths = Json::object();
  for (const Bound& bound : one.bounds) {
    formulas[bound.metric] = ClassContract::to_string(bound);
    most[bound.metric] = bound.most ? Json(to_fraction(*bound.most)) : Json();
    worst_paths[bound.metric] = program::to_string(view.paths[bound.worst_path].id);
  }
  Json out{{"name", one.name}, {"paths", one.paths.size()}, {"unknown", one.unknown}, {"formula", formulas},
           {"most", most},     {"worst_paths", worst_paths}};
  if (!one.worst) return out;
  Json own = Json::object(), calls = Json::array();
  for (const std::string_view metric : library::kMetrics)
    own[std::string(metric)] = explore::own_cost(*one.worst, metric);
  for (const explore::NativeCall& call : one.worst->calls)
    calls.push_back({{"call", call.label},
                     {"outcome", call.outcome->name},
                     {"instructions", explore::cost_of(call, library::kInstructions).to_string()}});
  out["worst_path"] = program::to_string(one.worst->id);
  out["own"] = own;
  out["calls"] = calls;
  out["lines"] = lines_json(*one.worst, view);
  out["witness"] = {{"packet", packet::to_hex(one.worst->witness.packet)},
                    {"port", one.worst->witness.port},
                    {"now_ns", one.worst->witness.now_ns},
                    {"verdict", to_string(one.worst->witness.verdict)}};
  return out;
}

}  // namespace

std::string to_text(const ContractView& view) {
  std::string out = fmt::format("{}: {}, {}; entry {}\n", view.program, count_of(view.paths.size(), "path"),
                                count_of(view.explorer.gaps().size(), "gap"), view.entry);
  if (view.machine != nullptr) out += to_text(*view.machine);
  for (const ClassContract& one : view.contract.classes) out += to_text(one);
  if (!view.explorer.gaps().empty()) out += "\n";
  for (const auto& gaps : gaps_by_kind(view.explorer.gaps())) out += headline(gaps);
  return out;
}

std::string to_json(const ContractView& view) {
  Json out{{"schema", "perfpact.contract/1"},
           {"program", view.program},
           {"entry", view.entry},
           {"classes", Json::array()},
           {"gaps", Json::array()}};
  if (view.machine != nullptr) out["machine"] = to_json(*view.machine);
  for (const ClassContract& one : view.contract.classes) out["classes"].push_back(class_json(one, view));
  for (const explore::NativeGap& gap : view.explorer.gaps())
    out["gaps"].push_back({{"reason", gap.reason}, {"at", gap.at}, {"condition", condition(gap.condition)}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfpact::report
