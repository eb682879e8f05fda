// Caches as they are at a moment: LRU, each level filled by what misses it, and a prefetcher that runs ahead
// of sequences of lines.
// Tested by tests/timing.
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "timing/latencies.h"

namespace perfpact::timing {

class LruCache {
 public:
  explicit LruCache(const Cache& cache) : ways_(cache.ways), sets_(cache.sets()) {}

  /// Accesses the line with this number; whether it was there.
  bool access(std::uint64_t line);

 private:
  std::uint32_t ways_;
  std::vector<std::vector<std::uint64_t>> sets_;  // the line used last first
};

class Hierarchy {
 public:
  explicit Hierarchy(const Latencies& latencies);

  /// Where the byte at the address was found. Bytes are taken in lines of L1.
  Level access(std::uint64_t address);

 private:
  [[nodiscard]] bool is_prefetched(std::uint64_t line) const;

  std::uint64_t line_;
  std::array<LruCache, kLevelNames.size() - 1> caches_;
  // APPROX(either): of a line next to two that were touched lately it is said to be in L1 already.
  static constexpr std::size_t kRecent = 32;
  std::array<std::uint64_t, kRecent> recent_;
  std::size_t next_ = 0;
};

/// How long accesses wait for memory as one instruction comes after the other.
class Waits {
 public:
  explicit Waits(const Latencies& latencies)
      : latencies_(latencies), caches_(latencies), line_(latencies.at(Level::L1).cache.line) {}

  /// What is executed from here on is numbered from 0 again; the caches stay as they are.
  void begin() { fetched_.clear(); }
  /// Cycles beyond what L1 takes, of an access of the instruction with this number.
  std::uint32_t of(std::uint64_t address, std::uint32_t bytes, std::uint32_t instruction);

 private:
  struct Fetched {
    std::uint32_t instruction = 0;
    std::uint32_t wait = 0;
  };
  const Latencies& latencies_;
  Hierarchy caches_;
  std::uint64_t line_;
  std::unordered_map<std::uint64_t, Fetched> fetched_;  // by line
};

}  // namespace perfpact::timing
