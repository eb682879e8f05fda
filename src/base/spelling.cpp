#include "base/spelling.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfpact {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestName = 256;
  if (name.size() > kLongestName) return std::nullopt;
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::optional<std::string> result;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    std::size_t distance = edit_distance(name, candidate);
    if (auto dot = candidate.rfind('.'); dot != std::string::npos)
      distance = std::min(distance, edit_distance(name, std::string_view(candidate).substr(dot + 1)));
    if (distance < best) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  if (auto nearest = nearest_name(name, candidates)) return fmt::format("; did you mean '{}'?", *nearest);
  return "";
}

}  // namespace perfpact
