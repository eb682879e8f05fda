#include "program/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace perfpact::program {
namespace {

PathId path(std::initializer_list<std::pair<std::uint32_t, std::uint64_t>> decisions) {
  PathHasher hasher;
  for (const auto& [site, outcome] : decisions) hasher.decide(site, outcome);
  return hasher.id();
}

TEST(PathHasher, DependsOnOrderSiteAndOutcome) {
  const std::set<PathId> ids{path({}),       path({{0, 0}}),         path({{0, 0}, {0, 0}}), path({{1, 0}}),
                             path({{0, 1}}), path({{1, 2}, {3, 4}}), path({{3, 4}, {1, 2}})};
  EXPECT_EQ(ids.size(), 7U);
  EXPECT_EQ(path({{1, 2}, {3, 4}}), path({{1, 2}, {3, 4}}));
}

TEST(PathHasher, NoCollisionsInAMillionPaths) {
  std::vector<PathId> ids;
  for (std::uint32_t site = 0; site < 1000; ++site)
    for (std::uint64_t outcome = 0; outcome < 1000; ++outcome) ids.push_back(path({{site, outcome}}));
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

// Ids stand in people's files: they must never change.
TEST(PathHasher, IsStable) {
  EXPECT_EQ(to_string(path({})), "9e3779b97f4a7c15");
  EXPECT_EQ(to_string(path({{1, 2}, {3, 4}})), "3cc851430d0579ac");
  EXPECT_EQ(to_string(PathId{0x1f}), "000000000000001f");
}

TEST(Trace, LastPlaceIsOfTheLastPass) {
  const EventSite first{EventKind::Clone, Span{FileId{1}, {1, 1}, {1, 2}}, {}};
  const EventSite second{EventKind::Clone, Span{FileId{1}, {2, 1}, {2, 2}}, {}};
  Trace trace;
  EXPECT_EQ(last_place(trace, EventKind::Clone), Span{});
  trace.events = {{&second, {}}, {&first, {}}, {&second, {}}};
  EXPECT_EQ(last_place(trace, EventKind::Clone), second.at);
  trace.events.pop_back();
  trace.passes = {{0, false}, {1, true}};
  EXPECT_EQ(last_place(trace, EventKind::Clone), first.at);
  EXPECT_EQ(last_place(trace, EventKind::Resubmit), Span{});
  trace.passes.push_back({2, true});
  EXPECT_EQ(last_place(trace, EventKind::Clone), Span{});
}

TEST(Verdict, ToString) {
  EXPECT_EQ(to_string(Verdict(Sent{1})), "sent(1)");
  EXPECT_EQ(to_string(Verdict(Multicast{5, 3})), "multicast(5, 3)");
  EXPECT_EQ(to_string(Verdict(Dropped{})), "dropped");
  EXPECT_EQ(to_string(Verdict(Rejected{})), "rejected");
  EXPECT_EQ(to_string(Verdict(Error{"assertion failed"})), "error(assertion failed)");
  EXPECT_EQ(to_string(Verdict(Gap{"more than 64 passes", {}})), "gap(more than 64 passes)");
}

}  // namespace
}  // namespace perfpact::program
