// Memory of a stopped process.
#pragma once
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

namespace perfpact::process {

/// Straight from the process; false where part of it is not readable.
[[nodiscard]] bool read_memory(pid_t pid, std::uint64_t address, std::span<std::uint8_t> bytes);

/// Of a process that this thread traces. Write protection does not matter.
class MemoryWriter {
 public:
  explicit MemoryWriter(pid_t pid);
  ~MemoryWriter();
  MemoryWriter(const MemoryWriter&) = delete;
  MemoryWriter& operator=(const MemoryWriter&) = delete;
  /// False where part of it is not mapped.
  [[nodiscard]] bool write(std::uint64_t address, std::span<const std::uint8_t> bytes) const;

 private:
  int file_;
};

/// Keeps every page it has read: of a process whose memory does not change any more. Usable by several
/// threads.
class PageCache {
 public:
  explicit PageCache(pid_t pid) : pid_(pid) {}
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::uint8_t> bytes) const;

 private:
  static constexpr std::uint64_t kPage = 4096;
  using Page = std::array<std::uint8_t, kPage>;
  [[nodiscard]] const Page* page(std::uint64_t number) const;  // null: not readable

  pid_t pid_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace perfpact::process
