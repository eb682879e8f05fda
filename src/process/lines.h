// Source lines by the debug information of modules, which is read when it is first needed.
#pragma once
#include <mutex>
#include <unordered_map>

#include "process/symbols.h"

namespace perfpact::process {

class Lines {
 public:
  explicit Lines(const Modules& modules);
  ~Lines();

  /// Usable by several threads.
  [[nodiscard]] std::optional<Location> location(std::uint64_t address) const;
  /// What was wrong first with the debug information read so far of the module with this address.
  [[nodiscard]] std::optional<std::string> fault(std::uint64_t address) const;

 private:
  struct OfModule;
  const Modules& modules_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<const Module*, std::unique_ptr<OfModule>> read_;
};

}  // namespace perfpact::process
