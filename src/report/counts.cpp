#include "report/counts.h"

#include <nlohmann/json.hpp>

namespace perfpact::report {

EventCounts count_events(std::span<const program::Event> events) {
  EventCounts counts{};
  for (const program::Event& event : events) ++counts[static_cast<std::size_t>(event.kind())];
  return counts;
}

nlohmann::ordered_json to_json(const EventCounts& counts) {
  auto out = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) out[std::string(program::schema(static_cast<program::EventKind>(i)).name)] = counts[i];
  return out;
}

}  // namespace perfpact::report
