#include "report/counts.h"

#include <array>

namespace perfpact::report {

nlohmann::ordered_json event_counts(std::span<const program::Event> events) {
  std::array<std::size_t, program::kEventKinds> of_kind{};
  for (const program::Event& event : events) ++of_kind[static_cast<std::size_t>(event.kind())];
  auto out = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < of_kind.size(); ++i)
    if (of_kind[i] > 0)
      out[std::string(program::schema(static_cast<program::EventKind>(i)).name)] = of_kind[i];
  return out;
}

}  // namespace perfpact::report
