#include "program/trace.h"

#include <fmt/format.h>

namespace perfpact::program {
namespace {

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits in which every input bit
// changes about half of the output bits.
constexpr std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15;

struct VerdictText {
  std::string operator()(const Sent& verdict) const { return fmt::format("sent({})", verdict.port); }
  std::string operator()(const Multicast& verdict) const {
    return fmt::format("multicast({}, {})", verdict.group, verdict.copies);
  }
  std::string operator()(const Dropped&) const { return "dropped"; }
  std::string operator()(const Rejected&) const { return "rejected"; }
  std::string operator()(const Error& verdict) const { return fmt::format("error({})", verdict.what); }
  std::string operator()(const Gap& verdict) const { return fmt::format("gap({})", verdict.reason); }
};

}  // namespace

std::string to_string(PathId path) {
  return fmt::format("{:016x}", static_cast<std::uint64_t>(path));
}

void PathHasher::decide(std::uint32_t site, std::uint64_t outcome) {
  state_ = mix(state_ + kGoldenGamma + site);
  state_ = mix(state_ + kGoldenGamma + outcome);
}

std::string to_string(const Verdict& verdict) {
  return std::visit(VerdictText{}, verdict);
}

Span last_place(const Trace& trace, EventKind kind) {
  const std::size_t first = trace.passes.empty() ? 0 : trace.passes.back().first_event;
  for (std::size_t i = trace.events.size(); i > first; --i)
    if (trace.events[i - 1].kind() == kind) return trace.events[i - 1].site->at;
  return {};
}

}  // namespace perfpact::program
