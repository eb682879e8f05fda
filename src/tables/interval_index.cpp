#include "tables/interval_index.h"

#include <algorithm>
#include <numeric>

namespace perfpact::tables {

// The intervals of one bucket, painted in the order of the members; what is painted stays, and a painted
// stretch is skipped at once.
std::vector<IntervalIndex::Interval> IntervalIndex::paint(std::span<const Member> members) {
  std::vector<Interval> result(1);
  for (const Member& member : members) {
    result.push_back({member.low});
    if (member.high != ~std::uint64_t{0}) result.push_back({member.high + 1});
  }
  std::ranges::sort(result, {}, &Interval::low);
  result.erase(std::ranges::unique(result, {}, &Interval::low).begin(), result.end());

  const std::size_t count = result.size();
  std::vector<std::size_t> next_free(count + 1);
  std::iota(next_free.begin(), next_free.end(), 0);
  const auto free_from = [&next_free](std::size_t at) {
    std::size_t end = at;
    while (next_free[end] != end) end = next_free[end];
    while (next_free[at] != end && at != end) at = std::exchange(next_free[at], end);
    return end;
  };
  for (const Member& member : members) {
    const auto start = std::ranges::lower_bound(result, member.low, {}, &Interval::low);
    for (std::size_t at = free_from(static_cast<std::size_t>(start - result.begin()));
         at < count && result[at].low <= member.high; at = free_from(at)) {
      result[at].winner = member.entry;
      next_free[at] = at + 1;
    }
  }
  return result;
}

// As many slots as there are intervals.
void IntervalIndex::add_bucket(std::span<const Member> members) {
  const std::vector<Interval> rising = paint(members);
  const auto first = static_cast<std::uint32_t>(intervals_.size());
  intervals_.insert(intervals_.end(), rising.begin(), rising.end());
  Guess guess{rising.size() > 1 ? rising[1].low : 0, 0, first, static_cast<std::uint32_t>(positions_.size()),
              0};
  const std::uint64_t span = rising.back().low - std::min(guess.low, rising.back().low);
  while ((span >> guess.shift) >= rising.size()) ++guess.shift;
  guess.slots = static_cast<std::uint32_t>(span >> guess.shift) + 1;
  for (std::uint32_t slot = 0; slot < guess.slots; ++slot)
    positions_.push_back(first + static_cast<std::uint32_t>(last_not_above(
                                     rising, guess.low + (std::uint64_t{slot} << guess.shift))));
  positions_.push_back(first + static_cast<std::uint32_t>(rising.size()) - 1);
  guesses_.push_back(guess);
}

}  // namespace perfpact::tables
