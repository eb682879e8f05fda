#include "count/profiler.h"

#include "process/lines.h"

namespace perfpact::count {

void Profiler::add(std::uint64_t address, const process::Counts& counts) {
  process::Counts& sum = counts_[address];
  sum.instructions += counts.instructions;
  sum.loads += counts.loads;
  sum.stores += counts.stores;
}

Profile Profiler::profile(const process::Modules& modules) const {
  const process::Lines lines(modules);
  Profile profile;
  for (const auto& [address, counts] : std::map(counts_.begin(), counts_.end())) {
    Spot& spot = profile.emplace_back(Spot{.counts = counts});
    const process::Symbol* symbol = modules.symbol_of(address);
    if (symbol != nullptr)
      spot.function = symbol->module == modules.all().front().name
                          ? symbol->name
                          : fmt::format("{}!{}", symbol->module, symbol->name);
    if (const auto location = lines.location(address)) {
      spot.file = location->file;
      spot.line = location->line;
    }
  }
  return profile;
}

}  // namespace perfpact::count
