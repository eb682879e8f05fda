#include "timing/latencies.h"

#include <fmt/ranges.h>

#include <vector>

#include "base/yaml.h"
#include "timing/diagnostics.h"

namespace perfpact::timing {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostWays = 1 << 10;
constexpr std::uint64_t kMostCycles = 1'000'000;

std::uint64_t read_number(YamlMap& map, std::string_view key, std::uint64_t most, Diagnostics& diagnostics) {
  const auto value = map.require(key);
  return value ? value->as_u64(fmt::format("'{}'", key), most, diagnostics).value_or(0) : 0;
}

MemoryLevel read_level(YamlMap& map, bool is_cache, Diagnostics& diagnostics) {
  MemoryLevel level;
  level.cycles = static_cast<std::uint32_t>(read_number(map, "cycles", kMostCycles, diagnostics));
  if (!is_cache) return level;
  level.cache = {read_number(map, "bytes", kMostBytes, diagnostics),
                 static_cast<std::uint32_t>(read_number(map, "ways", kMostWays, diagnostics)),
                 static_cast<std::uint32_t>(read_number(map, "line", kMostWays, diagnostics))};
  const auto& [bytes, ways, line] = level.cache;
  if (!diagnostics.has_errors() &&
      (ways == 0 || line == 0 || bytes % (std::uint64_t{ways} * line) != 0 || level.cache.sets() < 2))
    diagnostics.report(diag::kMemoryGeometry, map.yaml().span(), bytes, ways, line);
  return level;
}

}  // namespace

Result<Latencies> Latencies::load(const std::string& path, Diagnostics& diagnostics) {
  const auto yaml = load_yaml(path, diagnostics);
  if (!yaml) return std::unexpected(yaml.error());
  YamlMap root(*yaml, diagnostics, "memory latencies");
  root.check_schema("perfpact.memory/1");
  root.allow("cpu");
  root.allow("tsc_per_cycle");
  Latencies result{.origin = path};
  if (const auto levels = root.require("levels")) {
    std::vector<std::string> names;
    for (const Yaml& one : levels->items()) {
      YamlMap map(one, diagnostics, "a level of memory");
      names.push_back(map.require_string("name").value_or(""));
      if (names.size() > kLevelNames.size()) continue;  // one too many
      result.levels[names.size() - 1] = read_level(map, names.size() < kLevelNames.size(), diagnostics);
      map.finish();
    }
    if (!std::ranges::equal(names, kLevelNames))
      diagnostics.report(diag::kMemoryLevels, levels->span(), fmt::format("{}", fmt::join(names, ", ")));
    for (std::size_t i = 1; i < kLevelNames.size() && !diagnostics.has_errors(); ++i)
      if (result.levels[i].cycles < result.levels[i - 1].cycles)
        diagnostics.report(diag::kMemoryOrder, levels->span(), kLevelNames[i], result.levels[i].cycles,
                           kLevelNames[i - 1]);
  }
  root.finish();
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  return result;
}

std::string to_string(const Latencies& latencies) {
  std::vector<std::string> levels;
  levels.reserve(kLevelNames.size());
  for (std::size_t i = 0; i < kLevelNames.size(); ++i)
    levels.push_back(fmt::format("{} {}", kLevelNames[i], latencies.levels[i].cycles));
  return fmt::format("{} cycles ({})", fmt::join(levels, ", "), latencies.origin);
}

}  // namespace perfpact::timing
