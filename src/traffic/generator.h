// Makes the packets of a recipe, one at a time. The same recipe gives the same packets.
// Tested by tests/traffic/generator_test.cpp.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "packet/capture.h"
#include "traffic/recipe.h"

namespace perfpact::traffic {

/// Which packets are a phase's.
struct PhaseRange {
  std::string name;
  std::uint64_t first = 0;  // the first packet of all is number 0
  std::uint64_t packets = 0;
  bool measured = false;
  std::uint64_t first_ns = 0;  // time of its first packet
};

struct MadePacket {
  std::span<const std::uint8_t> bytes;
  packet::TimeStamp time;
  std::uint32_t port = 0;
};

/// Hands every packet to `sink`, for the time of the call.
void generate(Recipe& recipe, const std::function<void(const MadePacket&)>& sink);

/// Where the phases' packets are.
[[nodiscard]] std::vector<PhaseRange> phase_ranges(const Recipe& recipe);
/// `schema: perfpact.traffic-phases/1` (docs/formats.md).
[[nodiscard]] std::string to_json(const std::vector<PhaseRange>& ranges);

}  // namespace perfpact::traffic
