// Names as control-plane files use them: the full dotted name, or any suffix of whole parts that is unique.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/spelling.h"
#include "tables/diagnostics.h"

namespace perfpact::tables {

/// Indices of the items (with a member `name`) that are meant by `name`: the one that is called so, else all
/// that end in `.name`.
template <class Items>
[[nodiscard]] std::vector<std::size_t> find_names(std::string_view name, const Items& items) {
  std::vector<std::size_t> result;
  std::size_t index = 0;
  for (const auto& item : items) {
    const std::string_view full = item.name;
    if (full == name) return {index};
    if (!name.empty() && full.size() > name.size() && full.ends_with(name) &&
        full[full.size() - name.size() - 1] == '.')
      result.push_back(index);
    ++index;
  }
  return result;
}

template <class Items>
[[nodiscard]] std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> result;
  for (const auto& item : items) result.push_back(item.name);
  return result;
}

/// The item meant by `name`. Reports ambiguous-name, or `unknown` with the `context` arguments before the
/// name and a suggestion after it.
template <class Items, class... Context>
[[nodiscard]] Result<std::size_t> resolve_name(const Items& items, std::string_view name, const Span& span,
                                               Diagnostics& diagnostics, const DiagnosticKind& unknown,
                                               const Context&... context) {
  const std::vector<std::size_t> found = find_names(name, items);
  if (found.size() == 1) return found.front();
  if (found.empty())
    return std::unexpected(
        diagnostics.report(unknown, span, context..., name, did_you_mean(name, names_of(items))));
  std::vector<std::string> meant;
  for (std::size_t index : found) meant.push_back("'" + items[index].name + "'");
  return std::unexpected(diagnostics.report(diag::kAmbiguousName, span, name, fmt::join(meant, " or ")));
}

}  // namespace perfpact::tables
