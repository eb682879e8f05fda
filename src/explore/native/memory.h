// The memory of a native program on one path: what the process held as the packet came, and over it what the
// packet's way has written. Values are little endian and made of expressions; copies share what they have in
// common. Tested by tests/explore/memory_test.cpp.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "smt/context.h"

namespace perfpact::explore {

/// What memory holds before the packet comes.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  /// Fills `bytes`; false where part of it cannot be read.
  [[nodiscard]] virtual bool read(std::uint64_t address, std::span<std::uint8_t> bytes) const = 0;
  /// Addresses that can be read, and be written or not, alike.
  struct Extent {
    std::uint64_t begin = 0, end = 0;
    bool writable = false;
  };
  /// By rising address.
  [[nodiscard]] virtual const std::vector<Extent>& extents() const = 0;
  /// The one that the address lies in, or null.
  [[nodiscard]] const Extent* extent(std::uint64_t address) const;
  /// How far a load can go that begins in this one: extents touch where only some can be written.
  [[nodiscard]] std::uint64_t end_of_loads(const Extent& extent) const;
};

class Memory {
 public:
  explicit Memory(std::shared_ptr<const Snapshot> snapshot) : snapshot_(std::move(snapshot)) {}
  Memory() = default;

  [[nodiscard]] const Snapshot& snapshot() const { return *snapshot_; }
  /// 8 bits a byte; null where memory cannot be read.
  [[nodiscard]] smt::Expr load(smt::Context& context, std::uint64_t address, std::uint32_t bytes) const;
  /// Whole bytes. The caller knows that the address can be written.
  void store(std::uint64_t address, smt::Expr value);
  /// Whether anything was written to one of these bytes.
  [[nodiscard]] bool is_written(std::uint64_t address, std::uint64_t bytes) const;
  /// A byte that was written: as part of which value, and which of its bytes it is.
  struct Written {
    std::uint64_t address = 0;
    smt::Expr value;
    std::uint32_t index = 0;
    friend bool operator==(const Written&, const Written&) = default;
  };
  /// By rising address.
  [[nodiscard]] std::vector<Written> written() const;
  /// The same with each value replaced, by one of its width.
  [[nodiscard]] Memory with_values(const std::function<smt::Expr(smt::Expr)>& replace) const;

 private:
  static constexpr std::uint64_t kLine = 64;  // bytes that are shared or copied together
  /// The byte `index` of a value; null: as the snapshot has it.
  struct Slot {
    smt::Expr value;
    std::uint32_t index = 0;
  };
  struct Line {
    std::uint64_t number;  // of the line: address / kLine
    std::shared_ptr<std::array<Slot, kLine>> slots;
  };
  [[nodiscard]] const Slot* find(std::uint64_t address) const;
  [[nodiscard]] Slot& writable(std::uint64_t address);
  [[nodiscard]] std::vector<Line>::const_iterator position(std::uint64_t line) const;

  std::shared_ptr<const Snapshot> snapshot_;
  std::vector<Line> lines_;  // by rising number
};

}  // namespace perfpact::explore
