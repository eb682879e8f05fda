// What an access to memory costs at each level that may hold its line. From a file (docs/formats.md, schema
// `perfpact.memory/1`) that `perfpact measure memory` writes, or defaults.
// Tested by tests/timing.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "base/diagnostics.h"

namespace perfpact::timing {

enum class Level : std::uint8_t { L1, L2, Llc, Dram };
inline constexpr std::array<std::string_view, 4> kLevelNames{"l1", "l2", "llc", "dram"};

struct Cache {
  std::uint64_t bytes = 0;
  std::uint32_t ways = 0;
  std::uint32_t line = 64;  // bytes

  [[nodiscard]] std::uint64_t sets() const { return bytes / line / ways; }
};

struct MemoryLevel {
  Cache cache;               // nothing of Level::Dram
  std::uint32_t cycles = 0;  // of the processor's core, from the address to the value
};

struct Latencies {
  std::string origin;  // "defaults", the file
  /// Usual values of servers of the last years: 32 KiB of L1 in 8 ways as the conservative model has it.
  std::array<MemoryLevel, kLevelNames.size()> levels{
      {{{32 << 10, 8}, 5}, {{1 << 20, 16}, 15}, {{32 << 20, 16}, 70}, {{}, 300}}};

  [[nodiscard]] const MemoryLevel& at(Level level) const { return levels[static_cast<std::size_t>(level)]; }
  /// Cycles that an access to the level takes longer than one to L1.
  [[nodiscard]] std::uint32_t beyond_l1(Level level) const {
    return at(level).cycles - levels.front().cycles;
  }

  [[nodiscard]] static Latencies defaults() { return {.origin = "defaults"}; }
  /// Reports what is wrong with the file: memory-levels, memory-geometry, memory-order.
  [[nodiscard]] static Result<Latencies> load(const std::string& path, Diagnostics& diagnostics);
};

/// `l1 5, l2 15, llc 70, dram 300 cycles (defaults)`.
[[nodiscard]] std::string to_string(const Latencies& latencies);

}  // namespace perfpact::timing
