// Workloads: which packets arrive and how often (the packet distribution f_I). docs/formats.md, section 5.
// Tested by tests/workload/.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/number.h"
#include "packet/packet.h"
#include "program/trace.h"

namespace perfpact::workload {

/// A concrete packet with its share within its row (shares of a row sum to 1).
struct WeightedPacket {
  program::InputPacket packet;
  Rational share;
};

struct Row {
  std::string name;
  std::optional<Rational> probability;  // nothing: unknown
  std::vector<WeightedPacket> packets;  // distinct
  Span span;
};

enum class InitialState { Zero, Unknown };

struct Workload {
  std::string file;
  InitialState state = InitialState::Zero;
  std::vector<Row> rows;
  /// What the known probabilities leave over; shared by the unknown rows in an unknown way. 0 without such
  /// rows.
  Rational rest;
};

/// Reads a workload file. Weights become probabilities. Reports everything of the YAML readers, probabilities
/// that do not sum to one (by how much), mixing of weights and probabilities, packets that cannot be built.
[[nodiscard]] Result<Workload> load_workload(const std::string& path,
                                             std::span<const packet::HeaderLayout> program_headers,
                                             Diagnostics& diagnostics);

}  // namespace perfpact::workload
