// How many events of each kind there are.
#pragma once
#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "program/event.h"

namespace perfpact::report {

using EventCounts = std::array<std::uint32_t, program::kEventKinds>;

[[nodiscard]] EventCounts count_events(std::span<const program::Event> events);
/// {kind: how many}, kinds in the order of docs/formats.md, those that did not happen left out.
[[nodiscard]] nlohmann::ordered_json to_json(const EventCounts& counts);

}  // namespace perfpact::report
