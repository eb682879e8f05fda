#include "timing/measure.h"

#include <cpuid.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "timing/diagnostics.h"

namespace perfpact::timing {
namespace {

constexpr std::uint64_t kKiB = 1 << 10, kMiB = 1 << 20;
constexpr std::uint64_t kSmallest = 4 * kKiB, kLargest = 1024 * kMiB;
constexpr std::uint64_t kRuns = 512;    // at least
constexpr std::uint64_t kLoads = 4096;  // of a run

std::uint64_t now() {
  unsigned processor = 0;
  _mm_lfence();
  const std::uint64_t time = __rdtscp(&processor);
  _mm_lfence();
  return time;
}

/// Of runs that are too short to be interrupted often: ticks that a quarter of them stay below.
template <class Run>
double usual_time(std::uint64_t runs, const Run& run) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::uint64_t begin = now();
    run();
    times.push_back(now() - begin);
  }
  const auto quarter = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::ranges::nth_element(times, quarter);
  return static_cast<double>(*quarter);
}

/// Intel SDM, CPUID leaf 4; AMD64 APM vol. 3, leaf 8000001D: the same layout.
std::vector<Cache> caches_of_processor() {
  constexpr unsigned kIntel = 4, kAmd = 0x8000001d, kMostCaches = 16;
  for (const unsigned leaf : {kAmd, kIntel}) {
    std::vector<Cache> caches;
    for (unsigned i = 0; i < kMostCaches; ++i) {
      unsigned a = 0, b = 0, c = 0, d = 0;
      if (__get_cpuid_count(leaf, i, &a, &b, &c, &d) == 0) break;
      const unsigned type = a & 0x1fU, level = (a >> 5U) & 0x7U;  // 0: no more; 2: of instructions
      if (type == 0) break;
      if (type == 2 || level != caches.size() + 1) continue;
      const std::uint32_t line = (b & 0xfffU) + 1, parts = ((b >> 12U) & 0x3ffU) + 1, ways = (b >> 22U) + 1;
      const std::uint64_t sets = std::uint64_t{c} + 1;
      caches.push_back({sets * ways * parts * line, ways, line});
    }
    if (!caches.empty()) return caches;
  }
  return {};
}

// Memory of pointers, each to the next line of a random round through all of them.
class Chase {
 public:
  explicit Chase(std::uint64_t bytes) : bytes_(bytes) {
    void* memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, /*fd=*/-1, /*offset=*/0);
    if (memory == MAP_FAILED) return;
    memory_ = static_cast<std::byte*>(memory);
    (void)madvise(memory_, bytes, MADV_HUGEPAGE);
    link();
  }
  Chase(const Chase&) = delete;
  Chase& operator=(const Chase&) = delete;
  ~Chase() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
  }

  [[nodiscard]] bool is_there() const { return memory_ != nullptr; }

  // One round at least.
  [[nodiscard]] double tsc_per_load() {
    void* at = memory_;
    const auto run = [&at] {
      for (std::uint64_t i = 0; i < kLoads; ++i) {
        at = *static_cast<void**>(at);
        asm volatile("" : "+r"(at));
      }
    };
    return usual_time(std::max(kRuns, bytes_ / kLine / kLoads), run) / static_cast<double>(kLoads);
  }

 private:
  static constexpr std::uint64_t kLine = 64;

  // Sattolo's shuffle: one round.
  void link() {
    std::vector<std::uint32_t> order(bytes_ / kLine);
    std::iota(order.begin(), order.end(), 0U);
    std::mt19937_64 random(bytes_);
    for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random() % i]);
    for (std::size_t i = 0; i < order.size(); ++i)
      *reinterpret_cast<void**>(memory_ + order[i] * kLine) = memory_ + order[(i + 1) % order.size()] * kLine;
  }

  std::uint64_t bytes_;
  std::byte* memory_ = nullptr;
};

// Twice what the caches hold, but not less than a usual one does.
std::uint64_t largest_set(const Latencies& latencies) {
  return std::clamp(2 * std::bit_floor(latencies.at(Level::Llc).cache.bytes), 128 * kMiB, kLargest);
}

// Of a level: at the largest working set up to the geometric middle of what the level before and it hold,
// where neither has a part of the other's.
double cycles_at(const MeasuredMemory& measured, Level level) {
  const auto size_of = [&](Level one) { return measured.latencies.at(one).cache.bytes; };
  if (level == Level::Dram) return measured.points.back().cycles;
  const std::uint64_t before =
      level == Level::L1 ? kSmallest : size_of(static_cast<Level>(static_cast<int>(level) - 1));
  double cycles = measured.points.front().cycles;
  for (const MeasuredMemory::Point& point : measured.points)
    if (point.bytes <= before || point.bytes / before <= size_of(level) / point.bytes) cycles = point.cycles;
  return cycles;
}

}  // namespace

double measure_tsc_per_cycle() {
  constexpr int kRounds = 1 << 10, kAdditions = 64;  // .rept below
  std::uint64_t sum = 1;
  const auto run = [&] {
    for (int i = 0; i < kRounds; ++i) asm volatile(".rept 64\n\tadd %0, %0\n\t.endr" : "+r"(sum));
  };
  return usual_time(kRuns, run) / (static_cast<double>(kRounds) * kAdditions);
}

Result<MeasuredMemory> measure_memory(Diagnostics& diagnostics) {
  MeasuredMemory measured{.latencies = Latencies::defaults()};
  const std::vector<Cache> caches = caches_of_processor();
  if (caches.size() >= kLevelNames.size() - 1)
    for (std::size_t i = 0; i + 1 < kLevelNames.size(); ++i) measured.latencies.levels[i].cache = caches[i];
  measured.tsc_per_cycle = measure_tsc_per_cycle();
  for (std::uint64_t bytes = kSmallest; bytes <= largest_set(measured.latencies); bytes *= 2) {
    Chase chase(bytes);
    if (!chase.is_there()) return std::unexpected(diagnostics.report(diag::kMeasureMemory, {}, bytes));
    measured.points.push_back({bytes, chase.tsc_per_load() / measured.tsc_per_cycle});
  }
  std::uint32_t least = 1;  // a level takes no less than one that is nearer
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    const double cycles = cycles_at(measured, static_cast<Level>(i));
    least = std::max(least, static_cast<std::uint32_t>(std::lround(cycles)));
    measured.latencies.levels[i].cycles = least;
  }
  return measured;
}

std::string to_yaml(const MeasuredMemory& measured, std::string_view cpu) {
  std::string text = fmt::format("schema: perfpact.memory/1\ncpu: {}\ntsc_per_cycle: {:.4f}\nlevels:\n", cpu,
                                 measured.tsc_per_cycle);
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    const auto& [cache, cycles] = measured.latencies.levels[i];
    if (static_cast<Level>(i) == Level::Dram)
      text += fmt::format("  - {{name: {}, cycles: {}}}\n", kLevelNames[i], cycles);
    else
      text += fmt::format("  - {{name: {}, bytes: {}, ways: {}, line: {}, cycles: {}}}\n", kLevelNames[i],
                          cache.bytes, cache.ways, cache.line, cycles);
  }
  return text;
}

std::string to_text(const MeasuredMemory& measured) {
  std::string text = fmt::format("time stamp counter: {:.4f} a cycle\n", measured.tsc_per_cycle);
  for (const MeasuredMemory::Point& point : measured.points)
    text += fmt::format("{:>9} KiB {:>8.1f} cycles\n", point.bytes / kKiB, point.cycles);
  for (std::size_t i = 0; i < kLevelNames.size(); ++i)
    text += fmt::format("{:>13} {:>8} cycles\n", kLevelNames[i], measured.latencies.levels[i].cycles);
  return text;
}

}  // namespace perfpact::timing
