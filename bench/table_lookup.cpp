// Time of one look-up in tables of up to a million entries, by match kind, hits and misses mixed, and of
// building them.
#include <benchmark/benchmark.h>

#include <random>

#include "tables/table_set.h"

namespace {

using namespace perfpact;
using tables::MatchKind;

constexpr unsigned kWidth = 48;
constexpr std::size_t kKeys = 4096;

tables::TableSchema one_key_table(MatchKind kind) {
  tables::TableSchema schema;
  schema.name = "t";
  schema.keys.push_back({"key", kWidth, kind, {}});
  schema.actions.push_back({"NoAction", {}, false, false, {}});
  return schema;
}

/// The match of an entry whose high bits are `value`: lpm entries have 40 to 48 bits, ternary ones 8 masks.
tables::Match match_of(MatchKind kind, const Integer& value, std::size_t index) {
  const Integer ones = all_ones(kWidth);
  const auto keep_high = [&](unsigned bits) { return Integer(ones ^ all_ones(kWidth - bits)); };
  switch (kind) {
    case MatchKind::Lpm: {
      const auto bits = static_cast<unsigned>(40 + index % 9);
      const Integer mask = keep_high(bits);
      return {Integer(value & mask), mask, bits};
    }
    case MatchKind::Ternary: {
      const Integer mask = keep_high(static_cast<unsigned>(34 + 2 * (index % 8)));
      return {Integer(value & mask), mask, 0};
    }
    default:
      return {value, ones, 0};
  }
}

tables::TableSet filled(MatchKind kind, std::size_t entries, std::vector<Integer>& keys) {
  tables::TableSet set({one_key_table(kind)});
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < entries; ++i) {
    // An odd multiplier modulo 2^48 visits every value once: no two entries are the same.
    const Integer value = Integer(((i + 1) * 0x9e3779b97f4bULL) & ((1ULL << kWidth) - 1));
    tables::Entry entry;
    entry.matches.push_back(match_of(kind, value, i));
    entry.priority = kind == MatchKind::Ternary ? static_cast<std::int64_t>(i % 1000) : 0;
    set.add_entry(tables::TableId{0}, std::move(entry));
    if (keys.size() < kKeys / 2 && random() % (entries / (kKeys / 2) + 1) == 0) keys.push_back(value);
  }
  while (keys.size() < kKeys) keys.emplace_back(random() & ((1ULL << kWidth) - 1));
  return set;
}

void lookup(benchmark::State& state, MatchKind kind) {
  std::vector<Integer> keys;
  tables::TableSet set = filled(kind, static_cast<std::size_t>(state.range(0)), keys);
  SourceManager sources;
  Diagnostics diagnostics(sources);
  if (!set.finish(diagnostics)) state.SkipWithError("the entries are not distinct");
  std::size_t next = 0;
  for (auto _ : state) {
    const std::span<const Integer> key(&keys[next++ % kKeys], 1);
    benchmark::DoNotOptimize(set.lookup(tables::TableId{0}, key));
  }
}

void build(benchmark::State& state, MatchKind kind) {
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<Integer> keys;
    tables::TableSet set = filled(kind, static_cast<std::size_t>(state.range(0)), keys);
    SourceManager sources;
    Diagnostics diagnostics(sources);
    state.ResumeTiming();
    if (!set.finish(diagnostics)) state.SkipWithError("the entries are not distinct");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

}  // namespace

BENCHMARK_CAPTURE(lookup, exact, MatchKind::Exact)->Arg(1'000)->Arg(1'000'000);
BENCHMARK_CAPTURE(lookup, lpm, MatchKind::Lpm)->Arg(1'000)->Arg(1'000'000);
BENCHMARK_CAPTURE(lookup, ternary, MatchKind::Ternary)->Arg(1'000)->Arg(1'000'000);
BENCHMARK_CAPTURE(build, exact, MatchKind::Exact)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, lpm, MatchKind::Lpm)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, ternary, MatchKind::Ternary)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
