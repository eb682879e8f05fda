#include "report/cycles.h"

#include <fmt/format.h>

namespace perfpact::report {
namespace {

constexpr std::string_view kRestsOn =
    "branches are predicted, code is in the instruction cache, pages are in the TLB";

std::string_view name_of(timing::Level level) {
  return timing::kLevelNames[static_cast<std::size_t>(level)];
}

}  // namespace

std::string to_text(const timing::Machine& machine) {
  return fmt::format("cycles: {}; in cycles.bound a line that L1 may not hold comes from {}; {}; {}\n",
                     machine.cpu.name(), name_of(machine.miss), to_string(machine.memory), kRestsOn);
}

std::string to_text_of_expected(const timing::Machine& machine) {
  return fmt::format("cycles: {}; {}; {}\n", machine.cpu.name(), to_string(machine.memory), kRestsOn);
}

nlohmann::ordered_json to_json(const timing::Machine& machine) {
  nlohmann::ordered_json levels = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < timing::kLevelNames.size(); ++i)
    levels[std::string(timing::kLevelNames[i])] = machine.memory.levels[i].cycles;
  return {{"cpu", machine.cpu.name()},
          {"miss", name_of(machine.miss)},
          {"latencies", levels},
          {"origin", machine.memory.origin},
          {"rests_on", kRestsOn}};
}

}  // namespace perfpact::report
