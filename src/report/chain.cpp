#include "report/chain.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "packet/packet.h"
#include "report/conditions.h"
#include "report/gaps.h"
#include "report/layout.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const chain::Metric& metric) {
  return metric.name == metric.unit ? metric.name : fmt::format("{} ({})", metric.name, metric.unit);
}

// `79*router.n + 646`, `at most 1436` behind it where PCVs are limited.
std::string text_of(const chain::Bound& bound) {
  std::string text = bound.to_string();
  if (bound.most && !bound.formulas.front().names().empty())
    text += fmt::format(", at most {}", to_decimal(*bound.most));
  return text;
}

std::string measured_text(const ChainView::Measured& measured) {
  std::vector<std::string> parts;
  for (const auto& [metric, value] : measured)
    parts.push_back(fmt::format("{} {}", to_decimal(value), name_of(metric)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string class_text(const chain::ClassContract& one, std::size_t index, const ChainView& view) {
  if (one.paths.empty() && one.gaps.empty() && one.unknown == 0)
    return fmt::format("\n{}: empty, no packet is in it\n", one.name);
  std::string out = fmt::format("\n{}: {}\n", one.name, count_of(one.paths.size(), "path"));
  if (one.unknown > 0)
    out += fmt::format("  not known to be in it or not: {}\n", count_of(one.unknown, "path"));
  TextTable table({TextTable::Align::Left}, 2);
  if (!one.paths.empty()) table.add({"metric", "chain", "nodes added up"});
  for (std::size_t i = 0; i < one.bounds.size(); ++i)
    table.add({name_of(one.bounds[i].metric), text_of(one.bounds[i]), text_of(one.additions[i])});
  out += table.render();
  if (one.worst) {
    const chain::ChainPath& worst = view.combination.paths()[*one.worst];
    out += fmt::format("  worst path: {}\n", program::to_string(worst.hasher.id()));
    const std::vector<chain::Passage> passages = chain::passages(view.combination, worst, one.witness);
    for (std::size_t i = 0; i < passages.size(); ++i) {
      const chain::Passage& passage = passages[i];
      out += fmt::format("    {}: port {}{}, {}: {}; {}\n", view.described.nodes[worst.steps[i].node].name,
                         passage.port, passage.now_ns ? fmt::format(", at {} ns", *passage.now_ns) : "",
                         count_of(passage.packet.size(), "byte"), packet::to_hex(passage.packet),
                         passage.verdict);
    }
    if (!view.measured.empty()) out += fmt::format("    measured: {}\n", measured_text(view.measured[index]));
  }
  std::vector<chain::ChainGap> gaps;
  for (const std::size_t gap : one.gaps) gaps.push_back(view.combination.gaps()[gap]);
  for (const auto& kind : gaps_by_kind(gaps)) out += "  " + headline(kind);
  return out;
}

Json bound_json(const chain::Bound& bound) {
  return {{"metric", bound.metric.name},
          {"unit", bound.metric.unit},
          {"formula", bound.to_string()},
          {"most", bound.most ? Json(to_fraction(*bound.most)) : Json()}};
}

// The packet at each node.
Json witness_json(const ChainView& view, const chain::ChainPath& path,
                  const std::shared_ptr<const smt::Model>& model) {
  Json steps = Json::array();
  const std::vector<chain::Passage> passages = chain::passages(view.combination, path, model);
  for (std::size_t i = 0; i < passages.size(); ++i)
    steps.push_back({{"node", view.described.nodes[path.steps[i].node].name},
                     {"packet", packet::to_hex(passages[i].packet)},
                     {"port", passages[i].port},
                     {"now_ns", passages[i].now_ns ? Json(*passages[i].now_ns) : Json()},
                     {"verdict", passages[i].verdict}});
  return steps;
}

Json path_json(const ChainView& view, const chain::ChainPath& path) {
  Json cost = Json::object();
  for (const chain::MetricCost& one : path.costs) cost[one.metric.name] = one.cost.to_string();
  return {{"path", program::to_string(path.hasher.id())},
          {"cost", cost},
          {"witness", witness_json(view, path, path.model)}};
}

Json class_json(const chain::ClassContract& one, std::size_t index, const ChainView& view) {
  Json out{{"name", one.name},          {"paths", one.paths.size()},       {"unknown", one.unknown},
           {"contract", Json::array()}, {"nodes_added_up", Json::array()}, {"gaps", one.gaps}};
  for (const chain::Bound& bound : one.bounds) out["contract"].push_back(bound_json(bound));
  for (const chain::Bound& bound : one.additions) out["nodes_added_up"].push_back(bound_json(bound));
  if (!one.worst) return out;
  const chain::ChainPath& worst = view.combination.paths()[*one.worst];
  out["worst_path"] = program::to_string(worst.hasher.id());
  out["witness"] = witness_json(view, worst, one.witness);
  if (view.measured.empty()) return out;
  Json measured = Json::object();
  for (const auto& [metric, value] : view.measured[index]) measured[metric.name] = to_fraction(value);
  out["measured"] = std::move(measured);
  return out;
}

}  // namespace

std::string to_text(const ChainView& view) {
  std::string out = fmt::format(
      "{}: {}, {}, {}; {} that no packet can take\n", view.file,
      count_of(view.described.nodes.size(), "node"), count_of(view.combination.paths().size(), "path"),
      count_of(view.combination.gaps().size(), "gap"), count_of(view.combination.dropped(), "way"));
  if (!view.measured.empty())
    out += fmt::format("{} run through all nodes: each does and costs what its path says\n",
                       count_of(view.verified, "packet"));
  for (std::size_t i = 0; i < view.classes.size(); ++i) out += class_text(view.classes[i], i, view);
  return out;
}

std::string to_json(const ChainView& view) {
  Json out{{"schema", "perfpact.chain-contract/1"},
           {"chain", view.file},
           {"nodes", Json::array()},
           {"dropped", view.combination.dropped()},
           {"verified", view.verified},
           {"classes", Json::array()},
           {"paths", Json::array()},
           {"gaps", Json::array()}};
  for (std::size_t i = 0; i < view.described.nodes.size(); ++i)
    out["nodes"].push_back({{"name", view.described.nodes[i].name},
                            {"program", view.described.nodes[i].program},
                            {"paths", view.combination.nodes()[i]->paths().size()}});
  for (std::size_t i = 0; i < view.classes.size(); ++i)
    out["classes"].push_back(class_json(view.classes[i], i, view));
  for (const chain::ChainPath& path : view.combination.paths()) out["paths"].push_back(path_json(view, path));
  for (const chain::ChainGap& gap : view.combination.gaps())
    out["gaps"].push_back({{"reason", gap.reason}, {"at", gap.at}, {"condition", condition(gap.condition)}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfpact::report
