#include "tables/schema.h"

#include <algorithm>
#include <array>

namespace perfpact::tables {
namespace {

constexpr std::array<std::string_view, 6> kKindNames{"range", "ternary", "optional",
                                                     "lpm",   "exact",   "selector"};

}  // namespace

std::string_view to_string(MatchKind kind) {
  return kKindNames.at(static_cast<std::size_t>(kind));
}

std::optional<MatchKind> find_match_kind(std::string_view name) {
  const auto found = std::ranges::find(kKindNames, name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<MatchKind>(found - kKindNames.begin());
}

unsigned TableSchema::key_bits() const {
  unsigned bits = 0;
  for (const KeySchema& key : keys) bits += key.width;
  return bits;
}

std::string_view TableSchema::kind() const {
  if (keys.empty()) return "none";
  return to_string(std::ranges::min(keys, {}, &KeySchema::kind).kind);
}

bool TableSchema::has_priorities() const {
  return std::ranges::any_of(keys, [](const KeySchema& key) { return key.kind <= MatchKind::Optional; });
}

}  // namespace perfpact::tables
