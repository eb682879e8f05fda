#include "workload/weigh.h"

#include <algorithm>
#include <unordered_map>

namespace perfpact::workload {
namespace {

// The step of FNV-1a (Fowler, Noll, Vo; 64 bits), over whole numbers instead of bytes.
class Hasher {
 public:
  void add(std::uint64_t value) { state_ = (state_ ^ value) * 0x100000001b3; }
  [[nodiscard]] std::size_t get() const { return state_ ^ (state_ >> 29); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

struct PacketHash {
  std::size_t operator()(const program::InputPacket* packet) const {
    Hasher hasher;
    hasher.add(packet->port);
    for (std::uint8_t byte : packet->bytes) hasher.add(byte);
    return hasher.get();
  }
};
struct PacketEqual {
  bool operator()(const program::InputPacket* a, const program::InputPacket* b) const { return *a == *b; }
};

std::size_t hash_case(const program::Trace& trace) {
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(trace.path));
  hasher.add(trace.verdict.index());
  for (const program::Event& event : trace.events)
    for (std::int64_t number : event.numbers) hasher.add(static_cast<std::uint64_t>(number));
  return hasher.get();
}

bool same_case(const program::Trace& a, const program::Trace& b) {
  return a.path == b.path && a.verdict == b.verdict && a.passes == b.passes && a.events == b.events;
}

class Weighing {
 public:
  Weighing(const Workload& workload, program::Executor& executor)
      : workload_(workload), executor_(executor) {}

  WeightedCases run() {
    for (std::size_t r = 0; r < workload_.rows.size(); ++r)
      for (const WeightedPacket& packet : workload_.rows[r].packets) add(r, packet);
    return std::move(result_);
  }

 private:
  void add(std::size_t row, const WeightedPacket& packet) {
    ++result_.packets;
    WeightedCase& of_packet = result_.cases[case_of(packet.packet)];
    if (const auto& probability = workload_.rows[row].probability)
      of_packet.known += *probability * packet.share;
    else
      of_packet.unknown[row] += packet.share;
    if (of_packet.rows.empty() || of_packet.rows.back() != row) of_packet.rows.push_back(row);
  }

  std::size_t case_of(const program::InputPacket& packet) {
    const auto [known, is_new] = case_of_packet_.try_emplace(&packet, 0);
    if (!is_new) return known->second;
    ++result_.executed;
    executor_.reset();
    known->second = case_of_trace(executor_.run(packet), packet);
    return known->second;
  }

  std::size_t case_of_trace(program::Trace trace, const program::InputPacket& packet) {
    std::vector<std::size_t>& candidates = cases_by_hash_[hash_case(trace)];
    for (std::size_t candidate : candidates)
      if (same_case(result_.cases[candidate].trace, trace)) return candidate;
    candidates.push_back(result_.cases.size());
    result_.cases.push_back({std::move(trace), 0, {}, {}, packet});
    return candidates.back();
  }

  const Workload& workload_;
  program::Executor& executor_;
  WeightedCases result_;
  std::unordered_map<const program::InputPacket*, std::size_t, PacketHash, PacketEqual> case_of_packet_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> cases_by_hash_;
};

}  // namespace

Interval WeightedCase::probability(const Workload& workload) const {
  std::optional<Rational> least;
  Rational most = 0;
  for (std::size_t row = 0; row < workload.rows.size(); ++row) {
    if (workload.rows[row].probability) continue;
    const auto found = unknown.find(row);
    const Rational share = found == unknown.end() ? Rational(0) : found->second;
    least = least ? std::min(*least, share) : share;
    most = std::max(most, share);
  }
  return {known + workload.rest * least.value_or(0), known + workload.rest * most};
}

std::vector<WeightedGap> WeightedCases::gaps(const Workload& workload) const {
  std::vector<WeightedGap> result;
  std::vector<WeightedCase> together;  // their weights, so that shares of unknown rows add up exactly
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto* gap = std::get_if<program::Gap>(&cases[i].trace.verdict);
    if (gap == nullptr) continue;
    const auto same = std::ranges::find(result, *gap, &WeightedGap::gap);
    const std::size_t index = static_cast<std::size_t>(same - result.begin());
    if (same == result.end()) {
      result.push_back({*gap, {}, {}});
      together.emplace_back();
    }
    result[index].cases.push_back(i);
    together[index].known += cases[i].known;
    for (const auto& [row, share] : cases[i].unknown) together[index].unknown[row] += share;
  }
  for (std::size_t i = 0; i < result.size(); ++i) result[i].probability = together[i].probability(workload);
  return result;
}

Result<WeightedCases> weigh(const Workload& workload, program::Executor& executor, tables::TableSet& tables,
                            Diagnostics& diagnostics) {
  if (tables.has_pending()) {
    Weighing(workload, executor).run();
    if (!tables.materialize(diagnostics)) return std::unexpected(diagnostics.already_reported());
  }
  return Weighing(workload, executor).run();
}

}  // namespace perfpact::workload
