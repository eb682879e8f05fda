#include "program/event.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfpact::program {
namespace {

// In the order of EventKind.
constexpr std::array<EventSchema, kEventKinds> kSchemas{{
    {"start", {"pass"}, {}},
    {"parser.state", {"name"}, {}},
    {"parser.extract", {"header"}, {"bits"}},
    {"parser.lookahead", {}, {"bits"}},
    {"parser.advance", {}, {"bits"}},
    {"parser.select", {}, {"cases", "key_bits"}},
    {"table.apply", {"table", "kind"}, {"entries", "key_bits", "hit", "visited", "prefix_length"}},
    {"action.run", {"action"}, {"data_bits"}},
    {"assign", {}, {"bits"}},
    {"compute", {"operator"}, {"bits"}},
    {"header.set_valid", {"header"}, {}},
    {"header.set_invalid", {"header"}, {}},
    {"checksum", {}, {"bits"}},
    {"hash", {"algorithm"}, {"bits"}},
    {"register.read", {"register"}, {"bits"}},
    {"register.write", {"register"}, {"bits"}},
    {"counter", {"counter"}, {}},
    {"meter", {"meter"}, {}},
    {"random", {}, {"bits"}},
    {"digest", {}, {"bits"}},
    {"clone", {}, {}},
    {"resubmit", {}, {}},
    {"recirculate", {}, {}},
    {"deparser.emit", {"header"}, {"bits"}},
    {"send", {}, {"port"}},
    {"drop", {}, {}},
}};

constexpr std::array<std::string_view, 5> kPasses{"normal", "resubmit", "recirculate", "clone", "replica"};
constexpr std::array<std::string_view, 7> kTableKinds{"range", "ternary",  "optional", "lpm",
                                                      "exact", "selector", "none"};

template <std::size_t Size>
std::optional<std::size_t> index_of(const std::array<std::string_view, Size>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (name.empty() || found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

const EventSchema& schema(EventKind kind) {
  return kSchemas[static_cast<std::size_t>(kind)];
}

std::optional<EventKind> find_event_kind(std::string_view name) {
  for (std::size_t i = 0; i < kEventKinds; ++i)
    if (kSchemas[i].name == name) return static_cast<EventKind>(i);
  return std::nullopt;
}

std::span<const std::string_view> possible_texts(EventKind kind, std::string_view attribute) {
  if (kind == EventKind::Start && attribute == "pass") return kPasses;
  if (kind == EventKind::TableApply && attribute == "kind") return kTableKinds;
  return {};
}

std::optional<std::int64_t> Event::number(std::string_view name) const {
  if (auto index = index_of(schema(kind()).numbers, name)) return numbers[*index];
  return std::nullopt;
}

std::optional<std::string_view> Event::text(std::string_view name) const {
  if (auto index = index_of(schema(kind()).texts, name)) return site->texts[*index];
  return std::nullopt;
}

bool operator==(const Event& a, const Event& b) {
  if (a.numbers != b.numbers) return false;
  if (a.site == b.site) return true;
  return a.site->kind == b.site->kind && a.site->at == b.site->at && a.site->texts == b.site->texts;
}

std::string describe(const Event& event) {
  const EventSchema& kind = schema(event.kind());
  std::string texts;
  for (std::size_t i = 0; i < kind.texts.size() && !kind.texts[i].empty(); ++i)
    texts += fmt::format("{}{}", texts.empty() ? "" : ", ", event.site->texts[i]);
  std::string numbers;
  for (std::size_t i = 0; i < kind.numbers.size() && !kind.numbers[i].empty(); ++i)
    numbers += fmt::format("{}{} {}", numbers.empty() ? "" : ", ", kind.numbers[i], event.numbers[i]);
  if (texts.empty() && numbers.empty()) return std::string(kind.name);
  return fmt::format("{}({}{}{})", kind.name, texts, !texts.empty() && !numbers.empty() ? "; " : "", numbers);
}

}  // namespace perfpact::program
