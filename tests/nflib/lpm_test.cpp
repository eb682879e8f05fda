// Both tables of prefixes are held to one model: a list of prefixes of which the longest match is looked for.
#include <memory>

#include "model_test.h"
#include "nflib/lpm_direct.h"
#include "nflib/lpm_trie.h"

namespace perfpact::nflib {
namespace {

using Value = std::optional<uint32_t>;

struct Trie {
  static constexpr uint32_t kLargestValue = UINT32_MAX;
  explicit Trie(uint32_t capacity) : table(lpm_trie_create(capacity)) {}
  ~Trie() { lpm_trie_destroy(table); }
  Trie(const Trie&) = delete;

  bool add(uint32_t prefix, uint8_t length, uint32_t value) {
    return lpm_trie_add(table, prefix, length, value);
  }
  bool remove(uint32_t prefix, uint8_t length) { return lpm_trie_remove(table, prefix, length); }
  Value lookup(uint32_t address) const {
    uint32_t value;
    return lpm_trie_lookup(table, address, &value) ? Value(value) : std::nullopt;
  }

  lpm_trie* table;
};

struct Direct {
  static constexpr uint32_t kLargestValue = LPM_DIRECT_LARGEST_VALUE;
  explicit Direct(uint32_t capacity, uint32_t groups = 64) : table(lpm_direct_create(capacity, groups)) {}
  ~Direct() { lpm_direct_destroy(table); }
  Direct(const Direct&) = delete;

  bool add(uint32_t prefix, uint8_t length, uint32_t value) {
    return lpm_direct_add(table, prefix, length, value);
  }
  bool remove(uint32_t prefix, uint8_t length) { return lpm_direct_remove(table, prefix, length); }
  Value lookup(uint32_t address) const {
    uint32_t value;
    return lpm_direct_lookup(table, address, &value) ? Value(value) : std::nullopt;
  }

  lpm_direct* table;
};

uint32_t mask(uint8_t length) {
  return length == 0 ? 0 : UINT32_MAX << (32 - length);
}

struct Prefix {
  uint32_t prefix;
  uint8_t length;
  uint32_t value;

  bool is(uint32_t other, uint8_t other_length) const { return prefix == other && length == other_length; }
  bool contains(uint32_t address) const { return (address & mask(length)) == prefix; }
};

class Model {
 public:
  Model(uint32_t capacity, uint32_t largest_value) : capacity_(capacity), largest_value_(largest_value) {}

  bool add(uint32_t prefix, uint8_t length, uint32_t value) {
    if (length > 32 || (prefix & ~mask(length)) != 0 || value > largest_value_) return false;
    for (Prefix& held : prefixes_) {
      if (!held.is(prefix, length)) continue;
      held.value = value;
      return true;
    }
    if (prefixes_.size() == capacity_) return false;
    prefixes_.push_back({prefix, length, value});
    return true;
  }
  bool remove(uint32_t prefix, uint8_t length) {
    return std::erase_if(prefixes_, [&](const Prefix& held) { return held.is(prefix, length); }) > 0;
  }
  // The longest below the given length that contains the address.
  const Prefix* longest(uint32_t address, uint8_t below = 33) const {
    const Prefix* best = nullptr;
    for (const Prefix& held : prefixes_) {
      if (held.length < below && held.contains(address) && (best == nullptr || held.length > best->length))
        best = &held;
    }
    return best;
  }
  Value lookup(uint32_t address) const {
    const Prefix* prefix = longest(address);
    return prefix == nullptr ? std::nullopt : Value(prefix->value);
  }
  size_t size() const { return prefixes_.size(); }

 private:
  uint32_t capacity_;
  uint32_t largest_value_;
  std::vector<Prefix> prefixes_;
};

struct Operation {
  enum Kind { kAdd, kRemove, kLookup, kCover } kind;
  uint32_t address;
  uint8_t length;
  uint32_t value;

  std::string text() const {
    static constexpr const char* kNames[] = {"add", "remove", "lookup", "cover"};
    return fmt::format("{} {:#010x}/{} value {}", kNames[kind], address, length, value);
  }
};

// Few addresses, those with bits of ADDRESSES, so that prefixes meet; lengths from SHORTEST on, and sometimes
// what is no prefix.
struct Space {
  uint32_t addresses;
  uint8_t shortest;

  Operation operator()(Random& random) const {
    static constexpr Operation::Kind kKinds[] = {Operation::kAdd, Operation::kAdd, Operation::kRemove,
                                                 Operation::kLookup, Operation::kCover};
    Operation operation{kKinds[random.below(5)], static_cast<uint32_t>(random.bits()) & addresses,
                        static_cast<uint8_t>(shortest + random.below(33 - shortest)),
                        static_cast<uint32_t>(random.bits())};
    if (random.below(20) != 0) operation.value &= LPM_DIRECT_LARGEST_VALUE;
    if (random.below(50) == 0)
      operation.length = static_cast<uint8_t>(33 + random.below(223));
    else if (operation.kind != Operation::kLookup && random.below(50) != 0)
      operation.address &= mask(operation.length);
    return operation;
  }
};

bool covers_alike(const Trie& table, const Model& model, const Operation& operation) {
  uint8_t length = 99;
  uint32_t value = 0;
  bool found = lpm_trie_cover(table.table, operation.address, operation.length, &length, &value);
  if (operation.length > 32 || (operation.address & ~mask(operation.length)) != 0) return !found;
  const Prefix* expected = model.longest(operation.address, operation.length);
  if (expected == nullptr) return !found;
  return found && expected->length == length && expected->value == value;
}

bool covers_alike(const Direct&, const Model&, const Operation&) {
  return true;
}

bool sizes_are_alike(const Trie& table, const Model& model) {
  return lpm_trie_size(table.table) == model.size();
}

bool sizes_are_alike(const Direct&, const Model&) {
  return true;
}

template <class Table>
std::optional<std::string> disagreement(uint32_t capacity, uint32_t addresses,
                                        std::span<const Operation> operations) {
  Table table(capacity);
  Model model(capacity, Table::kLargestValue);
  for (const Operation& operation : operations) {
    const auto& [kind, address, length, value] = operation;
    switch (kind) {
      case Operation::kAdd:
        if (table.add(address, length, value) != model.add(address, length, value)) return "add differs";
        break;
      case Operation::kRemove:
        if (table.remove(address, length) != model.remove(address, length)) return "remove differs";
        break;
      case Operation::kLookup:
        if (table.lookup(address) != model.lookup(address)) return "lookup differs";
        break;
      case Operation::kCover:
        if (!covers_alike(table, model, operation)) return "cover differs";
        break;
    }
    if (!sizes_are_alike(table, model)) return "size differs";
  }
  for (uint32_t address = 0;; address = (address - addresses) & addresses) {
    if (table.lookup(address) != model.lookup(address)) return fmt::format("{:#010x} differs", address);
    if (address == addresses) return std::nullopt;
  }
}

template <class Table>
testing::AssertionResult agrees(const Plan& plan, uint32_t capacity, const Space& space) {
  return agrees_with_model<Operation>(plan, space, [&](std::span<const Operation> operations) {
    return disagreement<Table>(capacity, space.addresses, operations);
  });
}

TEST(LpmTrie, AgreesWithAListOfPrefixes) {
  EXPECT_TRUE(agrees<Trie>({100, 5'000, 1}, 48, {0xc0034083, 0}));
  EXPECT_TRUE(agrees<Trie>({100, 5'000, 1001}, 20, {0x00008307, 14}));
  EXPECT_TRUE(agrees<Trie>({100, 1'000, 2001}, 3, {0x80000001, 0}));
}

TEST(LpmDirect, AgreesWithAListOfPrefixes) {
  EXPECT_TRUE(agrees<Direct>({50, 10'000, 1}, 48, {0x000481c3, 16}));
  EXPECT_TRUE(agrees<Direct>({50, 10'000, 1001}, 20, {0x00008107, 20}));
  EXPECT_TRUE(agrees<Direct>({2, 60, 2001}, 30, {0xc0030083, 0}));
}

template <class Table>
class Lpm : public testing::Test {};
using Tables = testing::Types<Trie, Direct>;
TYPED_TEST_SUITE(Lpm, Tables);

TYPED_TEST(Lpm, FindsTheLongestPrefix) {
  TypeParam table(8);
  EXPECT_EQ(table.lookup(0), std::nullopt);
  EXPECT_TRUE(table.add(0x0a000000, 8, 8));
  EXPECT_TRUE(table.add(0x0a010000, 16, 16));
  EXPECT_TRUE(table.add(0x0a010180, 25, 25));
  EXPECT_TRUE(table.add(0x0a0101ff, 32, 32));
  EXPECT_EQ(table.lookup(0x0a0101ff), 32u);
  EXPECT_EQ(table.lookup(0x0a0101fe), 25u);
  EXPECT_EQ(table.lookup(0x0a01017f), 16u);
  EXPECT_EQ(table.lookup(0x0a020000), 8u);
  EXPECT_EQ(table.lookup(0x0b000000), std::nullopt);
  EXPECT_TRUE(table.remove(0x0a010000, 16));
  EXPECT_EQ(table.lookup(0x0a01017f), 8u);
  EXPECT_EQ(table.lookup(0x0a0101fe), 25u);
  EXPECT_TRUE(table.remove(0x0a010180, 25));
  EXPECT_EQ(table.lookup(0x0a0101fe), 8u);
  EXPECT_EQ(table.lookup(0x0a0101ff), 32u);
}

TYPED_TEST(Lpm, HasADefaultRoute) {
  TypeParam table(2);
  EXPECT_TRUE(table.add(0, 0, 0));
  EXPECT_EQ(table.lookup(0), 0u);
  EXPECT_EQ(table.lookup(UINT32_MAX), 0u);
  EXPECT_TRUE(table.add(UINT32_MAX, 32, 1));
  EXPECT_EQ(table.lookup(UINT32_MAX), 1u);
  EXPECT_TRUE(table.remove(0, 0));
  EXPECT_EQ(table.lookup(0), std::nullopt);
  EXPECT_FALSE(table.remove(0, 0));
  EXPECT_EQ(table.lookup(UINT32_MAX), 1u);
}

TYPED_TEST(Lpm, RefusesWhatIsNoPrefix) {
  TypeParam table(4);
  EXPECT_FALSE(table.add(0, 33, 1));
  EXPECT_FALSE(table.add(0, 64, 1));
  EXPECT_FALSE(table.add(0, 255, 1));
  EXPECT_FALSE(table.add(1, 31, 1));
  EXPECT_FALSE(table.add(0x80000000, 0, 1));
  EXPECT_FALSE(table.remove(1, 31));
  EXPECT_FALSE(table.remove(0, 33));
  EXPECT_EQ(table.lookup(0), std::nullopt);
}

TYPED_TEST(Lpm, FullTakesNoMoreButReplaces) {
  TypeParam table(2);
  EXPECT_TRUE(table.add(0x01000000, 32, 1));
  EXPECT_TRUE(table.add(0x01000001, 32, 2));
  EXPECT_FALSE(table.add(0x01000000, 31, 3));  // a node is there, but no prefix
  EXPECT_FALSE(table.add(0x02000000, 32, 3));
  EXPECT_EQ(table.lookup(0x02000000), std::nullopt);
  EXPECT_TRUE(table.add(0x01000001, 32, 4));
  EXPECT_EQ(table.lookup(0x01000001), 4u);
  EXPECT_TRUE(table.remove(0x01000000, 32));
  EXPECT_TRUE(table.add(0x02000000, 32, 3));
}

TEST(LpmTrie, RefusesWrongCapacities) {
  EXPECT_EQ(lpm_trie_create(0), nullptr);
  EXPECT_EQ(lpm_trie_create((1u << 29) + 1), nullptr);
  lpm_trie_destroy(nullptr);
}

TEST(LpmDirect, RefusesWrongCapacities) {
  EXPECT_EQ(lpm_direct_create(0, 1), nullptr);
  EXPECT_EQ(lpm_direct_create((1u << 22) + 1, 1), nullptr);
  EXPECT_EQ(lpm_direct_create(1, (1u << 20) + 1), nullptr);
  lpm_direct_destroy(nullptr);
}

TEST(LpmDirect, RefusesValuesThatAreTooLarge) {
  Direct table(2);
  EXPECT_TRUE(table.add(0, 32, LPM_DIRECT_LARGEST_VALUE));
  EXPECT_EQ(table.lookup(0), uint32_t{LPM_DIRECT_LARGEST_VALUE});
  EXPECT_FALSE(table.add(1, 32, LPM_DIRECT_LARGEST_VALUE + 1));
}

TEST(LpmDirect, TakesNoLongPrefixWithoutATableForIt) {
  Direct none(4, 0);
  EXPECT_TRUE(none.add(0x01000000, 24, 1));
  EXPECT_FALSE(none.add(0x01000000, 25, 2));
  EXPECT_EQ(none.lookup(0x01000000), 1u);

  Direct one(8, 1);
  EXPECT_TRUE(one.add(0x01000000, 25, 1));
  EXPECT_TRUE(one.add(0x01000080, 25, 2));  // in the same table
  EXPECT_FALSE(one.add(0x02000000, 32, 3));
  EXPECT_TRUE(one.add(0x02000000, 24, 3));
  EXPECT_TRUE(one.remove(0x01000000, 25));
  EXPECT_FALSE(one.add(0x02000000, 32, 4));
  EXPECT_TRUE(one.remove(0x01000080, 25));
  EXPECT_TRUE(one.add(0x02000000, 32, 4));  // the table is free again
  EXPECT_EQ(one.lookup(0x02000000), 4u);
  EXPECT_EQ(one.lookup(0x02000001), 3u);
  EXPECT_EQ(one.lookup(0x01000080), std::nullopt);
}

}  // namespace
}  // namespace perfpact::nflib
