#include "explore/native/entry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>

#include "base/spelling.h"
#include "base/yaml.h"
#include "explore/diagnostics.h"
#include "x86/registers.h"

namespace perfpact::explore {
namespace {

constexpr std::uint32_t kLongestPacket = 65535;  // bytes

std::optional<std::int64_t> to_number(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  std::string_view digits = text.substr(is_negative ? 1 : 0);
  const int base = digits.starts_with("0x") ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number, base);
  if (error != std::errc() || end != digits.end()) return std::nullopt;
  return static_cast<std::int64_t>(is_negative ? -number : number);
}

// Of an int, which can be written with a sign or without.
std::optional<std::int64_t> to_result(std::string_view text) {
  const std::optional<std::int64_t> number = to_number(text);
  if (!number || *number < std::numeric_limits<std::int32_t>::min() ||
      *number > std::numeric_limits<std::uint32_t>::max())
    return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<Assumption> to_assumption(std::string_view text) {
  using enum Assumption::Comparison;
  // Longer ones first.
  constexpr std::array<std::pair<std::string_view, Assumption::Comparison>, 6> kComparisons{
      {{"==", Equal},
       {"!=", NotEqual},
       {"<=", LessOrEqual},
       {">=", GreaterOrEqual},
       {"<", Less},
       {">", Greater}}};
  for (const auto& [sign, comparison] : kComparisons) {
    const std::size_t at = text.find(sign);
    if (at == std::string_view::npos) continue;
    const std::string_view name = trimmed(text.substr(0, at));
    const auto bound = to_number(trimmed(text.substr(at + sign.size())));
    if (name.empty() || !bound || trimmed(text.substr(at + sign.size())).starts_with('-'))
      return std::nullopt;
    return Assumption{std::string(name), comparison, static_cast<std::uint64_t>(*bound), {}};
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(const Yaml& root, Diagnostics& diagnostics)
      : map_(root, diagnostics, "an entry"), diagnostics_(diagnostics) {}

  std::optional<Entry> read() {
    if (!map_.is_valid() || !map_.check_schema("perfpact.entry/1")) return std::nullopt;
    Entry entry = read_preset();
    if (const auto function = map_.require_string("function")) entry.function = *function;
    if (const auto arguments = map_.optional("arguments")) read_arguments(*arguments, entry);
    if (const auto length = map_.optional("length")) read_length(*length, entry);
    if (const auto verdict = map_.optional("verdict")) read_verdict(*verdict, entry);
    if (const auto assumptions = map_.optional("assume"); assumptions && is_list(*assumptions, "assume"))
      for (const Yaml& assumption : assumptions->items()) read_assumption(assumption, entry);
    if (const auto structures = map_.optional("structures"); structures && is_map(*structures, "structures"))
      for (const auto& [key, value] : structures->entries())
        entry.structures.push_back({key.text(), value.text(), value.span()});
    if (const auto window = map_.optional("window"))
      diagnostics_.report(diag::kEntryNotYet, window->span(), "window");
    map_.allow("output");  // speaks of chains
    map_.finish();
    return entry;
  }

 private:
  Entry read_preset() {
    const auto preset = map_.optional("preset");
    if (!preset || preset->text() == "raw") return Entry::raw("");
    if (preset->text() != "mbuf") diagnostics_.report(diag::kEntryPreset, preset->span(), preset->text());
    return Entry::mbuf("");
  }

  bool is_list(const Yaml& yaml, std::string_view what) {
    if (yaml.is_list()) return true;
    diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), what, "a list", yaml.describe());
    return false;
  }
  bool is_map(const Yaml& yaml, std::string_view what) {
    if (yaml.is_map()) return true;
    diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), what, "a mapping", yaml.describe());
    return false;
  }

  void read_arguments(const Yaml& yaml, Entry& entry) {
    if (!is_map(yaml, "arguments")) return;
    entry.length = entry.port = entry.now_ns = std::nullopt;
    std::map<std::uint32_t, std::string> taken;
    for (const auto& [key, value] : yaml.entries()) {
      const auto position =
          value.as_u64(fmt::format("argument '{}'", key.text()), x86::kArguments.size() - 1, diagnostics_);
      if (!position) continue;
      const auto number = static_cast<std::uint32_t>(*position);
      const auto [other, is_free] = taken.emplace(number, key.text());
      if (!is_free)
        diagnostics_.report(diag::kEntrySamePosition, value.span(), other->second, key.text(), number);
      if (key.text() == "packet")
        entry.packet = number;
      else if (key.text() == "length")
        entry.length = number;
      else if (key.text() == "port")
        entry.port = number;
      else if (key.text() == "now_ns")
        entry.now_ns = number;
      else
        diagnostics_.report(diag::kEntryArgument, key.span(), key.text(),
                            did_you_mean(key.text(), {"packet", "length", "port", "now_ns"}));
    }
  }

  void read_length(const Yaml& yaml, Entry& entry) {
    const std::string text = yaml.text();
    const std::size_t dots = text.find("..");
    const auto low = to_number(text.substr(0, dots));
    const auto high = dots == std::string::npos ? low : to_number(text.substr(dots + 2));
    if (!low || !high || *low < 0 || *low > *high || *high > kLongestPacket) {
      diagnostics_.report(diag::kEntryLength, yaml.span(), text, kLongestPacket);
      return;
    }
    entry.shortest = static_cast<std::uint32_t>(*low);
    entry.longest = static_cast<std::uint32_t>(*high);
  }

  void read_verdict(const Yaml& yaml, Entry& entry) {
    YamlMap verdict(yaml, diagnostics_, "a verdict");
    const auto results = verdict.require("return");
    verdict.finish();
    if (!results || !is_map(*results, "return")) return;
    entry.results.clear();
    for (const auto& [key, value] : results->entries()) {
      const std::optional<Entry::Meaning> meaning = to_meaning(value);
      if (!meaning) continue;
      const auto number = to_result(key.text());
      if (key.text() == "other")
        entry.other = *meaning;
      else if (number &&
               std::ranges::find(entry.results, *number, &Entry::Returned::value) == entry.results.end())
        entry.results.push_back({*number, *meaning});
      else
        diagnostics_.report(diag::kEntryResult, key.span(), key.text());
    }
  }

  std::optional<Entry::Meaning> to_meaning(const Yaml& yaml) {
    if (yaml.text() == "dropped") return Entry::Meaning::Dropped;
    if (yaml.text() == "flood") return Entry::Meaning::Flood;
    if (yaml.text() == "sent") return Entry::Meaning::Sent;
    diagnostics_.report(diag::kEntryMeaning, yaml.span(), yaml.text());
    return std::nullopt;
  }

  void read_assumption(const Yaml& yaml, Entry& entry) {
    std::optional<Assumption> assumption = to_assumption(yaml.text());
    if (!assumption) {
      diagnostics_.report(diag::kEntryAssumption, yaml.span(), yaml.text());
      return;
    }
    assumption->at = yaml.span();
    entry.assumptions.push_back(std::move(*assumption));
  }

  YamlMap map_;
  Diagnostics& diagnostics_;
};

}  // namespace

Entry Entry::raw(std::string function) {
  Entry entry;
  entry.function = std::move(function);
  return entry;
}

Entry Entry::mbuf(std::string function) {
  Entry entry = raw(std::move(function));
  entry.preset = Preset::Mbuf;
  entry.packet = 0;
  entry.length = entry.port = entry.now_ns = std::nullopt;
  return entry;
}

Result<Entry> Entry::load(const std::string& path, Diagnostics& diagnostics) {
  const auto yaml = load_yaml(path, diagnostics);
  if (!yaml) return std::unexpected(yaml.error());
  std::optional<Entry> entry = Reader(*yaml, diagnostics).read();
  if (diagnostics.has_errors() || !entry) return std::unexpected(diagnostics.already_reported());
  return std::move(*entry);
}

}  // namespace perfpact::explore
