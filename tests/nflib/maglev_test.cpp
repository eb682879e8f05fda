#include "nflib/maglev.h"

#include <algorithm>
#include <memory>

#include "../../nflib/src/mix.h"
#include "model_test.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(maglev* table) const { maglev_destroy(table); }
};
using Table = std::unique_ptr<maglev, Destroy>;
using Owner = std::optional<uint32_t>;

Owner lookup(const Table& table, uint64_t hash) {
  uint32_t backend;
  return maglev_lookup(table.get(), hash, &backend) ? Owner(backend) : std::nullopt;
}

std::vector<Owner> owners(const Table& table, uint32_t slots) {
  std::vector<Owner> owners;
  for (uint32_t slot = 0; slot < slots; slot++) owners.push_back(lookup(table, slot));
  return owners;
}

// The paper's algorithm as it stands, with a list of preferences for each backend.
std::vector<Owner> filled(const std::vector<bool>& alive, uint32_t slots) {
  std::vector<Owner> owners(slots);
  std::vector<std::vector<uint32_t>> preferences(alive.size());
  for (uint64_t backend = 0; backend < alive.size(); backend++) {
    uint64_t bits = nf_mix(0x9e3779b97f4a7c15 * (backend + 1));
    for (uint64_t i = 0; alive[backend] && i < slots; i++)
      preferences[backend].push_back(
          static_cast<uint32_t>((bits % slots + i * (nf_mix(bits) % (slots - 1) + 1)) % slots));
    std::reverse(preferences[backend].begin(), preferences[backend].end());
  }
  if (std::ranges::find(alive, true) == alive.end()) return owners;
  for (uint32_t taken = 0, backend = 0; taken < slots; backend = (backend + 1) % alive.size()) {
    if (!alive[backend]) continue;
    std::vector<uint32_t>& left = preferences[backend];
    while (owners[left.back()]) left.pop_back();
    owners[left.back()] = backend;
    taken++;
  }
  return owners;
}

TEST(Maglev, RefusesNumbersThatAreWrong) {
  EXPECT_EQ(maglev_create(0, 101), nullptr);
  EXPECT_EQ(maglev_create(2, 199), nullptr);
  EXPECT_EQ(maglev_create(1, 0), nullptr);
  EXPECT_EQ(maglev_create(1, 121), nullptr);
  EXPECT_EQ(maglev_create(1, 65536), nullptr);
  EXPECT_EQ(maglev_create(UINT32_MAX, 65537), nullptr);
  maglev_destroy(nullptr);
}

TEST(Maglev, KnowsNoOtherBackends) {
  Table table(maglev_create(2, 211));
  EXPECT_FALSE(maglev_set_alive(table.get(), 2, true));
  EXPECT_FALSE(maglev_is_alive(table.get(), 2));
  EXPECT_EQ(lookup(table, 1), std::nullopt);
}

// A 32-bit hash in either half of the argument is as good as one of 64 bits.
TEST(Maglev, TakesBothHalvesOfTheHash) {
  constexpr uint32_t kSlots = 65537;
  Table table(maglev_create(8, kSlots));
  for (uint32_t backend = 0; backend < 8; backend++)
    EXPECT_TRUE(maglev_set_alive(table.get(), backend, true));
  std::vector<Owner> slots = owners(table, kSlots);
  Random random(1);
  for (int i = 0; i < 100'000; i++) {
    uint64_t hash = random.bits();
    EXPECT_EQ(lookup(table, hash), slots[((hash ^ hash >> 32) & UINT32_MAX) % kSlots]);
    EXPECT_EQ(lookup(table, hash << 32), slots[(hash & UINT32_MAX) % kSlots]);
  }
  EXPECT_EQ(lookup(table, UINT32_MAX), slots[UINT32_MAX % kSlots]);
}

TEST(Maglev, SharesEvenlyAndMovesLittle) {
  constexpr uint32_t kSlots = 10007, kBackends = 20;
  Table table(maglev_create(kBackends, kSlots));
  for (uint32_t backend = 0; backend < kBackends; backend++) maglev_set_alive(table.get(), backend, true);
  std::vector<Owner> before = owners(table, kSlots);
  for (uint32_t backend = 0; backend < kBackends; backend++) {
    auto share = std::ranges::count(before, Owner(backend));
    EXPECT_GE(share, kSlots / kBackends);
    EXPECT_LE(share, kSlots / kBackends + 1);
  }
  EXPECT_TRUE(maglev_set_alive(table.get(), 7, false));
  std::vector<Owner> after = owners(table, kSlots);
  uint32_t moved = 0;
  for (uint32_t slot = 0; slot < kSlots; slot++)
    moved += before[slot] != Owner(7) && before[slot] != after[slot];
  EXPECT_LE(moved, kSlots / 20);
  EXPECT_TRUE(maglev_set_alive(table.get(), 7, true));
  EXPECT_EQ(owners(table, kSlots), before);
}

struct Operation {
  enum Kind { kRevive, kKill, kAsk, kLookup } kind;
  uint32_t backend;
  uint64_t hash;

  std::string text() const {
    static constexpr const char* kNames[] = {"revive", "kill", "ask", "lookup"};
    return fmt::format("{} backend {} hash {:#x}", kNames[kind], backend, hash);
  }
};

std::optional<std::string> disagreement(uint32_t backends, uint32_t slots,
                                        std::span<const Operation> operations) {
  Table table(maglev_create(backends, slots));
  std::vector<bool> alive(backends);
  std::vector<Owner> model(slots);
  for (const auto& [kind, backend, hash] : operations) {
    bool there = backend < backends;
    if (kind == Operation::kLookup) {
      if (lookup(table, hash) != model[((hash ^ hash >> 32) & UINT32_MAX) % slots]) return "lookup differs";
    } else if (kind == Operation::kAsk) {
      if (maglev_is_alive(table.get(), backend) != (there && alive[backend])) return "is_alive differs";
    } else {
      bool revive = kind == Operation::kRevive;
      bool changes = there && alive[backend] != revive;
      if (maglev_set_alive(table.get(), backend, revive) != changes) return "set_alive differs";
      if (!changes) continue;
      alive[backend] = revive;
      model = filled(alive, slots);
    }
  }
  return owners(table, slots) == model ? std::nullopt : std::optional<std::string>("tables differ");
}

TEST(Maglev, AgreesWithThePapersAlgorithm) {
  for (auto [backends, slots] : {std::pair(1u, 101u), std::pair(2u, 211u), std::pair(4u, 401u)}) {
    auto operation = [&](Random& random) {
      static constexpr Operation::Kind kKinds[] = {Operation::kRevive, Operation::kKill, Operation::kAsk};
      Operation::Kind kind = random.below(20) == 0 ? kKinds[random.below(3)] : Operation::kLookup;
      return Operation{kind, static_cast<uint32_t>(random.below(backends + 1)), random.bits()};
    };
    EXPECT_TRUE(agrees_with_model<Operation>(
        {35, 10'000, 1}, operation,
        [&](std::span<const Operation> operations) { return disagreement(backends, slots, operations); }))
        << backends;
  }
}

}  // namespace
}  // namespace perfpact::nflib
