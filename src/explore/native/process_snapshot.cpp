#include "explore/native/process_snapshot.h"

#include <algorithm>

namespace perfpact::explore {

// Mappings that touch and can be used alike are one: a variable may lie in both. The stack grows when it is
// used (mmap(2), MAP_GROWSDOWN): what it can grow by reads as zeros.
ProcessSnapshot::ProcessSnapshot(const process::Process& process) : process_(process) {
  for (const process::Mapping& mapping : process.mappings()) {
    if (!mapping.readable) continue;
    if (!extents_.empty() && extents_.back().end == mapping.begin &&
        extents_.back().writable == mapping.writable) {
      extents_.back().end = mapping.end;
      continue;
    }
    extents_.push_back({mapping.begin, mapping.end, mapping.writable});
    if (mapping.file != "[stack]") continue;
    const std::uint64_t before = extents_.size() > 1 ? extents_[extents_.size() - 2].end : 0;
    stack_ = mapping.begin;
    extents_.back().begin = std::max(before, stack_ - std::min(stack_, kGrowth));
  }
}

bool ProcessSnapshot::read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  if (process_.read(address, bytes)) return true;
  if (address >= stack_ || stack_ - address > kGrowth) return false;
  const std::uint64_t zeros = std::min<std::uint64_t>(bytes.size(), stack_ - address);
  std::ranges::fill(bytes.first(zeros), 0);
  return zeros == bytes.size() || process_.read(stack_, bytes.subspan(zeros));
}

}  // namespace perfpact::explore
