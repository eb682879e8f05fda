#include "count/recorder.h"

#include "base/check.h"

namespace perfpact::count {
namespace {

process::Counts operator-(const process::Counts& a, const process::Counts& b) {
  return {a.instructions - b.instructions, a.loads - b.loads, a.stores - b.stores};
}

}  // namespace

void Recorder::begin(std::optional<packet::Bytes> packet) {
  packet_ = {};
  packet_.packet = std::move(packet);
  frames_.clear();
}

void Recorder::enter(std::uint64_t method, std::uint64_t handle, const process::Counts& counts) {
  const std::string* name = image_.method(method);
  PERFPACT_CHECK(name != nullptr, "there is no method at {:#x}", method);
  const std::string& structure = structures_.name(handle);
  if (frames_.empty()) {
    packet_.calls.push_back({.method = *name, .structure = structure});
    entered_ = counts;
    frames_.push_back({method, ""});
    return;
  }
  const Frame& caller = frames_.back();
  frames_.push_back({method, caller.method == method ? caller.prefix : caller.prefix + *name + "."});
}

void Recorder::leave(const process::Counts& counts) {
  PERFPACT_CHECK(!frames_.empty(), "a method returned that was not called");
  frames_.pop_back();
  if (frames_.empty()) packet_.calls.back().counts = counts - entered_;
}

void Recorder::mark(std::uint64_t address) {
  const std::vector<Image::Mark>* marks = image_.marks(address);
  PERFPACT_CHECK(marks != nullptr, "there is no mark at {:#x}", address);
  for (const Image::Mark& mark : *marks) {
    if (!mark.is_outcome)
      ++(frames_.empty() ? packet_.pcvs[mark.name]
                         : packet_.calls.back().pcvs[frames_.back().prefix + mark.name]);
    else if (frames_.size() == 1)
      packet_.calls.back().outcome = mark.name;
  }
}

PacketCount Recorder::end(PacketCount::Ending ending, const process::Counts& counts) {
  while (!frames_.empty()) leave(counts);
  packet_.ending = ending;
  packet_.own = counts;
  for (const MethodCall& call : packet_.calls) packet_.own = packet_.own - call.counts;
  return std::move(packet_);
}

}  // namespace perfpact::count
