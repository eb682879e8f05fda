#include "nflib/hash_map.h"

#include <map>
#include <memory>

#include "hash_map_inside.h"
#include "model_test.h"
#include "nflib/hash.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(hash_map* map) const { hash_map_destroy(map); }
};
using Map = std::unique_ptr<hash_map, Destroy>;

constexpr uint32_t kSeed = 7;

nf_key key_of(uint64_t number) {
  return {{number, ~number}};
}

std::optional<uint32_t> get(const Map& map, const nf_key& key) {
  uint32_t value = 0;
  return hash_map_get(map.get(), &key, &value) ? std::optional(value) : std::nullopt;
}

bool put(const Map& map, const nf_key& key, uint32_t value) {
  return hash_map_put(map.get(), &key, value);
}

TEST(HashMap, RefusesCapacitiesThatAreNoPowerOfTwo) {
  for (uint32_t capacity : {0u, 1u, 3u, 6u, 1000u, (1u << 30) + 1, 1u << 31, UINT32_MAX})
    EXPECT_EQ(hash_map_create(capacity, kSeed), nullptr) << capacity;
  hash_map_destroy(nullptr);
}

TEST(HashMap, HoldsOneKeyLessThanItsCapacity) {
  Map map(hash_map_create(8, kSeed));
  for (uint32_t i = 0; i < 7; i++) EXPECT_TRUE(put(map, key_of(i), i));
  EXPECT_FALSE(put(map, key_of(7), 7));
  EXPECT_EQ(hash_map_size(map.get()), 7u);
  EXPECT_EQ(get(map, key_of(7)), std::nullopt);
  EXPECT_TRUE(put(map, key_of(3), 33));  // a key that is there needs no room
  EXPECT_EQ(get(map, key_of(3)), 33u);
  EXPECT_EQ(hash_map_size(map.get()), 7u);
}

TEST(HashMap, ComparesAllBytesOfAKey) {
  Map map(hash_map_create(64, kSeed));
  nf_key key{{0x0123456789abcdef, 0xfedcba9876543210}};
  ASSERT_TRUE(put(map, key, 1));
  for (int bit = 0; bit < 128; bit++) {
    nf_key other = key;
    other.words[bit / 64] ^= uint64_t{1} << bit % 64;
    EXPECT_EQ(get(map, other), std::nullopt) << bit;
  }
}

TEST(HashMap, TellsKeysOfEqualHashApart) {
  // CRC32C is linear: adding a pattern whose hash with seed 0 is 0 does not change the hash. The pattern is
  // found by elimination over the bits of a key.
  std::map<uint32_t, nf_key> rows;  // by their highest bit; the hash of each key is that row's
  std::optional<nf_key> pattern;
  for (int bit = 0; bit < 128 && !pattern; bit++) {
    nf_key key{};
    key.words[bit / 64] = uint64_t{1} << bit % 64;
    uint32_t hash = nf_key_hash(&key, 0);
    for (auto row = rows.rbegin(); row != rows.rend() && hash != 0; ++row) {
      if ((hash ^ nf_key_hash(&row->second, 0)) >= hash) continue;
      for (int word : {0, 1}) key.words[word] ^= row->second.words[word];
      hash = nf_key_hash(&key, 0);
    }
    if (hash == 0)
      pattern = key;
    else
      rows.emplace(hash, key);
  }
  ASSERT_TRUE(pattern);
  nf_key first = key_of(1);
  nf_key second{{first.words[0] ^ pattern->words[0], first.words[1] ^ pattern->words[1]}};
  ASSERT_EQ(nf_hash_map_tag(&first, kSeed), nf_hash_map_tag(&second, kSeed));

  Map map(hash_map_create(16, kSeed));
  ASSERT_TRUE(put(map, first, 1));
  EXPECT_EQ(get(map, second), std::nullopt);
  ASSERT_TRUE(put(map, second, 2));
  EXPECT_EQ(get(map, first), 1u);
  EXPECT_EQ(get(map, second), 2u);
  EXPECT_TRUE(hash_map_erase(map.get(), &first));
  EXPECT_EQ(get(map, first), std::nullopt);
  EXPECT_EQ(get(map, second), 2u);
}

TEST(HashMap, HashIsCrc32c) {
  // The check value of CRC32C is for the nine bytes "123456789"; sixteen zeros with all bits set at the start
  // and at the end are another published one (RFC 3720, B.4, has 32 of them: two rounds here).
  nf_key zeros{};
  uint32_t half = nf_key_hash(&zeros, UINT32_MAX);
  EXPECT_EQ(~nf_key_hash(&zeros, half), 0x8a9136aau);
}

struct Operation {
  enum Kind { kGet, kPut, kErase } kind;
  uint64_t key;
  uint32_t value;

  std::string text() const {
    static constexpr const char* kNames[] = {"get", "put", "erase"};
    return fmt::format("{} key {} value {}", kNames[kind], key, value);
  }
};

// With linear probing the slots in use and the sum of the keys' distances depend on the set of keys alone,
// not on the order in which they came. So after a removal both are those of a map that never held the removed
// key.
bool distances_are_right(const Map& map, uint32_t capacity, const std::map<uint64_t, uint32_t>& model) {
  Map fresh(hash_map_create(capacity, kSeed));
  for (const auto& [number, value] : model) put(fresh, key_of(number), value);
  uint64_t distance = 0;
  for (const auto& [number, value] : model) {
    nf_key key = key_of(number);
    distance += hash_map_slots_to(map.get(), &key);
    distance -= hash_map_slots_to(fresh.get(), &key);
  }
  return distance == 0;
}

std::optional<std::string> disagreement(uint32_t capacity, uint64_t keys,
                                        std::span<const Operation> operations) {
  Map map(hash_map_create(capacity, kSeed));
  std::map<uint64_t, uint32_t> model;
  for (const Operation& operation : operations) {
    nf_key key = key_of(operation.key);
    auto held = model.find(operation.key);
    switch (operation.kind) {
      case Operation::kGet: {
        std::optional<uint32_t> expected = held == model.end() ? std::nullopt : std::optional(held->second);
        if (get(map, key) != expected) return "get differs";
        break;
      }
      case Operation::kPut: {
        bool room = held != model.end() || model.size() + 1 < capacity;
        if (put(map, key, operation.value) != room) return "put differs";
        if (room) model[operation.key] = operation.value;
        break;
      }
      case Operation::kErase:
        if (hash_map_erase(map.get(), &key) != (held != model.end())) return "erase differs";
        if (held != model.end()) model.erase(held);
        if (!distances_are_right(map, capacity, model)) return "probe distances differ";
        break;
    }
    if (hash_map_size(map.get()) != model.size()) return "size differs";
  }
  for (uint64_t key = 0; key < keys; key++)
    if (get(map, key_of(key)).has_value() != model.contains(key)) return fmt::format("key {} differs", key);
  return std::nullopt;
}

class HashMapModel : public testing::TestWithParam<uint32_t> {};

TEST_P(HashMapModel, DoesWhatAMapDoes) {
  uint32_t capacity = GetParam();
  uint64_t keys = capacity + capacity / 2;
  auto generate = [&](Random& random) {
    uint64_t kind = random.below(8);
    return Operation{kind < 2   ? Operation::kGet
                     : kind < 5 ? Operation::kPut
                                : Operation::kErase,
                     random.below(keys), static_cast<uint32_t>(random.bits())};
  };
  auto check = [&](std::span<const Operation> operations) {
    return disagreement(capacity, keys, operations);
  };
  EXPECT_TRUE(agrees_with_model<Operation>({.sequences = 100, .operations = 2'500, .seed = capacity},
                                           generate, check));
}

INSTANTIATE_TEST_SUITE_P(Capacities, HashMapModel, testing::Values(2, 8, 16, 64));

}  // namespace
}  // namespace perfpact::nflib
