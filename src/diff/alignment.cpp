#include "diff/alignment.h"

#include <algorithm>

namespace perfpact::diff {
namespace {

// The same line: by its text where both know it, else by what it does.
bool is_same(const Line& a, const Line& b) {
  if (a.function != b.function) return false;
  if (!a.text.empty() && !b.text.empty()) return a.text == b.text;
  return a.costs == b.costs && a.calls == b.calls;
}

// Of each element of `after` the one of `before` that it stands for: the longest common subsequence.
template <class T, class Same>
std::vector<const T*> aligned(const std::vector<T>& before, const std::vector<T>& after, const Same& same) {
  const std::size_t rows = before.size(), columns = after.size();
  std::vector<std::vector<std::uint32_t>> longest(rows + 1, std::vector<std::uint32_t>(columns + 1));
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      longest[i][j] = same(before[i], after[j]) ? longest[i + 1][j + 1] + 1
                                                : std::max(longest[i + 1][j], longest[i][j + 1]);
  std::vector<const T*> found(columns);
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    if (same(before[i], after[j]))
      found[j++] = &before[i++];
    else if (longest[i + 1][j] >= longest[i][j + 1])
      ++i;
    else
      ++j;
  }
  return found;
}

std::int64_t cost_of(const Line& line, const std::string& metric) {
  const auto cost = line.costs.find(metric);
  return cost == line.costs.end() ? 0 : static_cast<std::int64_t>(cost->second);
}

std::vector<std::string> calls_of(const std::vector<Line>& lines) {
  std::vector<std::string> all;
  for (const Line& line : lines) all.insert(all.end(), line.calls.begin(), line.calls.end());
  return all;
}

}  // namespace

std::vector<Place> dearer_places(const std::vector<Line>& before, const std::vector<Line>& after,
                                 const std::string& metric) {
  const std::vector<std::string> calls_before = calls_of(before), calls_after = calls_of(after);
  const auto same_calls = aligned(calls_before, calls_after, std::equal_to<>());
  const auto same_lines = aligned(before, after, is_same);
  std::vector<Place> places;
  std::size_t call = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Line& line = after[i];
    Place place{line.at, line.text, cost_of(line, metric), {}};
    if (same_lines[i] != nullptr) place.more -= cost_of(*same_lines[i], metric);
    for (const std::string& name : line.calls)
      if (same_calls[call++] == nullptr) place.calls.push_back(name);
    if (place.more > 0 || !place.calls.empty()) places.push_back(std::move(place));
  }
  return places;
}

}  // namespace perfpact::diff
