// The ways through a method: what a call executes from its first instruction to its return, calls inlined.
//
// A node is a run of instructions that ends where there is more than one way to go on, or none. Nodes are
// told apart by the call they are in, by the outcome that was reached last, and by constants in registers
// (constants.h), so that the graph has less ways that no call can take; all that calls can take it has.
// Tested by tests/derive.
#pragma once
#include "derive/code.h"

namespace perfpact::derive {

/// The metric behind library::kMetrics: latencies added up, where Code has a processor.
inline constexpr std::size_t kLatencyMetric = library::kMetrics.size();

struct Node {
  std::uint64_t address = 0;
  std::array<std::int64_t, kLatencyMetric + 1> cost{};
  std::vector<std::pair<std::uint32_t, std::int64_t>> pcvs;  // which (Graph::pcvs) are counted, and how often
  std::vector<std::uint32_t> successors;                     // nodes
  bool returns = false;
  std::int32_t outcome = -1;  // of one that returns: which (Graph::outcomes) was reached last; -1: none
  std::optional<std::uint64_t> result;  // in al, where it is known
};

struct Graph {
  std::vector<Node> nodes;        // the first is the entry
  std::vector<std::string> pcvs;  // as `count` names them: `hash_map_erase.t`
  std::vector<std::string> outcomes;
  /// Addresses of all instructions, in the order in which they were met.
  std::vector<std::uint64_t> code;

  /// Reports derive-recursion, derive-indirect, derive-repeats, derive-not-decoded, derive-too-large,
  /// derive-no-latency.
  [[nodiscard]] static Result<Graph> build(const Code& code, std::uint64_t method, Diagnostics& diagnostics);
};

}  // namespace perfpact::derive
