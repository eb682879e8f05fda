#include "count/recorder.h"

#include <algorithm>

#include "base/check.h"
#include "library/naming.h"

namespace perfpact::count {
namespace {

process::Counts operator-(const process::Counts& a, const process::Counts& b) {
  return {a.instructions - b.instructions, a.loads - b.loads, a.stores - b.stores};
}

using Pcvs = std::map<std::string, std::uint64_t>;

// PCVs, which were counted by functions' names, by those that the pack has for the outcome. Where it has
// none: by methods' names that tell them apart.
Pcvs as_listed(const Image::Method& method, const MethodCall& call) {
  const auto& outcomes = method.listed->outcomes;
  const auto outcome = std::ranges::find(outcomes, call.outcome, &library::Outcome::name);
  const auto is_listed = [&](const std::string& name) {
    return outcome != outcomes.end() &&
           std::ranges::find(outcome->pcvs, name, &library::Pcv::name) != outcome->pcvs.end();
  };
  std::map<std::string, std::size_t> times;
  for (const auto& [counted, value] : call.pcvs) ++times[library::pcv_by_methods(*method.pack, counted)];
  Pcvs named;
  for (const auto& [counted, value] : call.pcvs) {
    const std::string name = library::pcv_by_methods(*method.pack, counted);
    const bool is_kept = is_listed(counted) || (!is_listed(name) && times[name] > 1);
    named[is_kept ? counted : name] += value;
  }
  return named;
}

}  // namespace

void Recorder::begin(std::optional<packet::Bytes> packet) {
  packet_ = {};
  packet_.packet = std::move(packet);
  frames_.clear();
  is_in_call_ = false;
}

void Recorder::enter(std::uint64_t method, std::uint64_t handle, const process::Counts& counts) {
  const Image::Method& entered = method_at(method);
  const std::string structure = entered.structure ? structures_.name(handle) : "";
  if (is_in_call_ || !entered.is_apart) {
    const bool is_named = is_in_call_ && frames_.back().method != method;
    const std::string prefix = is_in_call_ ? frames_.back().prefix : "";
    frames_.push_back({method, is_named ? prefix + entered.function + "." : prefix});
    return;
  }
  packet_.calls.push_back({.method = entered.listed != nullptr ? entered.listed->name : entered.function,
                           .structure = structure});
  entered_ = counts;
  is_in_call_ = true;
  outer_ = frames_.size();
  frames_.push_back({method, ""});
}

const Image::Method& Recorder::method_at(std::uint64_t address) const {
  const Image::Method* method = image_.method(address);
  PERFPACT_CHECK(method != nullptr, "there is no method at {:#x}", address);
  return *method;
}

void Recorder::leave(std::optional<std::uint64_t> rax, const process::Counts& counts) {
  PERFPACT_CHECK(!frames_.empty(), "a method returned that was not called");
  const Image::Method& method = method_at(frames_.back().method);
  frames_.pop_back();
  if (!is_in_call_ || frames_.size() != outer_) return;
  MethodCall& call = packet_.calls.back();
  if (call.outcome.empty() && rax && method.listed != nullptr)
    if (const library::Outcome* outcome = library::outcome_returning(*method.listed, *rax))
      call.outcome = outcome->name;
  end_call(method, counts);
}

void Recorder::end_call(const Image::Method& method, const process::Counts& counts) {
  MethodCall& call = packet_.calls.back();
  call.counts = counts - entered_;
  if (method.listed != nullptr) call.pcvs = as_listed(method, call);
  is_in_call_ = false;
}

void Recorder::mark(std::uint64_t address) {
  const std::vector<Image::Mark>* marks = image_.marks(address);
  PERFPACT_CHECK(marks != nullptr, "there is no mark at {:#x}", address);
  for (const Image::Mark& mark : *marks) {
    if (!mark.is_outcome)
      ++(is_in_call_ ? packet_.calls.back().pcvs[frames_.back().prefix + mark.name]
                     : packet_.pcvs[mark.name]);
    else if (is_in_call_ && frames_.size() == outer_ + 1)
      packet_.calls.back().outcome = mark.name;
  }
}

std::optional<std::size_t> Recorder::call() const {
  return is_in_call_ ? std::optional(packet_.calls.size() - 1) : std::nullopt;
}

PacketCount Recorder::end(PacketCount::Ending ending, const process::Counts& counts) {
  if (is_in_call_) end_call(method_at(frames_[outer_].method), counts);
  packet_.ending = ending;
  packet_.own = counts;
  for (const MethodCall& call : packet_.calls) packet_.own = packet_.own - call.counts;
  return std::move(packet_);
}

}  // namespace perfpact::count
