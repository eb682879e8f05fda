#include "timing/expected.h"

#include "timing/code.h"
#include "timing/hierarchy.h"

namespace perfpact::timing {

using explore::NativePath;
using formula::Formula;

namespace {

// APPROX(either): so many instructions long a line that is fetched is said to be on its way for all accesses.
constexpr std::uint32_t kOnItsWay = 16;

}  // namespace

ExpectedPricer::ExpectedPricer(const process::Process& process, const explore::NativeExplorer& explorer,
                               const Machine& machine)
    : process_(process),
      explorer_(explorer),
      machine_(machine),
      pipeline_(machine.cpu),
      iteration_(pipeline_.iteration()) {}

std::optional<std::uint32_t> ExpectedPricer::number(std::uint32_t site) {
  const auto [known, is_new] = numbers_.try_emplace(site);
  if (is_new) {
    const std::uint64_t address = explorer_.site(site).address;
    known->second = pipeline_.add(code_at(process_, address), address);
  }
  return known->second;
}

// Cycles of each instruction beyond what L1 takes, the second time around.
std::vector<std::uint32_t> ExpectedPricer::waits(const NativePath& path) const {
  struct Fetched {
    std::uint32_t instruction = 0;
    std::uint32_t wait = 0;
  };
  Hierarchy caches(machine_.memory);
  const std::uint64_t line = machine_.memory.at(Level::L1).cache.line;
  std::vector<std::uint32_t> waits;
  for ([[maybe_unused]] const int round : {1, 2}) {
    std::unordered_map<std::uint64_t, Fetched> fetched;  // by line
    waits.assign(path.sites.size(), 0);
    for (std::size_t i = 0; i < path.accesses.size(); ++i) {
      const explore::Access& access = path.accesses[i];
      for (const std::uint64_t address : {path.addresses[i], path.addresses[i] + access.bytes - 1}) {
        std::uint32_t wait = machine_.memory.beyond_l1(caches.access(address));
        const Fetched last = fetched[address / line];
        if (wait == 0 && access.instruction - last.instruction <= kOnItsWay)
          wait = last.wait;
        else if (wait > 0)
          fetched[address / line] = {access.instruction, wait};
        waits[access.instruction] = std::max(waits[access.instruction], wait);
      }
    }
  }
  return waits;
}

Formula ExpectedPricer::of(const NativePath& path) {
  const std::vector<std::uint32_t> waits_of = waits(path);
  std::vector<Pipeline::Executed> run;
  std::vector<Formula> terms;
  for (std::size_t i = 0; i < path.sites.size(); ++i) {
    if (is_further_iteration(explorer_, path, i))
      run.push_back({iteration_, waits_of[i]});
    else if (const auto known = number(path.sites[i]))
      run.push_back({*known, waits_of[i]});
    else
      terms.push_back(Formula::name(name_of_latency(explorer_.site(path.sites[i]))));
  }
  terms.push_back(Formula::constant(Rational(pipeline_.cycles(run))));
  for (const explore::NativeCall& call : path.calls) terms.push_back(explore::cost_of(call, kCyclesExpected));
  return Formula::sum(terms);
}

}  // namespace perfpact::timing
