#include "timing/expected.h"

#include "timing/code.h"
#include "timing/hierarchy.h"

namespace perfpact::timing {

using explore::NativePath;
using formula::Formula;

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
  Waits waits(machine_.memory);
  std::vector<std::uint32_t> of_all;
  for ([[maybe_unused]] const int round : {1, 2}) {
    waits.begin();
    of_all.assign(path.sites.size(), 0);
    for (std::size_t i = 0; i < path.accesses.size(); ++i) {
      const explore::Access& access = path.accesses[i];
      std::uint32_t& longest = of_all[access.instruction];
      longest = std::max(longest, waits.of(path.addresses[i], access.bytes, access.instruction));
    }
  }
  return of_all;
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
