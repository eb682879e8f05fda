#include "traffic/value.h"

#include <set>

#include "read.h"

namespace perfpact::traffic {
namespace {

class ValueTest : public test::Reading {
 protected:
  Value read(const std::string& text) {
    const Yaml from = yaml(text);
    auto value = read_value(from, routes, diagnostics);
    EXPECT_TRUE(value) << test::reported(diagnostics);
    return *value;
  }
  std::string fault(const std::string& text) {
    SourceManager own_sources;
    Diagnostics own(own_sources);
    const auto root = parse_yaml(own_sources.add("recipe.yaml", text), own);
    EXPECT_FALSE(read_value(*root, routes, own)) << text;
    return test::reported(own);
  }
  // All values, by index; each index must give another one.
  std::set<std::uint64_t> all(const Value& value) {
    std::set<std::uint64_t> result;
    for (Wide i = 0; i < value.choices(); ++i) result.insert(static_cast<std::uint64_t>(value.at(i, 0, 0)));
    EXPECT_EQ(Wide{result.size()}, value.choices());
    return result;
  }

  RoutesByName routes{
      {"table", std::make_shared<const Routes>(Routes{{0x0a000000, 8, 1}, {0x0a000000, 9, 2}})}};
};

TEST_F(ValueTest, Forms) {
  EXPECT_EQ(all(read("0x10")), (std::set<std::uint64_t>{16}));
  EXPECT_EQ(all(read("10.0.0.1")), (std::set<std::uint64_t>{0x0a000001}));
  EXPECT_EQ(all(read("5..8")), (std::set<std::uint64_t>{5, 6, 7, 8}));
  EXPECT_EQ(all(read("10.0.0.254 .. 10.0.1.1")),
            (std::set<std::uint64_t>{0x0a0000fe, 0x0a0000ff, 0x0a000100, 0x0a000101}));
  EXPECT_EQ(all(read("10.0.0.0/30")),
            (std::set<std::uint64_t>{0x0a000000, 0x0a000001, 0x0a000002, 0x0a000003}));
  EXPECT_EQ(all(read("{one_of: [3, 7, 3, 1]}")), (std::set<std::uint64_t>{1, 3, 7}));
  // The bits under the mask are those of the value, the others any.
  EXPECT_EQ(all(read("0b1000 &&& 0b1010")), (std::set<std::uint64_t>{8, 9, 12, 13}));
  EXPECT_EQ(read("0:0:0:0:0:0 &&& 1:0:0:0:0:0").choices(), Wide{1} << 47);
  EXPECT_EQ(read("2001:db8::/64").choices(), Wide{1} << 64);
  EXPECT_EQ(read("::/0").choices(), ~Wide{0});
}

TEST_F(ValueTest, Counters) {
  const Value counter = read("{counter: 1024, step: 2}");
  EXPECT_EQ(counter.choices(), Wide{1});
  EXPECT_EQ(counter.at(0, 0, 9), Wide{1024});
  EXPECT_EQ(counter.at(0, 5, 9), Wide{1034});
  EXPECT_EQ(counter.largest(6), Wide{1034});
  EXPECT_EQ(read("{counter: 10.0.0.0}").natural_width, 32U);
}

TEST_F(ValueTest, RoutedAddressesHaveTheirLength) {
  const Value eight = read("{routes: table, lengths: 8}");
  const Value nine = read("{routes: table, lengths: 9..32}");
  for (std::uint64_t random = 1; random < 1000; ++random) {
    EXPECT_EQ(eight.at(0, 0, mix(random)) >> 23, Wide{0x0a000000 >> 23 | 1});
    EXPECT_EQ(nine.at(0, 0, mix(random)) >> 23, Wide{0x0a000000 >> 23});
  }
}

TEST_F(ValueTest, Faults) {
  EXPECT_EQ(fault("10.0.0"),
            "1:1: '10.0.0' is no value; expected a number, an address, a prefix ADDRESS/LENGTH, "
            "a range FIRST..LAST, VALUE &&& MASK, or a mapping with 'counter', 'one_of' or "
            "'routes' [traffic-bad-value]\n");
  EXPECT_NE(fault("5/8").find("[traffic-bad-value]"), std::string::npos);
  EXPECT_EQ(fault("10.0.0.0/33"),
            "1:1: '10.0.0.0/33' is no prefix; expected an address and a length up to its 32 bits "
            "[traffic-prefix-length]\n");
  EXPECT_EQ(fault("10.0.0.1/8"),
            "1:1: '10.0.0.1/8' has bits set that are left open by its length [traffic-bits-outside]\n");
  EXPECT_EQ(fault("3 &&& 1"),
            "1:1: '3 &&& 1' has bits set that are left open by its mask [traffic-bits-outside]\n");
  EXPECT_EQ(fault("8..5"),
            "1:1: the range '8..5' is empty: its first is above its last [traffic-empty-range]\n");
  EXPECT_EQ(fault("5..10.0.0.1"),
            "1:1: '5..10.0.0.1' is made of addresses of different kinds [traffic-widths]\n");
  EXPECT_EQ(fault("{one_of: []}"),
            "1:10: 'one_of' is empty; expected a list of values [traffic-nothing-to-choose]\n");
  EXPECT_EQ(fault("{countr: 1}"),
            "1:1: a value has one of the keys 'counter', 'one_of' and 'routes'; did you mean 'counter'? "
            "[traffic-value-form]\n");
  EXPECT_EQ(fault("{routes: tabel, lengths: 8}"),
            "1:10: there are no routes 'tabel'; did you mean 'table'? [traffic-unknown-routes]\n");
  EXPECT_EQ(
      fault("{routes: table, lengths: 10..24}"),
      "1:1: no address has a longest match of 10 to 24 bits in the routes 'table' [traffic-no-such-route]\n");
  EXPECT_EQ(fault("{routes: table, lengths: 33}"),
            "1:26: '33' is no length of a prefix; expected a number or FIRST..LAST, from 0 to 32 "
            "[traffic-number-range]\n");
}

}  // namespace
}  // namespace perfpact::traffic
