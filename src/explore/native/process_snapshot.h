// The memory of a kept process.
#pragma once
#include "explore/native/memory.h"
#include "process/process.h"

namespace perfpact::explore {

class ProcessSnapshot : public Snapshot {
 public:
  /// The process outlives the snapshot.
  explicit ProcessSnapshot(const process::Process& process);

  [[nodiscard]] bool read(std::uint64_t address, std::span<std::uint8_t> bytes) const override;
  [[nodiscard]] const std::vector<Extent>& extents() const override { return extents_; }

 private:
  const process::Process& process_;
  std::vector<Extent> extents_;
  std::uint64_t stack_ = 0;   // where the stack's memory begins
  std::uint64_t growth_ = 0;  // and where it can begin when it has grown
};

}  // namespace perfpact::explore
