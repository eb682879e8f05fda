// Packets per second of both engines: a router (lpm-router.p4) with 10,000 prefixes and 256 next hops,
// packets of 64 bytes from memory, events counted. The JIT's target is 2 million a second on one core, and 20
// times the interpreter.
#include <benchmark/benchmark.h>

#include <random>

#include "base/check.h"
#include "p4/core/lower.h"
#include "p4/interpreter/interpreter.h"
#include "p4/jit/jit.h"
#include "p4/syntax/parser.h"
#include "packet/packet.h"

namespace {

using namespace perfpact;

constexpr std::uint32_t kPrefixes = 10'000;
constexpr std::uint32_t kNexthops = 256;
constexpr std::uint32_t kPorts = 64;
constexpr std::uint32_t kVrfs = 4;
constexpr std::size_t kPackets = 4096;

struct Router {
  SourceManager sources;
  Diagnostics diagnostics{sources};
  std::unique_ptr<p4::core::Program> program;
  std::unique_ptr<tables::TableSet> tables;
  std::vector<program::InputPacket> packets;

  Router() {
    auto ast = p4::parse_program(PERFPACT_SOURCE_DIR "/bench/lpm-router.p4", {}, diagnostics);
    PERFPACT_CHECK(ast.has_value(), "{}", diagnostics.render());
    auto typed = p4::check(std::shared_ptr<const p4::ast::Ast>(std::move(*ast)), diagnostics);
    PERFPACT_CHECK(typed.has_value(), "{}", diagnostics.render());
    auto lowered = p4::lower(**typed, "lpm-router.p4", diagnostics);
    PERFPACT_CHECK(lowered.has_value(), "{}", diagnostics.render());
    program = std::move(*lowered);
    tables = std::make_unique<tables::TableSet>(program->tables);
    install();
  }

  tables::TableId find(std::string_view name) {
    const auto id = tables->find(name, {}, diagnostics);
    PERFPACT_CHECK(id.has_value(), "{}", diagnostics.render());
    return *id;
  }

  // Prefixes of 16 to 32 bits in 10.0.0.0/8, each different; a packet to an address in each.
  void install() {
    std::mt19937 random(1);
    const Integer any_port = all_ones(9);
    for (std::uint32_t port = 0; port < kPorts; ++port) {
      tables->add_entry(find("port_mapping"), {{{port, any_port, 0}}, 0, {0, {port}}, {}});
      tables->add_entry(find("bd"), {{{port, all_ones(16), 0}}, 0, {0, {port % kVrfs}}, {}});
    }
    const tables::TableId fib = find("ipv4_fib_lpm");
    const tables::TableId host_fib = find("ipv4_fib");
    for (std::uint32_t i = 0; i < kPrefixes; ++i) {
      const unsigned length = i < 256 ? 16 : 17 + i % 16;
      const Integer mask = all_ones(32) ^ all_ones(32 - length);
      const std::uint32_t address = 0x0a000000 | (i * 0x9e37U & 0xffff) << 8 | (i >> 3 & 0xff);
      const tables::Match match{Integer(address) & mask, mask, length};
      if (!prefixes_.insert({match.value, length}).second) continue;
      const tables::Match vrf{i % kVrfs, all_ones(12), 0};
      tables->add_entry(fib, {{vrf, match}, 0, {0, {random() % kNexthops}}, {}});
      if (i % 100 == 0)
        tables->add_entry(host_fib, {{vrf, {address, all_ones(32), 0}}, 0, {0, {random() % kNexthops}}, {}});
      if (packets.size() < kPackets)
        packets.push_back({i % kVrfs + kVrfs * (random() % (kPorts / kVrfs)), packet_to(address)});
    }
    const tables::TableId nexthops = find("nexthop");
    for (std::uint32_t i = 0; i < kNexthops; ++i)
      tables->add_entry(
          nexthops, {{{i, all_ones(16), 0}}, 0, {0, {i % 64, 0x020000000000 + i, 0x040000000000 + i}}, {}});
    PERFPACT_CHECK(tables->finish(diagnostics), "{}", diagnostics.render());
    std::ranges::shuffle(packets, random);
  }

  static std::vector<std::uint8_t> packet_to(std::uint32_t address) {
    std::vector<std::uint8_t> bytes(64);
    const auto put = [&](std::size_t at, std::uint64_t value, int count) {
      for (int i = 0; i < count; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> 8 * (count - 1 - i));
    };
    put(0, 0x020000000001, 6);
    put(6, 0x020000000002, 6);
    put(12, 0x0800, 2);
    put(14, 0x45000032, 4);
    put(22, 0x4011, 2);
    put(26, 0xc0a80001, 4);
    put(30, address, 4);
    std::uint32_t sum = 0;
    for (std::size_t i = 14; i < 34; i += 2) sum += bytes[i] << 8 | bytes[i + 1];
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    put(24, ~sum & 0xffff, 2);
    return bytes;
  }

  std::set<std::pair<Integer, unsigned>> prefixes_;
};

Router& router() {
  static Router router;
  return router;
}

void interpreter(benchmark::State& state) {
  Router& all = router();
  p4::Interpreter engine(*all.program, *all.tables);
  std::size_t next = 0;
  std::size_t sent = 0;
  for (auto _ : state) {
    sent += engine.run(all.packets[next++ % all.packets.size()]).outputs.size();
  }
  PERFPACT_CHECK(sent == next, "{} of {} packets were sent", sent, next);
  state.SetItemsProcessed(static_cast<std::int64_t>(next));
}

void jit(benchmark::State& state) {
  Router& all = router();
  p4::Jit engine(*all.program, all.sources, *all.tables);
  std::vector<std::uint64_t> events;
  std::size_t packets = 0;
  for (auto _ : state) {
    engine.count(all.packets, events);
    packets += all.packets.size();
  }
  std::size_t sent = 0;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (all.program->sites[i].kind == program::EventKind::Send) sent += events[i];
  PERFPACT_CHECK(sent == packets, "{} of {} packets were sent", sent, packets);
  state.SetItemsProcessed(static_cast<std::int64_t>(packets));
}

// With whole traces, as `predict` and `run` use it.
void jit_traces(benchmark::State& state) {
  Router& all = router();
  p4::Jit engine(*all.program, all.sources, *all.tables);
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(engine.run(all.packets[next++ % all.packets.size()]));
  state.SetItemsProcessed(static_cast<std::int64_t>(next));
}

void compile(benchmark::State& state) {
  Router& all = router();
  for (auto _ : state) p4::Jit(*all.program, all.sources, *all.tables);
}

BENCHMARK(interpreter);
BENCHMARK(jit);
BENCHMARK(jit_traces);
BENCHMARK(compile)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
