// Queries as an explorer asks them, a second: a parser and look-ups over a packet of one symbol a byte, every
// branch both ways. `without_z3` is the share that no solver was needed for, among the queries that are not
// constants. Beside it the same with every layer off.
#include <benchmark/benchmark.h>

#include "smt/solver.h"

namespace {

using namespace perfpact;
using smt::Expr;

/// The branch conditions along the way of an IPv4 packet through `rules` look-ups.
std::vector<Expr> branches(smt::Context& c, int rules) {
  std::vector<Expr> bytes;
  for (int i = 0; i < 128; ++i) bytes.push_back(c.symbol("packet." + std::to_string(i), 8));
  const auto field = [&](std::size_t first, std::size_t count) {
    Expr value = bytes[first];
    for (std::size_t i = 1; i < count; ++i) value = c.concat(value, bytes[first + i]);
    return value;
  };
  const Expr header_length = c.extract(3, 0, bytes[14]);
  const Expr ttl = field(22, 1);
  std::vector<Expr> result{c.eq(field(12, 2), c.constant(16, 0x0800)), c.ult(header_length, c.constant(4, 5)),
                           c.eq(header_length, c.constant(4, 5)),      c.ult(ttl, c.constant(8, 2)),
                           c.eq(field(23, 1), c.constant(8, 6)),       c.eq(field(23, 1), c.constant(8, 17)),
                           c.ult(field(34, 2), field(36, 2))};
  for (int i = 0; i < rules; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    const Expr prefix = c.and_(field(30, 4), c.constant(32, 0xffffff00));
    result.push_back(c.eq(prefix, c.constant(32, 0x0a000000 + (number << 8))));
    // A one's complement sum, as of a checksum that is brought up to date.
    const Expr sum = c.add(c.zext(field(24, 2), 32), c.zext(field(16, 2), 32));
    result.push_back(c.eq(c.and_(sum, c.constant(32, 0xffff)), c.constant(32, 0x1111 * number)));
  }
  return result;
}

void explore(benchmark::State& state, bool use_layers) {
  smt::Statistics total;
  for (auto _ : state) {
    smt::Context context;
    smt::Options options;
    options.use_layers = use_layers;
    smt::Solver solver(context, options);
    std::vector<smt::Constraints> paths{{}};
    for (const Expr branch : branches(context, static_cast<int>(state.range(0)))) {
      std::vector<smt::Constraints> next;
      for (const smt::Constraints& path : paths) {
        for (const Expr way : {branch, context.not_(branch)}) {
          if (solver.check(path, way).is_sat()) next.push_back(path.with(context, way));
        }
      }
      paths = std::move(next);
    }
    total = solver.statistics();
  }
  const auto count = [&](smt::Layer layer) {
    return static_cast<double>(total.answered[static_cast<std::size_t>(layer)]);
  };
  const auto queries = static_cast<double>(total.queries());
  state.counters["queries"] = queries;
  state.counters["queries_per_second"] =
      benchmark::Counter(queries, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["without_z3"] = 1 - count(smt::Layer::Z3) / (queries - count(smt::Layer::Constant));
  state.counters["unknown"] = static_cast<double>(total.unknown);
}

// One more branch at the end of a path of so many constraints, all in one slice.
void long_path(benchmark::State& state) {
  smt::Context c;
  smt::Solver solver(c);
  smt::Constraints path;
  Expr last = c.symbol("s0", 32);
  for (std::int64_t i = 1; i <= state.range(0); ++i) {
    const Expr next = c.symbol("s" + std::to_string(i), 32);
    path = path.with(c, c.ult(c.add(last, c.constant(32, 1)), next));
    last = next;
  }
  if (!solver.check(path, c.boolean(true)).is_sat()) state.SkipWithError("a wrong answer");
  std::uint64_t bound = 0;
  for (auto _ : state) {
    const Expr query = c.ult(last, c.constant(32, 100'000 + bound++));
    for (const Expr way : {query, c.not_(query)}) {
      if (!solver.check(path, way).is_sat()) state.SkipWithError("a wrong answer");
    }
  }
}

}  // namespace

BENCHMARK_CAPTURE(explore, all_layers, true)->Arg(2)->Arg(5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(explore, z3_alone, false)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK(long_path)->Arg(100)->Arg(2'000)->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
