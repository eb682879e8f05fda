#include "traffic/flow_set.h"

#include <set>

#include "read.h"

namespace perfpact::traffic {
namespace {

class FlowSetTest : public test::Reading {
 protected:
  std::optional<FlowSet> read(const std::string& text, std::uint64_t seed = 1) {
    auto flows = FlowSet::read("flows", yaml(text), {}, seed, diagnostics);
    if (!flows) return std::nullopt;
    return std::move(*flows);
  }
  static std::vector<Wide> values_of(const FlowSet& flows, std::uint64_t flow) {
    std::vector<Wide> values(flows.values().size());
    flows.get(flow, values);
    return values;
  }
  // All flows are different and within their ranges (10.0.0.0/8 and 1024..65535).
  static void expect_distinct(const FlowSet& flows) {
    std::set<std::vector<Wide>> seen;
    for (std::uint64_t flow = 0; flow < flows.count(); ++flow) {
      const auto values = values_of(flows, flow);
      EXPECT_TRUE(seen.insert(values).second);
      EXPECT_EQ(values[0] >> 24, Wide{10});
      EXPECT_GE(values[1], Wide{1024});
      EXPECT_LE(values[1], Wide{65535});
    }
  }
  std::vector<Placement> placements(const FlowSet& flows, const std::vector<std::string>& texts) {
    std::vector<Placement> result;
    for (const std::string& text : texts)
      result.push_back(*read_placement(yaml(text), flows.values(), flows.count(), diagnostics));
    return result;
  }
};

const std::string kValues =
    "values: {src: 10.0.0.0/8, sport: 1024..65535, dst: 0.0.0.0/0, port: {counter: 1024}}";
const std::string kInside =
    "structure: hash_map, seed: 1, slots: 131072, key: [{src: 32, dst: 32}, {sport: 16, 53: 16, 17: 16}]";
const std::string kOutside =
    "structure: hash_map, seed: 2, slots: 131072, key: [{dst: 32, 192.0.2.1: 32}, {53: 16, port: 16, 17: "
    "16}]";

TEST_F(FlowSetTest, FlowsDiffer) {
  const auto flows = read("{count: 100000, " + kValues + "}");
  ASSERT_TRUE(flows);
  expect_distinct(*flows);
  EXPECT_EQ(values_of(*flows, 77)[3], Wide{1024 + 77});
}

TEST_F(FlowSetTest, ASetThatUsesAllItsChoices) {
  const auto flows = read("{count: 12, values: {a: 1..3, b: {one_of: [5, 7]}, c: 8..9}}");
  ASSERT_TRUE(flows);
  std::set<std::vector<Wide>> seen;
  for (std::uint64_t flow = 0; flow < 12; ++flow) seen.insert(values_of(*flows, flow));
  EXPECT_EQ(seen.size(), 12U);
}

TEST_F(FlowSetTest, MoreChoicesThanFitIntoANumber) {
  const auto flows = read("{count: 1000, values: {a: \"2001:db8::/32\", b: \"fe80::/16\", c: 10.0.0.0/8}}");
  ASSERT_TRUE(flows);
  std::set<Wide> b;
  for (std::uint64_t flow = 0; flow < 1000; ++flow) {
    const auto values = values_of(*flows, flow);
    EXPECT_EQ(values[1] >> 112, Wide{0xfe80});
    b.insert(values[1]);
  }
  EXPECT_EQ(b.size(), 1000U);
}

TEST_F(FlowSetTest, SeedsMatter) {
  const auto one = read("{count: 10, " + kValues + "}", 1);
  const auto again = read("{count: 10, " + kValues + "}", 1);
  const auto other = read("{count: 10, " + kValues + "}", 2);
  EXPECT_EQ(values_of(*one, 3), values_of(*again, 3));
  EXPECT_NE(values_of(*one, 3), values_of(*other, 3));
}

TEST_F(FlowSetTest, ThousandsOfTheSameHash) {
  const auto flows = read("{count: 10000, " + kValues + ", places: [{place: same_hash, " + kInside + "}]}");
  ASSERT_TRUE(flows) << test::reported(diagnostics);
  expect_distinct(*flows);
  const auto place = placements(*flows, {"{place: same_hash, " + kInside + "}"});
  std::set<std::uint32_t> hashes;
  for (std::uint64_t flow = 0; flow < flows->count(); ++flow)
    hashes.insert(place[0].hash(values_of(*flows, flow)));
  EXPECT_EQ(hashes.size(), 1U);
}

// Both maps of a NAT: the external port in the second key is a counter.
TEST_F(FlowSetTest, TheSameHashInTwoMaps) {
  const auto flows = read("{count: 3000, " + kValues + ", places: [{place: same_hash, " + kInside +
                          "}, {place: same_slot, " + kOutside + "}]}");
  ASSERT_TRUE(flows) << test::reported(diagnostics);
  expect_distinct(*flows);
  const auto place =
      placements(*flows, {"{place: same_hash, " + kInside + "}", "{place: same_slot, " + kOutside + "}"});
  std::set<std::uint32_t> hashes;
  std::set<std::uint32_t> slots;
  for (std::uint64_t flow = 0; flow < flows->count(); ++flow) {
    const auto values = values_of(*flows, flow);
    EXPECT_EQ(values[3], Wide{1024 + flow});
    hashes.insert(place[0].hash(values));
    slots.insert(place[1].slot(values));
  }
  EXPECT_EQ(hashes.size(), 1U);
  EXPECT_EQ(slots.size(), 1U);
}

TEST_F(FlowSetTest, SlotsOfTheirOwnInTwoMaps) {
  const auto flows = read("{count: 60000, " + kValues + ", places: [{place: own_slot, " + kInside +
                          "}, {place: own_slot, " + kOutside + "}]}");
  ASSERT_TRUE(flows) << test::reported(diagnostics);
  expect_distinct(*flows);
  const auto place =
      placements(*flows, {"{place: own_slot, " + kInside + "}", "{place: own_slot, " + kOutside + "}"});
  std::array<std::set<std::uint32_t>, 2> slots;
  for (std::uint64_t flow = 0; flow < flows->count(); ++flow)
    for (std::size_t p = 0; p < 2; ++p) slots[p].insert(place[p].slot(values_of(*flows, flow)));
  EXPECT_EQ(slots[0].size(), 60000U);
  EXPECT_EQ(slots[1].size(), 60000U);
}

TEST_F(FlowSetTest, AddressesThatCollideInAMacTable) {
  const std::string table = "structure: mac_table, slots: 131072, secret: 1, key: mac";
  const std::string unicast = "values: {mac: 0:0:0:0:0:0 &&& 1:0:0:0:0:0}";
  for (const std::string place : {"same_hash", "same_slot", "own_slot"}) {
    const auto flows = read("{count: 50, " + unicast + ", places: [{place: " + place + ", " + table + "}]}");
    ASSERT_TRUE(flows) << test::reported(diagnostics);
    const auto placement = placements(*flows, {"{place: " + place + ", " + table + "}"});
    std::set<std::uint32_t> hashes;
    std::set<std::uint32_t> slots;
    std::set<std::vector<Wide>> macs;
    for (std::uint64_t flow = 0; flow < 50; ++flow) {
      const auto values = values_of(*flows, flow);
      EXPECT_EQ(values[0] >> 48, Wide{0});
      EXPECT_EQ(values[0] >> 40 & 1, Wide{0});
      macs.insert(values);
      hashes.insert(placement[0].hash(values));
      slots.insert(placement[0].slot(values));
    }
    EXPECT_EQ(macs.size(), 50U);
    EXPECT_EQ(hashes.size() == 1, place == "same_hash");
    EXPECT_EQ(slots.size(), place == "own_slot" ? 50U : 1U);
  }
}

TEST_F(FlowSetTest, Faults) {
  EXPECT_FALSE(read("{count: 5, values: {a: 1..2, b: 1..2}}"));
  EXPECT_FALSE(read("{count: 5, values: {1a: 1..5}}"));
  EXPECT_FALSE(
      read("{count: 5, values: {mac: 2:0:0:0:0:0/45}, places: [{structure: mac_table, slots: 4, secret: 1, "
           "key: mac, place: own_slot}]}"));
  EXPECT_FALSE(
      read("{count: 3, values: {a: 1..60, b: 7}, places: [{structure: hash_map, slots: 1024, seed: 1, "
           "key: [{a: 8}, {b: 8}], place: same_hash}]}"));
  EXPECT_EQ(
      test::reported(diagnostics),
      "1:1: the values of the flows 'flows' differ in 4 ways only, for 5 flows [traffic-too-many-flows]\n"
      "1:21: '1a' is no name; expected a letter, then letters, digits and underscores [traffic-bad-name]\n"
      "1:51: cannot find 5 flows of 'flows' with the places wished for, only 4; more values to choose from, "
      "or more slots, would help [traffic-impossible-places]\n"
      "1:46: cannot find 3 flows of 'flows' with the places wished for, only 1; more values to choose from, "
      "or more slots, would help [traffic-impossible-places]\n");
}

}  // namespace
}  // namespace perfpact::traffic
