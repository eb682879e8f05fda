#include "timing/trace.h"

#include <algorithm>

namespace perfpact::timing {

TracePricer::TracePricer(const Machine& machine)
    : pipeline_(machine.cpu), waits_(machine.memory), iteration_(pipeline_.iteration()) {}

std::optional<std::uint32_t> TracePricer::number(const x86::Executed& one) {
  if (one.is_further_iteration) return iteration_;
  const auto [known, is_new] = numbers_.try_emplace(one.address);
  if (is_new) known->second = pipeline_.add(one.code(), one.address);
  if (!known->second && !unknown_) unknown_ = one;
  return known->second;
}

std::optional<std::uint64_t> TracePricer::next(std::span<const x86::Executed> packet) {
  std::vector<Pipeline::Executed> run;
  run.reserve(packet.size());
  bool is_known = true;
  waits_.begin();
  for (const x86::Executed& one : packet) {
    std::uint32_t wait = 0;
    for (const x86::Access& access : one.accesses)
      wait = std::max(wait, waits_.of(access.address, access.bytes, static_cast<std::uint32_t>(run.size())));
    const auto known = number(one);
    is_known &= known.has_value();
    run.push_back({known.value_or(iteration_), wait});
  }
  return is_known ? std::optional(pipeline_.cycles(run)) : std::nullopt;
}

}  // namespace perfpact::timing
