// nflib's structures beside those of DPDK, in one run. No devices, huge pages or privilege needed.
//
//   build/bench/bench/nflib --benchmark_repetitions=5
//
// Keys are random; every key of a table is looked up once, in random order, before any is looked up again.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>
#include <rte_eal.h>
#include <rte_hash.h>
#include <rte_hash_crc.h>

#include "nflib/hash_map.h"

namespace {

struct Keys {
  std::vector<nf_key> in_table;
  std::vector<nf_key> order;  // the same, shuffled
};

Keys random_keys(size_t count) {
  std::mt19937_64 random(1);
  Keys keys;
  for (size_t i = 0; i < count; i++) keys.in_table.push_back({{random(), random()}});
  keys.order = keys.in_table;
  std::ranges::shuffle(keys.order, random);
  return keys;
}

// The arguments of all benchmarks: entries, slots. 65,000 entries need 131,072 slots in a table whose size is
// a power of two, load 0.5; 104,858 fill them to 0.8, 52,429 fill 65,536 to 0.8.
void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({65'000, 131'072})->Args({52'429, 65'536})->Args({104'858, 131'072});
}

hash_map* filled_map(const Keys& keys, uint32_t slots) {
  hash_map* map = hash_map_create(slots, 1);
  for (size_t i = 0; i < keys.in_table.size(); i++)
    hash_map_put(map, &keys.in_table[i], static_cast<uint32_t>(i));
  return map;
}

void hash_map_hit(benchmark::State& state) {
  Keys keys = random_keys(state.range(0));
  hash_map* map = filled_map(keys, static_cast<uint32_t>(state.range(1)));
  size_t at = 0;
  uint64_t sum = 0;
  for (auto _ : state) {
    uint32_t value = 0;
    if (!hash_map_get(map, &keys.order[at], &value)) state.SkipWithError("a key is missing");
    sum += value;
    at = at + 1 == keys.order.size() ? 0 : at + 1;
  }
  benchmark::DoNotOptimize(sum);
  hash_map_destroy(map);
}
BENCHMARK(hash_map_hit)->Apply(sizes);

// Erases a key and puts it back.
void hash_map_erase_and_put(benchmark::State& state) {
  Keys keys = random_keys(state.range(0));
  hash_map* map = filled_map(keys, static_cast<uint32_t>(state.range(1)));
  size_t at = 0;
  for (auto _ : state) {
    if (!hash_map_erase(map, &keys.order[at])) state.SkipWithError("a key is missing");
    if (!hash_map_put(map, &keys.order[at], 1)) state.SkipWithError("no room");
    at = at + 1 == keys.order.size() ? 0 : at + 1;
  }
  hash_map_destroy(map);
}
BENCHMARK(hash_map_erase_and_put)->Apply(sizes);

// rte_hash with the same entries and the same hash function, a table of the same number of entries' places.
rte_hash* filled_rte_hash(const Keys& keys, uint32_t slots) {
  rte_hash_parameters parameters{};
  parameters.name = "bench";
  parameters.entries = slots;
  parameters.key_len = sizeof(nf_key);
  parameters.hash_func = rte_hash_crc;
  rte_hash* table = rte_hash_create(&parameters);
  if (table == nullptr) return nullptr;
  for (size_t i = 0; i < keys.in_table.size(); i++)
    if (rte_hash_add_key_data(table, &keys.in_table[i], reinterpret_cast<void*>(i)) != 0) {
      rte_hash_free(table);
      return nullptr;
    }
  return table;
}

void rte_hash_hit(benchmark::State& state) {
  Keys keys = random_keys(state.range(0));
  rte_hash* table = filled_rte_hash(keys, static_cast<uint32_t>(state.range(1)));
  if (table == nullptr) return state.SkipWithError("DPDK has no room for the table");
  size_t at = 0;
  uint64_t sum = 0;
  for (auto _ : state) {
    void* value = nullptr;
    if (rte_hash_lookup_data(table, &keys.order[at], &value) < 0) state.SkipWithError("a key is missing");
    sum += reinterpret_cast<uintptr_t>(value);
    at = at + 1 == keys.order.size() ? 0 : at + 1;
  }
  benchmark::DoNotOptimize(sum);
  rte_hash_free(table);
}
BENCHMARK(rte_hash_hit)->Apply(sizes);

void rte_hash_erase_and_put(benchmark::State& state) {
  Keys keys = random_keys(state.range(0));
  rte_hash* table = filled_rte_hash(keys, static_cast<uint32_t>(state.range(1)));
  if (table == nullptr) return state.SkipWithError("DPDK has no room for the table");
  size_t at = 0;
  for (auto _ : state) {
    if (rte_hash_del_key(table, &keys.order[at]) < 0) state.SkipWithError("a key is missing");
    if (rte_hash_add_key_data(table, &keys.order[at], nullptr) != 0) state.SkipWithError("no room");
    at = at + 1 == keys.order.size() ? 0 : at + 1;
  }
  rte_hash_free(table);
}
BENCHMARK(rte_hash_erase_and_put)->Apply(sizes);

bool start_dpdk(char* program) {
  char options[][16] = {"--no-huge",     "-m",       "1024", "--no-pci", "--no-shconf", "--no-telemetry",
                        "--log-level=4", "--lcores", "0"};
  std::vector<char*> arguments{program};
  for (char* option : options) arguments.push_back(option);
  return rte_eal_init(static_cast<int>(arguments.size()), arguments.data()) >= 0;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (!start_dpdk(argv[0])) {
    std::fputs("DPDK does not start\n", stderr);
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
