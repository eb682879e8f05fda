// Suggestions for misspelt names.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfpact {

/// Number of single-character insertions, deletions, substitutions and swaps of neighbours.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, if it is near enough to be what was meant. A candidate that differs in
/// its qualification only (`ingress.t` for `t`) counts as near.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      const std::vector<std::string>& candidates);

/// `; did you mean 'x'?` or nothing: to be put at the end of a message.
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace perfpact
