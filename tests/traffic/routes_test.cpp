#include "traffic/routes.h"

#include <set>

#include "read.h"

namespace perfpact::traffic {
namespace {

class RoutesTest : public test::Reading {
 protected:
  Routes read(const std::string& text) {
    auto routes = read_routes(yaml(text), folder.path(""), 1, diagnostics);
    EXPECT_TRUE(routes) << test::reported(diagnostics);
    return routes ? *routes : Routes{};
  }
  std::string fault(const std::string& text) {
    EXPECT_FALSE(read_routes(yaml(text), folder.path(""), 1, diagnostics));
    return test::reported(diagnostics);
  }
  test::Folder folder;
};

// The length of the longest match, by looking at all routes.
int longest_match(const Routes& routes, std::uint32_t address) {
  int longest = -1;
  for (const Route& route : routes) {
    const std::uint32_t mask = route.length == 0 ? 0 : ~std::uint32_t{0} << (32 - route.length);
    if ((address & mask) == route.prefix) longest = std::max(longest, static_cast<int>(route.length));
  }
  return longest;
}

TEST_F(RoutesTest, GroupsAreMadeAsAskedFor) {
  const Routes routes =
      read("[{count: 100, lengths: 8..24, ports: 3..5}, {count: 200, lengths: 25..32, within: 10.0.0.0/8}]");
  ASSERT_EQ(routes.size(), 300U);
  std::set<std::pair<std::uint32_t, unsigned>> seen;
  std::set<unsigned> lengths;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    EXPECT_TRUE(seen.emplace(routes[i].prefix, routes[i].length).second);
    const bool is_first = i < 100;
    EXPECT_GE(routes[i].length, is_first ? 8U : 25U);
    EXPECT_LE(routes[i].length, is_first ? 24U : 32U);
    EXPECT_EQ(is_first ? routes[i].port >= 3 && routes[i].port <= 5 : routes[i].port == 0, true);
    if (!is_first) {
      EXPECT_EQ(routes[i].prefix >> 24, 10U);
    }
    lengths.insert(routes[i].length);
  }
  EXPECT_EQ(lengths.size(), 25U);
}

TEST_F(RoutesTest, ScatteredOnesShareNo24Bits) {
  const Routes routes = read("[{count: 60000, lengths: 25..32, within: 10.0.0.0/8, scattered: true}]");
  std::set<std::uint32_t> groups;
  for (const Route& route : routes) groups.insert(route.prefix >> 8);
  EXPECT_EQ(groups.size(), 60000U);
}

TEST_F(RoutesTest, TextAndFileAgree) {
  const Routes routes = read("[{count: 500, lengths: 1..32, ports: 0..65535}]");
  folder.write("routes.txt", "# made\n\n" + to_text(routes) + "0.0.0.0/0 7  # a comment\n0.0.0.0/0 8\n");
  Routes expected = routes;
  expected.push_back({0, 0, 7});
  EXPECT_EQ(read("{file: routes.txt}"), expected);
}

TEST_F(RoutesTest, AddressesHaveLongestMatchesInTheRange) {
  const Routes routes = read(
      "[{count: 300, lengths: 1..32, within: 0.0.0.0/0}, {count: 300, lengths: 9..32, "
      "within: 10.0.0.0/8}, {count: 1, lengths: 8, within: 10.0.0.0/8}]");
  Random random(1);
  for (const auto& [shortest, longest] :
       std::vector<std::pair<unsigned, unsigned>>{{1, 24}, {25, 32}, {8, 8}}) {
    const auto addresses = RoutedAddresses::find(routes, shortest, longest);
    ASSERT_TRUE(addresses);
    std::set<int> lengths;
    for (int i = 0; i < 3000; ++i) {
      const int length = longest_match(routes, addresses->at(random()));
      ASSERT_GE(length, static_cast<int>(shortest));
      ASSERT_LE(length, static_cast<int>(longest));
      lengths.insert(length);
    }
    EXPECT_GE(lengths.size() + 10, longest - shortest + 1U);
  }
}

// Each route is as likely as the others, each address of it too.
TEST_F(RoutesTest, AddressesAreUniformWithinRoutes) {
  const Routes routes{{0, 0, 0}, {0x80000000, 30, 1}, {0x80000001, 32, 2}};
  const auto addresses = RoutedAddresses::find(routes, 30, 32);
  ASSERT_TRUE(addresses);
  EXPECT_EQ(addresses->routes(), 2U);
  std::map<std::uint32_t, int> counts;
  Random random(5);
  for (int i = 0; i < 60000; ++i) ++counts[addresses->at(random())];
  ASSERT_EQ(counts.size(), 4U);
  EXPECT_NEAR(counts[0x80000001], 30000, 600);
  EXPECT_NEAR(counts[0x80000000], 10000, 500);
  EXPECT_NEAR(counts[0x80000003], 10000, 500);
}

TEST_F(RoutesTest, RoutesCoveredByLongerOnesAreNotChosen) {
  const Routes routes{{0x0a000000, 8, 0}, {0x0a000000, 9, 0}, {0x0a800000, 9, 0}};
  EXPECT_FALSE(RoutedAddresses::find(routes, 8, 8));
  EXPECT_EQ(RoutedAddresses::find(routes, 1, 32)->routes(), 2U);
}

TEST_F(RoutesTest, Faults) {
  folder.write("bad.txt", "10.0.0.0/8 1\n10.0.0.1/8 1\n");
  EXPECT_EQ(fault("{file: bad.txt}"),
            fmt::format("1:8: line 2 of '{}': expected A.B.C.D/LENGTH PORT with a length from 0 to 32, not "
                        "'10.0.0.1/8 1' [traffic-bad-route]\n",
                        folder.path("bad.txt")));
}

TEST_F(RoutesTest, TooMany) {
  EXPECT_EQ(fault("[{count: 5, lengths: 2}]"),
            "1:2: cannot make 5 different routes: 4 were found [traffic-too-many-routes]\n");
}

TEST_F(RoutesTest, WrongForms) {
  EXPECT_EQ(fault("7"),
            "1:1: routes must be a list of groups or a mapping with 'file', not '7' [yaml-expected]\n");
}

TEST_F(RoutesTest, WrongGroups) {
  EXPECT_EQ(fault("[{count: 5, lengths: 9..8, scattered: maybe, within: 10.0.0.0}]"),
            "1:54: '10.0.0.0' is no prefix; expected an address and a length up to its 32 bits "
            "[traffic-prefix-length]\n"
            "1:22: '9..8' is no length of a prefix; expected a number or FIRST..LAST, from 0 to 32 "
            "[traffic-number-range]\n"
            "1:39: scattered must be true or false, not 'maybe' [yaml-expected]\n");
}

}  // namespace
}  // namespace perfpact::traffic
