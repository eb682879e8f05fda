// What paths of native programs cost in cycles, where the command line asks for it.
#pragma once
#include <optional>

#include "base/diagnostics.h"
#include "cli/options.h"
#include "explore/native/path_cost.h"
#include "timing/machine.h"

namespace perfpact::cli {

/// Metrics that --metric names, or that naming a machine asks for; none where nothing does.
[[nodiscard]] std::vector<std::string> cycle_metrics(const Options& options);

/// The machine that --cpu, --miss and --latencies name.
[[nodiscard]] Result<timing::Machine> read_machine(const Options& options, Diagnostics& diagnostics);

/// Takes latencies out of packs that have those of another processor (pack-latency-cpu), so that the methods'
/// cycles are names in formulas.
void keep_latencies_of(const timing::Cpu& cpu, std::vector<library::Pack>& packs, Diagnostics& diagnostics);

/// Each of the metrics for each of the paths.
[[nodiscard]] std::vector<explore::PathMetric> price_in_cycles(const std::vector<std::string>& metrics,
                                                               const process::Process& process,
                                                               const explore::NativeExplorer& explorer,
                                                               const std::vector<explore::NativePath>& paths,
                                                               const timing::Machine& machine);

}  // namespace perfpact::cli
