#include "report/diff.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "report/layout.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;
using diff::Change;
using diff::Place;

constexpr int kPercentageDigits = 3;  // of percentages

bool is_equal(const Change& change) {
  return change.before == change.after;
}

/// `+12.5 %`
std::string percentage(const Change& change) {
  if (!change.ratio) return "without limit";
  return fmt::format("{}{} %", *change.ratio > 0 ? "+" : "",
                     to_decimal(*change.ratio * 100, kPercentageDigits));
}

std::string cost(const std::string& formula, const std::optional<Rational>& most) {
  return most && to_decimal(*most) != formula ? fmt::format("{} (at most {})", formula, to_decimal(*most))
                                              : formula;
}

/// `nat.c:120: if (hash_map_get(...)): +12, calls flows.get hit`
std::string describe(const Place& place) {
  std::string text = place.at;
  if (!place.text.empty()) text += fmt::format(": {}", place.text);
  if (place.more > 0) text += fmt::format(": +{}", place.more);
  if (!place.calls.empty())
    text += fmt::format("{} calls {}", place.more > 0 ? "," : ":", fmt::join(place.calls, ", "));
  return text;
}

std::size_t violations(const DiffView& view) {
  return static_cast<std::size_t>(std::ranges::count_if(
      view.diff.changes, [&](const Change& change) { return change.is_beyond(view.allowed); }));
}

std::string headline(const DiffView& view) {
  const std::size_t beyond = violations(view);
  const auto changed =
      view.diff.changes.size() - static_cast<std::size_t>(std::ranges::count_if(view.diff.changes, is_equal));
  return fmt::format("{} of {} costs differ; {} dearer by more than {} %", changed, view.diff.changes.size(),
                     beyond, to_decimal(view.allowed * 100, kPercentageDigits));
}

std::pair<std::string, std::optional<std::uint32_t>> split(const std::string& at) {
  const std::size_t colon = at.rfind(':');
  std::uint32_t line = 0;
  if (colon == std::string::npos) return {at, std::nullopt};
  const auto [end, error] = std::from_chars(at.data() + colon + 1, at.data() + at.size(), line);
  if (error != std::errc() || end != at.data() + at.size()) return {at, std::nullopt};
  return {at.substr(0, colon), line};
}

Json location(const Place& place) {
  const auto [file, line] = split(place.at);
  if (!line) return {{"logicalLocations", {{{"name", file}, {"kind", "function"}}}}};
  return {{"physicalLocation", {{"artifactLocation", {{"uri", file}}}, {"region", {{"startLine", *line}}}}}};
}

}  // namespace

std::string to_text(const DiffView& view) {
  std::string out = fmt::format("{} -> {}: {}\n", view.before, view.after, headline(view));
  for (const Change& change : view.diff.changes) {
    if (is_equal(change)) continue;
    out += fmt::format("\n{}, {}: {}{}\n  old: {}\n  new: {}\n", change.name, change.metric,
                       percentage(change), change.is_beyond(view.allowed) ? ", more than is allowed" : "",
                       cost(change.before, change.before_most), cost(change.after, change.after_most));
    if (change.is_beyond(0)) out += fmt::format("  path: {}\n", change.path);
    for (const Place& place : change.places) out += fmt::format("  {}\n", describe(place));
  }
  return out;
}

std::string to_markdown(const DiffView& view) {
  std::string out = fmt::format("### {} → {}\n\n{}\n", view.before, view.after, headline(view));
  if (std::ranges::all_of(view.diff.changes, is_equal)) return out;
  out += "\n| Class | Metric | Old | New | Change | Where |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Change& change : view.diff.changes) {
    if (is_equal(change)) continue;
    std::vector<std::string> places;
    places.reserve(change.places.size());
    for (const Place& place : change.places) places.push_back(fmt::format("`{}`", describe(place)));
    std::string row = fmt::format("{} | {} | `{}` | `{}` | {}{} | {}", change.name, change.metric,
                                  cost(change.before, change.before_most),
                                  cost(change.after, change.after_most), percentage(change),
                                  change.is_beyond(view.allowed) ? " ❌" : "", fmt::join(places, "<br>"));
    out += fmt::format("| {} |\n", row);
  }
  return out;
}

std::string to_json(const DiffView& view) {
  Json out{{"schema", "perfpact.diff/1"},
           {"old", view.before},
           {"new", view.after},
           {"allowed", to_fraction(view.allowed)},
           {"classes", Json::array()}};
  const auto fraction = [](const std::optional<Rational>& number) {
    return number ? Json(to_fraction(*number)) : Json();
  };
  for (const Change& change : view.diff.changes) {
    Json places = Json::array();
    for (const Place& place : change.places)
      places.push_back(
          {{"at", place.at}, {"text", place.text}, {"more", place.more}, {"calls", place.calls}});
    out["classes"].push_back({{"name", change.name},
                              {"metric", change.metric},
                              {"old", change.before},
                              {"new", change.after},
                              {"old_most", fraction(change.before_most)},
                              {"new_most", fraction(change.after_most)},
                              {"change", fraction(change.ratio)},
                              {"is_allowed", !change.is_beyond(view.allowed)},
                              {"path", change.path},
                              {"line", change.places.empty() ? Json() : Json(change.places.front().at)},
                              {"places", places}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// SARIF 2.1.0 (OASIS), of what is dearer; what is more than allowed is an error, the rest notes.
std::string to_sarif(const DiffView& view) {
  Json results = Json::array();
  for (const Change& change : view.diff.changes) {
    if (!change.is_beyond(0)) continue;
    Json locations = Json::array();
    for (const Place& place : change.places) locations.push_back(location(place));
    results.push_back({{"ruleId", "dearer-class"},
                       {"level", change.is_beyond(view.allowed) ? "error" : "note"},
                       {"message",
                        {{"text", fmt::format("{}: {} {}: {} instead of {}", change.name, change.metric,
                                              percentage(change), cost(change.after, change.after_most),
                                              cost(change.before, change.before_most))}}},
                       {"locations", locations}});
  }
  const Json rule{{"id", "dearer-class"},
                  {"shortDescription", {{"text", "Packets of a class can cost more than before"}}}};
  const Json out{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", {{{"tool", {{"driver", {{"name", "perfpact"}, {"rules", {rule}}}}}}, {"results", results}}}}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfpact::report
