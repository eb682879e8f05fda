#include "timing/hierarchy.h"

#include <algorithm>

namespace perfpact::timing {
namespace {

// APPROX(either): so many instructions long a line that is fetched is said to be on its way for all accesses.
constexpr std::uint32_t kOnItsWay = 16;

}  // namespace

bool LruCache::access(std::uint64_t line) {
  std::vector<std::uint64_t>& set = sets_[line % sets_.size()];
  const auto held = std::ranges::find(set, line);
  const bool hits = held != set.end();
  if (hits) {
    std::rotate(set.begin(), held, held + 1);
    return true;
  }
  if (set.size() == ways_) set.pop_back();
  set.insert(set.begin(), line);
  return false;
}

Hierarchy::Hierarchy(const Latencies& latencies)
    : line_(latencies.at(Level::L1).cache.line),
      caches_{LruCache(latencies.at(Level::L1).cache), LruCache(latencies.at(Level::L2).cache),
              LruCache(latencies.at(Level::Llc).cache)} {
  recent_.fill(~std::uint64_t{0});
}

bool Hierarchy::is_prefetched(std::uint64_t line) const {
  const auto touched = [&](std::uint64_t one) { return std::ranges::find(recent_, one) != recent_.end(); };
  return (touched(line - 1) && touched(line - 2)) || (touched(line + 1) && touched(line + 2));
}

Level Hierarchy::access(std::uint64_t address) {
  const std::uint64_t line = address / line_;
  std::size_t level = 0;
  while (level < caches_.size() && !caches_[level].access(line)) ++level;
  if (level == 0) return Level::L1;
  const bool was_coming = is_prefetched(line);
  recent_[next_++ % kRecent] = line;
  return was_coming ? Level::L1 : static_cast<Level>(level);
}

std::uint32_t Waits::of(std::uint64_t address, std::uint32_t bytes, std::uint32_t instruction) {
  std::uint32_t longest = 0;
  for (const std::uint64_t end : {address, address + bytes - 1}) {
    std::uint32_t wait = latencies_.beyond_l1(caches_.access(end));
    Fetched& last = fetched_[end / line_];
    if (wait == 0 && instruction - last.instruction <= kOnItsWay)
      wait = last.wait;
    else if (wait > 0)
      last = {instruction, wait};
    longest = std::max(longest, wait);
  }
  return longest;
}

}  // namespace perfpact::timing
