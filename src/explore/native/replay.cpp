#include "explore/native/replay.h"

#include <fmt/ranges.h>

#include "base/check.h"

namespace perfpact::explore {
namespace {

std::string describe(const process::Run& run) {
  return fmt::format("{} instructions, {} loads, {} stores, rax {:#x}, ending {}", run.counts.instructions,
                     run.counts.loads, run.counts.stores, run.registers.gpr[x86::Rax],
                     static_cast<int>(run.ending));
}

// What the run executed behind the path's last merge.
std::span<const std::uint64_t> told(const NativePath& path, const process::Run& run) {
  const std::span<const std::uint64_t> all = run.addresses;
  return path.origin && all.size() > path.sites.size() ? all.last(path.sites.size()) : all;
}

// The first instruction at which the run leaves the path.
std::string divergence(const process::Process& process, const NativeExplorer& explorer,
                       const NativePath& path, const process::Run& run) {
  const auto addresses = told(path, run);
  std::size_t i = 0;
  const std::size_t both = std::min(path.sites.size(), addresses.size());
  while (i < both && explorer.site(path.sites[i]).address == addresses[i]) ++i;
  const auto where = [&](bool there, std::uint64_t address) {
    return there ? process.describe(address) : std::string("the end");
  };
  return fmt::format(
      "instruction {}: the path goes to {}, the program to {}", i,
      where(i < path.sites.size(), i < path.sites.size() ? explorer.site(path.sites[i]).address : 0),
      where(i < addresses.size(), i < addresses.size() ? addresses[i] : 0));
}

bool is_same_verdict(const NativePath& path, const process::Run& run) {
  if (path.witness.verdict.error) return run.ending == process::Run::Ending::Signal;
  if (run.ending != process::Run::Ending::Returned) return false;
  const auto result = static_cast<std::uint32_t>(run.registers.gpr[x86::Rax]);
  return result == path.result;
}

}  // namespace

bool goes_its_way(const NativeExplorer& explorer, const NativePath& path, const process::Run& run) {
  return std::ranges::equal(path.sites, told(path, run), {},
                            [&](std::uint32_t site) { return explorer.site(site).address; });
}

process::Run replay(const process::Process& process, const NativePath& path) {
  process::ReplayOptions options;
  options.wants_addresses = true;
  const std::vector<std::uint64_t>& times = path.witness.times;
  options.time = [&times](std::size_t index) { return index < times.size() ? times[index] : 0; };
  std::map<std::uint64_t, std::vector<const process::Cut::Result*>> results;
  for (std::size_t i = 0; i < path.calls.size(); ++i)
    results[path.calls[i].function].push_back(&path.results[i]);
  for (const auto& [function, of_function] : results)
    options.cuts.push_back({function, [&of_function](std::size_t call, const x86::Registers&) {
                              return call < of_function.size() ? *of_function[call] : process::Cut::Result{};
                            }});
  return process.replay(path.input, options);
}

void verify(const process::Process& process, const NativeExplorer& explorer, const NativePath& path) {
  const process::Run run = replay(process, path);
  const bool is_same_way = goes_its_way(explorer, path, run);
  PERFPACT_CHECK(is_same_way && run.counts == path.counts && is_same_verdict(path, run),
                 "path {}, {}, {} instructions, {} loads, {} stores: the program does otherwise: {}; {}",
                 program::to_string(path.id), to_string(path.witness.verdict), path.counts.instructions,
                 path.counts.loads, path.counts.stores, describe(run),
                 divergence(process, explorer, path, run));
}

}  // namespace perfpact::explore
