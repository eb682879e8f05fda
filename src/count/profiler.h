// What each instruction counts.
#pragma once
#include <unordered_map>

#include "count/count.h"
#include "process/symbols.h"

namespace perfpact::count {

class Profiler {
 public:
  void add(std::uint64_t address, const process::Counts& counts);
  /// By function and line, in the order of their addresses.
  [[nodiscard]] Profile profile(const process::Modules& modules) const;

 private:
  std::unordered_map<std::uint64_t, process::Counts> counts_;
};

}  // namespace perfpact::count
