// What a path costs, as a formula: its own instructions, loads and stores, and those of the calls that were
// cut out, whose PCVs stand as `flows.get.t`, `flows.get#2.t`.
#pragma once
#include "explore/native/explorer.h"

namespace perfpact::explore {

/// A metric beside library::kMetrics: what each path costs, in their order.
struct PathMetric {
  std::string name;
  std::vector<formula::Formula> costs;
};

/// A call without a contract costs what the name `flows.get.instructions` says. `metric` is one of
/// library::kMetrics.
[[nodiscard]] formula::Formula cost_of(const NativePath& path, std::string_view metric);
/// Of the call alone.
[[nodiscard]] formula::Formula cost_of(const NativeCall& call, std::string_view metric);
/// Without the calls.
[[nodiscard]] std::uint64_t own_cost(const NativePath& path, std::string_view metric);

}  // namespace perfpact::explore
