#include "traffic/structures.h"

#include "nflib/hash.h"
#include "read.h"

namespace perfpact::traffic {
namespace {

class StructuresTest : public test::Reading {
 protected:
  StructuresTest() {
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"src", "10.0.0.0/8"}, {"port", "1024..65535"}, {"mac", "2:0:0:0:0:0/8"}})
      values.emplace_back(name, *read_value(yaml(text), {}, diagnostics));
  }
  Placement read(const std::string& text) {
    auto placement = read_placement(yaml(text), values, 10, diagnostics);
    EXPECT_TRUE(placement) << test::reported(diagnostics);
    return *placement;
  }
  std::string fault(const std::string& text) {
    EXPECT_FALSE(read_placement(yaml(text), values, 10, diagnostics)) << text;
    return test::reported(diagnostics);
  }

  NamedValues values;
};

TEST_F(StructuresTest, HashesAreThoseOfTheTables) {
  const Placement map = read(
      "{structure: hash_map, slots: 4096, seed: 7, place: same_slot, "
      "key: [{src: 32, 0x01020304: 32}, {port: 16, 17: 16}]}");
  const std::vector<Wide> flow{0x0a0b0c0d, 5000, 0x020000000001};
  const nf_key key{{0x0a0b0c0d01020304, 5000U << 16 | 17}};
  EXPECT_EQ(map.hash(flow), nf_hash_map_tag(&key, 7));
  EXPECT_EQ(map.slot(flow), nf_home(nf_hash_map_tag(&key, 7), 4096));
  EXPECT_EQ(map.fixed_bits(), 4095U);
  const Placement table =
      read("{structure: mac_table, slots: 128, secret: 0xfedcba9876543210, place: same_hash, key: mac}");
  EXPECT_EQ(table.hash(flow), nf_mac_table_tag(0x020000000001, 0xfedcba9876543210));
  EXPECT_EQ(table.fixed_bits(), 0x7fffffffU);
}

TEST_F(StructuresTest, MacHashesGoBackwards) {
  Random random(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t secret = random();
    const std::uint64_t mixed = random();
    EXPECT_EQ(nf_mac_table_tag(MacsOfHash(secret).at(mixed), secret), mixed >> 32 | NF_TAG_USED);
  }
}

TEST_F(StructuresTest, UnknownNames) {
  EXPECT_EQ(fault("{structure: hashmap}"),
            "1:13: there is no structure 'hashmap' whose hash is known; did you mean 'hash_map'?; expected "
            "hash_map "
            "or mac_table [traffic-unknown-structure]\n");
}

TEST_F(StructuresTest, WrongPlacements) {
  EXPECT_EQ(
      fault("{structure: hash_map, slots: 100, seed: 0x100000000, place: own_slots, key: [{scr: 32}, "
            "{port: 40, 7: 25}, {1024: 8}]}"),
      "1:30: 100 slots are no power of two from 1 to 2^31 [traffic-slots]\n"
      "1:41: seed must be at most 4294967295, not '0x100000000' [yaml-expected]\n"
      "1:61: 'own_slots' is no wish for a place; expected same_hash, same_slot or own_slot; did you mean "
      "'own_slot'? [traffic-unknown-place]\n"
      "1:79: 'scr' is no part of a key; expected a value of the flows or a number, and its bits; did you "
      "mean "
      "'src'? [traffic-key-part]\n"
      "1:89: a word of the key has 65 bits; expected at most 64 [traffic-key-bits]\n"
      "1:109: '1024' can be 1024, which does not fit 8 bits of the key [traffic-key-part-wide]\n"
      "1:77: the key has 3 words; hash_map has keys of 2 [traffic-key-words]\n");
}

}  // namespace
}  // namespace perfpact::traffic
