// How many events of each kind there are, as JSON.
#pragma once
#include <nlohmann/json.hpp>
#include <span>

#include "program/event.h"

namespace perfpact::report {

/// {kind: how many}, kinds in the order of docs/formats.md, those that did not happen left out.
[[nodiscard]] nlohmann::ordered_json event_counts(std::span<const program::Event> events);

}  // namespace perfpact::report
