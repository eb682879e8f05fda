// Longest-prefix match beside rte_lpm, in one run (main is in nflib.cpp): random prefixes, random addresses.
#include <random>
#include <vector>

#include <benchmark/benchmark.h>
#include <rte_lpm.h>

#include "nflib/lpm_direct.h"
#include "nflib/lpm_trie.h"

namespace {

constexpr uint32_t kGroups = 1 << 16;

struct Route {
  uint32_t prefix;
  uint8_t length;
};

// A quarter longer than 24 bits.
std::vector<Route> random_routes(int64_t count) {
  std::mt19937 random(1);
  std::vector<Route> routes;
  for (int64_t i = 0; i < count; i++) {
    auto length = static_cast<uint8_t>(i % 4 == 0 ? 25 + random() % 8 : 16 + random() % 9);
    routes.push_back({static_cast<uint32_t>(random()) & (UINT32_MAX << (32 - length)), length});
  }
  return routes;
}

const std::vector<uint32_t>& addresses() {
  static const std::vector<uint32_t> made = [] {
    std::mt19937 random(2);
    std::vector<uint32_t> list(1 << 20);
    for (uint32_t& address : list) address = static_cast<uint32_t>(random());
    return list;
  }();
  return made;
}

template <class Lookup>
void run(benchmark::State& state, const Lookup& lookup) {
  size_t at = 0;
  uint64_t sum = 0;
  uint32_t first = 0;
  for (uint32_t address : addresses()) lookup(address, &first);  // all pages are there
  for (auto _ : state) {
    uint32_t value = 0;
    sum += lookup(addresses()[at++ & (addresses().size() - 1)], &value) ? value : 0;
  }
  benchmark::DoNotOptimize(sum);
}

void lpm_direct_random(benchmark::State& state) {
  lpm_direct* table = lpm_direct_create(1 << 20, kGroups);
  uint32_t value = 0;
  for (const Route& route : random_routes(state.range(0)))
    if (!lpm_direct_add(table, route.prefix, route.length, value++)) state.SkipWithError("no room");
  run(state, [&](uint32_t address, uint32_t* found) { return lpm_direct_lookup(table, address, found); });
  lpm_direct_destroy(table);
}

// Out of line, as the call of a library.
__attribute__((noinline)) bool rte_lookup(const rte_lpm* table, uint32_t address, uint32_t* value) {
  return rte_lpm_lookup(const_cast<rte_lpm*>(table), address, value) == 0;
}

void rte_lpm_random(benchmark::State& state) {
  rte_lpm_config config{.max_rules = 1 << 20, .number_tbl8s = kGroups, .flags = 0};
  rte_lpm* table = rte_lpm_create("bench", 0, &config);
  if (table == nullptr) {
    state.SkipWithError("rte_lpm has no memory");
    return;
  }
  uint32_t value = 0;
  for (const Route& route : random_routes(state.range(0)))
    if (rte_lpm_add(table, route.prefix, route.length, value++) != 0) state.SkipWithError("no room");
  run(state, [&](uint32_t address, uint32_t* found) { return rte_lookup(table, address, found); });
  rte_lpm_free(table);
}

void lpm_trie_random(benchmark::State& state) {
  lpm_trie* trie = lpm_trie_create(1 << 20);
  uint32_t value = 0;
  for (const Route& route : random_routes(state.range(0)))
    lpm_trie_add(trie, route.prefix, route.length, value++);
  run(state, [&](uint32_t address, uint32_t* found) { return lpm_trie_lookup(trie, address, found); });
  lpm_trie_destroy(trie);
}

BENCHMARK(lpm_direct_random)->Arg(10'000)->Arg(100'000);
BENCHMARK(rte_lpm_random)->Arg(10'000)->Arg(100'000);
BENCHMARK(lpm_trie_random)->Arg(10'000)->Arg(100'000);

}  // namespace
