#include "timing/must_cache.h"

#include <algorithm>

namespace perfpact::timing {

MustCache::MustCache(const Cache& cache) : ways_(cache.ways), sets_(cache.sets()) {}

bool MustCache::access(const Line& line) {
  const bool is_known = line.origin == 0;
  Set& own = is_known ? sets_[line.number % sets_.size()] : somewhere_;
  const auto held = std::ranges::find(own, line, &Held::line);
  const bool hits = held != own.end();
  const std::uint32_t age = hits ? held->age : ways_;
  if (hits) own.erase(held);
  grow_older(own, age);
  if (is_known)
    grow_older(somewhere_, age);
  else
    for (Set& set : sets_) grow_older(set, age);
  own.push_back({line, 0});
  return hits;
}

void MustCache::grow_older(Set& set, std::uint32_t age) const {
  for (Held& held : set)
    if (held.age < age) ++held.age;
  std::erase_if(set, [this](const Held& held) { return held.age >= ways_; });
}

void MustCache::clear() {
  somewhere_.clear();
  for (Set& set : sets_) set.clear();
}

}  // namespace perfpact::timing
