#include "timing/hierarchy.h"

#include <algorithm>

namespace perfpact::timing {

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

}  // namespace perfpact::timing
