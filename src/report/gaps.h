// Gaps of an exploration, told once for each reason and place.
#pragma once
#include <algorithm>
#include <vector>

#include "report/layout.h"

namespace perfpact::report {

/// Those with the same reason and place.
template <class Gap>
struct GapsOfAKind {
  const Gap* first;
  std::size_t count;
};

template <class Gap>
std::vector<GapsOfAKind<Gap>> gaps_by_kind(const std::vector<Gap>& gaps) {
  std::vector<GapsOfAKind<Gap>> kinds;
  for (const Gap& gap : gaps) {
    const auto same = std::ranges::find_if(kinds, [&](const GapsOfAKind<Gap>& kind) {
      return kind.first->reason == gap.reason && kind.first->at == gap.at;
    });
    if (same == kinds.end())
      kinds.push_back({&gap, 1});
    else
      ++same->count;
  }
  return kinds;
}

/// `gap: time limit, l3.p4:12:5, 3 times`, a line.
template <class Gap>
std::string headline(const GapsOfAKind<Gap>& gaps) {
  const Gap& gap = *gaps.first;
  return fmt::format("gap: {}{}{}\n", gap.reason, gap.at.empty() ? "" : ", " + gap.at,
                     gaps.count > 1 ? fmt::format(", {} times", gaps.count) : "");
}

}  // namespace perfpact::report
