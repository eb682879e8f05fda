#include "explore/native/process_snapshot.h"

#include <sys/resource.h>

#include <algorithm>

namespace perfpact::explore {

namespace {

// Where the stack of a program that was started with our limits can begin: setrlimit(2), RLIMIT_STACK, and
// the gap that the kernel keeps below it (stack_guard_gap, 256 pages).
std::uint64_t lowest_of_stack(const Snapshot::Extent& stack, std::uint64_t before) {
  constexpr std::uint64_t kGap = 1 << 20;
  constexpr std::uint64_t kMost = 1 << 30;  // where there is no limit
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > kMost) limit.rlim_cur = kMost;
  const std::uint64_t limited = stack.end - std::min<std::uint64_t>(limit.rlim_cur, stack.end);
  return std::min(stack.begin, std::max(before + kGap, limited));
}

}  // namespace

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
    growth_ = lowest_of_stack(extents_.back(), before);
    extents_.back().begin = growth_;
  }
}

bool ProcessSnapshot::read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  if (process_.read(address, bytes)) return true;
  if (address >= stack_ || address < growth_) return false;
  const std::uint64_t zeros = std::min<std::uint64_t>(bytes.size(), stack_ - address);
  std::ranges::fill(bytes.first(zeros), 0);
  return zeros == bytes.size() || process_.read(stack_, bytes.subspan(zeros));
}

}  // namespace perfpact::explore
