#include "derive/pack_text.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "library/latency.h"

namespace perfpact::derive {
namespace {

constexpr int kMeanDigits = 6;

YAML::Node pcvs_node(const DerivedOutcome& outcome, const YAML::Node& told) {
  YAML::Node node;
  node.SetStyle(YAML::EmitterStyle::Flow);
  for (const DerivedPcv& pcv : outcome.pcvs) {
    // A range or a value that was told of it.
    if (told.IsDefined() && told.IsMap())
      node[pcv.name] = told[pcv.name].IsDefined() ? YAML::Clone(told[pcv.name]) : YAML::Node("0..");
    else
      node.push_back(pcv.name);
  }
  return node;
}

YAML::Node cost_node(const DerivedOutcome& outcome, std::size_t metric) {
  const DerivedCost& cost = outcome.costs[metric];
  YAML::Node node;
  node.SetStyle(YAML::EmitterStyle::Flow);
  node["formula"] = formula(outcome, metric);
  node["quality"] = cost.is_exact(outcome.calls) ? "exact" : "bounded";
  if (cost.is_counted && !cost.is_exact(outcome.calls) && outcome.calls > 0) {
    node["over_at_most"] = to_fraction(cost.over_at_most);
    node["over_mean"] = to_decimal(cost.over_sum / Rational(outcome.calls), kMeanDigits);
  }
  return node;
}

bool is_derived_key(const std::string& key) {
  return key == "pcvs" || key == library::kLatency ||
         std::ranges::find(library::kMetrics, key) != library::kMetrics.end();
}

YAML::Node outcome_node(const YAML::Node& told, const DerivedMethod& derived) {
  YAML::Node node;
  for (const auto& entry : told)
    if (const auto key = entry.first.as<std::string>(); !is_derived_key(key))
      node[key] = YAML::Clone(entry.second);
  const auto outcome =
      std::ranges::find(derived.outcomes, told["name"].as<std::string>(),
                        [](const DerivedOutcome& one) -> const std::string& { return one.outcome->name; });
  if (outcome == derived.outcomes.end()) return node;
  if (!outcome->pcvs.empty()) node["pcvs"] = pcvs_node(*outcome, told["pcvs"]);
  for (std::size_t metric = 0; metric < outcome->costs.size(); ++metric)
    node[std::string(metric_name(metric))] = cost_node(*outcome, metric);
  return node;
}

YAML::Node method_node(const YAML::Node& told, const DerivedMethod& derived) {
  YAML::Node node;
  for (const auto& entry : told)
    if (const auto key = entry.first.as<std::string>();
        key != "outcomes" && key != "code_sha256" && key != "driver")
      node[key] = YAML::Clone(entry.second);
  node["code_sha256"] = derived.code_sha256;
  for (const YAML::Node& outcome : told["outcomes"])
    node["outcomes"].push_back(outcome_node(outcome, derived));
  return node;
}

YAML::Node binary_node(const Binary& binary) {
  YAML::Node node;
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) node[key] = value;
  };
  put("file", binary.file);
  put("build_id", binary.build_id);
  put("code_sha256", binary.code_sha256);
  put("compiler", binary.compiler);
  put("flags", binary.flags);
  put(library::kLatencyCpu.data(), binary.latency_cpu);
  return node;
}

}  // namespace

std::string to_pack(const library::Pack& methods, const std::vector<DerivedMethod>& derived,
                    const Binary& binary) {
  const YAML::Node told = YAML::LoadFile(methods.path);
  YAML::Node pack;
  pack["schema"] = "perfpact.contract-pack/1";
  pack["library"] = methods.library;
  pack["binary"] = binary_node(binary);
  for (const YAML::Node& method : told["methods"]) {
    const auto found = std::ranges::find(
        derived, method["function"].as<std::string>(),
        [](const DerivedMethod& one) -> const std::string& { return one.method->function; });
    if (found != derived.end()) pack["methods"].push_back(method_node(method, *found));
  }
  YAML::Emitter text;
  text << pack;
  return fmt::format("# Derived by perfpact from {}.\n{}\n", binary.file, text.c_str());
}

}  // namespace perfpact::derive
