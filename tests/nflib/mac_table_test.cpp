#include "nflib/mac_table.h"

#include <algorithm>
#include <map>
#include <memory>

#include "model_test.h"
#include "nflib/hash.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(mac_table* table) const { mac_table_destroy(table); }
};
using Table = std::unique_ptr<mac_table, Destroy>;

constexpr uint64_t kKey = 0x123456789abcdef0;
constexpr uint32_t kNever = UINT32_MAX;

std::optional<uint16_t> lookup(const Table& table, uint64_t mac) {
  uint16_t port = 0;
  return mac_table_lookup(table.get(), mac, &port) ? std::optional(port) : std::nullopt;
}

bool learn(const Table& table, uint64_t mac, uint16_t port, uint64_t now_ns) {
  return mac_table_learn(table.get(), mac, port, now_ns);
}

// COUNT addresses whose home in SLOTS slots is 0 under KEY.
std::vector<uint64_t> colliding(size_t count, uint32_t slots, uint64_t key) {
  std::vector<uint64_t> macs;
  for (uint64_t mac = 1; macs.size() < count; mac++)
    if (nf_home(nf_mac_table_tag(mac, key), slots) == 0) macs.push_back(mac);
  return macs;
}

TEST(MacTable, RefusesNumbersThatAreWrong) {
  for (uint32_t capacity : {0u, 3u, 100u, 1u << 25, UINT32_MAX})
    EXPECT_EQ(mac_table_create(capacity, kNever, kKey), nullptr) << capacity;
  EXPECT_EQ(mac_table_create(8, 0, kKey), nullptr);
  mac_table_destroy(nullptr);
}

TEST(MacTable, HoldsItsCapacity) {
  for (uint32_t capacity : {1u, 2u, 16u}) {
    Table table(mac_table_create(capacity, kNever, kKey));
    for (uint32_t i = 0; i < capacity; i++) EXPECT_TRUE(learn(table, i, static_cast<uint16_t>(i), 1));
    EXPECT_FALSE(learn(table, capacity, 9, 1));
    EXPECT_EQ(lookup(table, capacity), std::nullopt);
    EXPECT_TRUE(learn(table, 0, 7, 1));  // what is known needs no room
    EXPECT_EQ(lookup(table, 0), 7);
  }
}

TEST(MacTable, TakesTheLow48Bits) {
  Table table(mac_table_create(4, kNever, kKey));
  EXPECT_TRUE(learn(table, 0xfffe'ffff'ffff'ffff, 65535, 1));
  EXPECT_EQ(lookup(table, 0x0000'ffff'ffff'ffff), 65535);
  EXPECT_EQ(lookup(table, 0x0001'ffff'ffff'ffff), 65535);
  EXPECT_EQ(lookup(table, 0x0000'7fff'ffff'ffff), std::nullopt);
}

TEST(MacTable, ExpiresWhatWasLastSeenBefore) {
  Table table(mac_table_create(4, kNever, kKey));
  learn(table, 1, 1, 10);
  learn(table, 2, 2, 20);
  learn(table, 1, 1, 30);
  EXPECT_EQ(mac_table_expire(table.get(), 20), 0u);
  EXPECT_EQ(mac_table_expire(table.get(), 30), 1u);
  EXPECT_EQ(lookup(table, 2), std::nullopt);
  EXPECT_EQ(lookup(table, 1), 1);
  learn(table, 3, 3, 5);  // counts as 30
  EXPECT_EQ(mac_table_expire(table.get(), 30), 0u);
  EXPECT_EQ(mac_table_expire(table.get(), 31), 2u);
}

TEST(MacTable, TellsAddressesOfEqualTagApart) {
  // The steps of the hash backwards, until 48 bits are enough.
  uint64_t unmix = 1, unkey = 1;  // inverses modulo 2^64, by Newton's iteration
  for (int i = 0; i < 6; i++) {
    unmix *= 2 - 0x9e3779b97f4a7c15 * unmix;
    unkey *= 2 - (kKey | 1) * unkey;
  }
  std::vector<uint64_t> macs;
  for (uint64_t low = 0; macs.size() < 3; low++) {
    uint64_t mixed = (uint64_t{NF_TAG_USED} << 32 | low) * unmix;
    uint64_t mac = (mixed ^ mixed >> 32) * unkey;
    if (mac >> 48 == 0) macs.push_back(mac);
  }
  ASSERT_EQ(nf_mac_table_tag(macs[0], kKey), nf_mac_table_tag(macs[1], kKey));
  Table table(mac_table_create(4, kNever, kKey));
  learn(table, macs[0], 1, 1);
  learn(table, macs[1], 2, 1);
  EXPECT_EQ(lookup(table, macs[0]), 1);
  EXPECT_EQ(lookup(table, macs[1]), 2);
  EXPECT_EQ(lookup(table, macs[2]), std::nullopt);
}

// What shows that a table has rehashed: the cheapest way is to look at what collides afterwards, by the
// threshold of the next key. So the test learns addresses that collide under the first key, then such that
// collide under the second; a table that did not change its key would keep all addresses either way, so this
// shows that nothing is lost. That the key does change, and when, is seen by tests/nflib/costs_test.py:
// outcome `rehashed`.
TEST(MacTable, KeepsAllAddressesWhenItRehashes) {
  constexpr uint32_t kCapacity = 64, kThreshold = 4;
  Table table(mac_table_create(kCapacity, kThreshold, kKey));
  std::vector<uint64_t> macs = colliding(8, 2 * kCapacity, kKey);
  for (uint64_t mac : colliding(8, 2 * kCapacity, nf_mac_table_next_key(kKey))) macs.push_back(mac);
  for (size_t i = 0; i < macs.size(); i++) {
    EXPECT_TRUE(learn(table, macs[i], static_cast<uint16_t>(i), i));
    for (size_t j = 0; j <= i; j++) EXPECT_EQ(lookup(table, macs[j]), j);
  }
  for (size_t i = 0; i < macs.size(); i++) {
    EXPECT_EQ(mac_table_expire(table.get(), i + 1), 1u);
    EXPECT_EQ(lookup(table, macs[i]), std::nullopt);
  }
}

struct Operation {
  enum Kind { kLookup, kLearn, kExpire } kind;
  uint64_t mac;
  uint16_t port;
  uint64_t time;

  std::string text() const {
    static constexpr const char* kNames[] = {"lookup", "learn", "expire"};
    return fmt::format("{} address {} port {} time {}", kNames[kind], mac, port, time);
  }
};

struct Shape {
  uint32_t capacity;
  uint32_t threshold;
};

std::optional<std::string> disagreement(const Shape& shape, uint64_t macs,
                                        std::span<const Operation> operations) {
  struct Entry {
    uint16_t port;
    uint64_t time;
  };
  Table table(mac_table_create(shape.capacity, shape.threshold, kKey));
  std::map<uint64_t, Entry> model;
  uint64_t newest = 0;
  auto expected = [&](uint64_t mac) {
    auto held = model.find(mac);
    return held == model.end() ? std::nullopt : std::optional(held->second.port);
  };
  for (const auto& [kind, mac, port, time] : operations) {
    switch (kind) {
      case Operation::kLookup:
        if (lookup(table, mac) != expected(mac)) return "lookup differs";
        break;
      case Operation::kLearn: {
        newest = std::max(newest, time);
        bool room = model.contains(mac) || model.size() < shape.capacity;
        if (learn(table, mac, port, time) != room) return "learn differs";
        if (room) model[mac] = {port, newest};
        break;
      }
      case Operation::kExpire: {
        size_t expired = std::erase_if(model, [&](const auto& each) { return each.second.time < time; });
        if (mac_table_expire(table.get(), time) != expired) return "expire differs";
        for (const auto& [held, entry] : model)
          if (lookup(table, held) != entry.port) return fmt::format("address {} is lost", held);
        break;
      }
    }
  }
  for (uint64_t mac = 0; mac < macs; mac++)
    if (lookup(table, mac) != expected(mac)) return "the addresses differ";
  return std::nullopt;
}

class MacTableModel : public testing::TestWithParam<Shape> {};

TEST_P(MacTableModel, DoesWhatAMapDoes) {
  Shape shape = GetParam();
  uint64_t macs = shape.capacity * 2;
  uint64_t clock = 0;
  auto generate = [&](Random& random) {
    uint64_t kind = random.below(10);
    clock += random.below(4);
    uint64_t back = random.below(kind == 0 ? 6 * shape.capacity : 8);
    return Operation{kind == 0  ? Operation::kExpire
                     : kind < 4 ? Operation::kLookup
                                : Operation::kLearn,
                     random.below(macs), static_cast<uint16_t>(random.bits()), clock - std::min(clock, back)};
  };
  auto check = [&](std::span<const Operation> operations) { return disagreement(shape, macs, operations); };
  EXPECT_TRUE(agrees_with_model<Operation>({.sequences = 100, .operations = 2'500, .seed = shape.capacity},
                                           generate, check));
}

INSTANTIATE_TEST_SUITE_P(Shapes, MacTableModel,
                         testing::Values(Shape{1, 1}, Shape{8, 1}, Shape{32, 3}, Shape{64, kNever}));

}  // namespace
}  // namespace perfpact::nflib
