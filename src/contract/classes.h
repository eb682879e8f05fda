// Input classes: which packets, in which state, and what they promise about PCVs (docs/formats.md,
// "Classes"). Tested by tests/contract/classes_test.cpp.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formula/formula.h"
#include "packet/filter.h"

namespace perfpact::contract {

/// From `low` to `high`, both included; no `high`: no limit.
struct Range {
  std::uint64_t low = 0;
  std::optional<std::uint64_t> high;
  friend bool operator==(const Range&, const Range&) = default;
};

struct InputClass {
  std::string name;
  std::optional<packet::Filter> filter;
  std::string filter_text;
  std::optional<formula::Formula> where;
  /// By the PCV's name, or the end of it: `flows.get.t`, `get.t`, `t`; `expire.*` are all of calls of
  /// `expire`. The longest counts.
  std::map<std::string, Range, std::less<>> pcvs;
  Span at, filter_at;
};

/// Whether `name` is meant by `wanted`, which may lack the beginning: `get.t` means `flows.get.t`, and
/// `expire.*` means `flows.expire.e` and `flows.expire.erase.t`.
[[nodiscard]] bool is_meant(std::string_view name, std::string_view wanted);
/// What the class promises of a PCV, by the longest name that means it; null where it says nothing.
[[nodiscard]] const Range* promised(const InputClass& one, std::string_view name);

inline constexpr std::string_view kOther = "other";

/// Reads a file of schema perfpact.classes/1.
[[nodiscard]] Result<std::vector<InputClass>> load_classes(const std::string& path, Diagnostics& diagnostics);

}  // namespace perfpact::contract
