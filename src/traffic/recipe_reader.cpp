#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "traffic/diagnostics.h"
#include "traffic/recipe.h"
#include "traffic/stream_reader.h"

namespace perfpact::traffic {
namespace {

constexpr std::uint64_t kMostSeconds = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostPackets = std::uint64_t{1} << 40;
constexpr std::uint64_t kLargestWeight = 1'000'000;

class RecipeReader {
 public:
  RecipeReader(std::string folder, Diagnostics& diagnostics)
      : folder_(std::move(folder)), diagnostics_(diagnostics) {}

  Result<Recipe> read(const Yaml& root) {
    const std::size_t errors_before = diagnostics_.error_count();
    YamlMap map(root, diagnostics_, "traffic recipe");
    if (map.is_valid()) {
      map.check_schema("perfpact.traffic/1");
      if (const auto seed = map.require("seed"))
        recipe_.seed =
            seed->as_u64("seed", std::numeric_limits<std::uint64_t>::max(), diagnostics_).value_or(0);
      if (const auto start = map.optional("start"))
        recipe_.start_seconds = start->as_u64("start", kMostSeconds, diagnostics_).value_or(0);
      if (const auto routes = map.optional("routes")) read_tables(*routes);
      if (const auto flows = map.optional("flows")) read_flows(*flows);
      const auto phases = map.require("phases");
      map.finish();
      // What depends on flows that could not be read would be said to be wrong for no reason of its own.
      if (diagnostics_.error_count() == errors_before && phases) read_phases(*phases);
    }
    if (diagnostics_.error_count() != errors_before) return std::unexpected(diagnostics_.already_reported());
    return std::move(recipe_);
  }

 private:
  bool is_map(const Yaml& yaml, std::string_view what) {
    if (yaml.is_map()) return true;
    diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), what, "a mapping", yaml.describe());
    return false;
  }

  void read_tables(const Yaml& yaml) {
    if (!is_map(yaml, "routes")) return;
    for (const auto& [name, inner] : yaml.entries())
      if (auto routes = read_routes(inner, folder_, derive_seed(recipe_.seed, ++parts_), diagnostics_))
        recipe_.routes.emplace(name.text(), std::make_shared<const Routes>(std::move(*routes)));
  }

  void read_flows(const Yaml& yaml) {
    if (!is_map(yaml, "flows")) return;
    for (const auto& [name, inner] : yaml.entries())
      if (auto flows = FlowSet::read(name.text(), inner, recipe_.routes, derive_seed(recipe_.seed, ++parts_),
                                     diagnostics_))
        recipe_.flows.emplace(name.text(), std::move(*flows));
  }

  void read_phases(const Yaml& yaml) {
    if (!yaml.is_list() || yaml.items().empty()) {
      diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), "phases", "a list of phases",
                          yaml.describe());
      return;
    }
    for (const Yaml& item : yaml.items()) read_phase(item);
    check_duration(yaml.span());
  }

  void read_phase(const Yaml& yaml) {
    YamlMap map(yaml, diagnostics_, "a phase");
    if (!map.is_valid()) return;
    Phase phase;
    if (const auto name = map.require_string("name")) {
      phase.name = *name;
      if (!names_.insert(*name).second)
        diagnostics_.report(diag::kPhaseTwice, map.optional("name")->span(), *name);
    }
    if (const auto packets = map.require("packets"))
      phase.packets = packets->as_u64("packets", kMostPackets, diagnostics_).value_or(0);
    if (const auto gap = map.optional("gap")) phase.gap_ns = read_duration(*gap);
    phase.wait_ns = phase.gap_ns;
    if (const auto wait = map.optional("wait")) phase.wait_ns = read_duration(*wait);
    if (const auto measured = map.optional("measured"))
      phase.measured = read_flag(*measured, "measured", diagnostics_).value_or(false);
    read_streams(map, phase);
    map.finish();
    recipe_.phases.push_back(std::move(phase));
  }

  void read_streams(YamlMap& map, Phase& phase) {
    const StreamContext context{recipe_.flows, recipe_.routes, phase.packets};
    const auto mix = map.optional("mix");
    if (!mix) {
      if (auto stream = read_stream(map, context, diagnostics_)) phase.streams.push_back(std::move(*stream));
      return;
    }
    for (const std::string_view key : {"port", "flows", "headers", "payload"})
      if (const auto misplaced = map.optional(key))
        diagnostics_.report(diag::kMixAndStream, misplaced->span(), phase.name, key);
    if (!mix->is_list() || mix->items().empty())
      diagnostics_.report(perfpact::diag::kYamlExpected, mix->span(), "mix", "a list of streams",
                          mix->describe());
    std::uint64_t weights = 0;
    for (const Yaml& item : mix->items()) {
      YamlMap one(item, diagnostics_, "a stream");
      if (!one.is_valid()) continue;
      std::uint64_t weight = 0;
      if (const auto given = one.require("weight"))
        weight = given->as_u64("weight", kLargestWeight, diagnostics_).value_or(0);
      weights += weight;
      auto stream = read_stream(one, context, diagnostics_);
      one.finish();
      if (!stream) continue;
      stream->weight = static_cast<std::uint32_t>(weight);
      if (weight > 0) phase.streams.push_back(std::move(*stream));
    }
    if (weights == 0) diagnostics_.report(diag::kNoWeight, mix->span(), phase.name);
  }

  // `1us`, `0.5ms`: in nanoseconds.
  std::uint64_t read_duration(const Yaml& yaml) {
    static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> kUnits{
        {{"ns", 1}, {"us", 1000}, {"ms", 1'000'000}, {"s", kNanoseconds}}};
    const auto text = yaml.as_string("a time", diagnostics_);
    if (!text) return 0;
    const std::size_t unit_at = text->find_first_not_of("0123456789./e-");
    const std::string_view whole = *text;
    const auto unit = std::ranges::find(kUnits, unit_at == std::string::npos ? "" : whole.substr(unit_at),
                                        &std::pair<std::string_view, std::uint64_t>::first);
    const auto number = parse_rational(whole.substr(0, unit_at));
    if (unit != kUnits.end() && number) {
      const Rational ns = *number * Rational(unit->second);
      if (ns >= 0 && ns <= Rational(kMostSeconds * kNanoseconds) && is_integer(ns))
        return floor(ns).convert_to<std::uint64_t>();
    }
    diagnostics_.report(diag::kDuration, yaml.span(), *text);
    return 0;
  }

  void check_duration(const Span& span) {
    Wide ns = Wide{recipe_.start_seconds} * kNanoseconds;
    for (const Phase& phase : recipe_.phases) ns += Wide{phase.wait_ns} + Wide{phase.packets} * phase.gap_ns;
    if (ns / kNanoseconds > kMostSeconds) diagnostics_.report(diag::kTooLong, span, kMostSeconds);
  }

  std::string folder_;
  Diagnostics& diagnostics_;
  Recipe recipe_;
  std::uint64_t parts_ = 0;  // each has a seed of its own
  std::set<std::string> names_;
};

}  // namespace

Result<Recipe> load_recipe(const std::string& path, Diagnostics& diagnostics) {
  const auto root = load_yaml(path, diagnostics);
  if (!root) return std::unexpected(root.error());
  return RecipeReader(std::filesystem::path(path).parent_path().string(), diagnostics).read(*root);
}

}  // namespace perfpact::traffic
