#include "cli/cycles.h"

#include "cli/diagnostics.h"
#include "library/latency.h"
#include "timing/bound.h"
#include "timing/expected.h"

namespace perfpact::cli {

std::vector<std::string> cycle_metrics(const Options& options) {
  if (!options.metrics.empty()) return options.metrics;
  if (options.cpu.empty() && options.latencies.empty() && !options.miss) return {};
  return {std::string(timing::kCyclesBound)};
}

Result<timing::Machine> read_machine(const Options& options, Diagnostics& diagnostics) {
  auto cpu = timing::Cpu::find(options.cpu, diagnostics);
  if (!cpu) return std::unexpected(cpu.error());
  timing::Latencies memory = timing::Latencies::defaults();
  if (!options.latencies.empty()) {
    auto read = timing::Latencies::load(options.latencies, diagnostics);
    if (!read) return std::unexpected(read.error());
    memory = std::move(*read);
  }
  return timing::Machine{std::move(*cpu), std::move(memory), options.miss.value_or(timing::Level::Llc)};
}

void keep_latencies_of(const timing::Cpu& cpu, std::vector<library::Pack>& packs, Diagnostics& diagnostics) {
  for (library::Pack& pack : packs) {
    const auto of = pack.binary.find(library::kLatencyCpu);
    if (of == pack.binary.end() || of->second == cpu.name()) continue;
    diagnostics.report(diag::kLatencyCpu, {}, pack.path, of->second, cpu.name());
    for (library::Method& method : pack.methods)
      for (library::Outcome& outcome : method.outcomes)
        if (const auto cost = outcome.costs.find(library::kLatency); cost != outcome.costs.end())
          outcome.costs.erase(cost);
  }
}

std::vector<explore::PathMetric> price_in_cycles(const std::vector<std::string>& metrics,
                                                 const process::Process& process,
                                                 const explore::NativeExplorer& explorer,
                                                 const std::vector<explore::NativePath>& paths,
                                                 const timing::Machine& machine) {
  std::vector<explore::PathMetric> priced;
  for (const std::string& metric : metrics) {
    explore::PathMetric& one = priced.emplace_back(explore::PathMetric{metric, {}});
    const auto price_with = [&](auto pricer) {
      for (const explore::NativePath& path : paths) one.costs.push_back(pricer.of(path));
    };
    if (metric == timing::kCyclesBound)
      price_with(timing::BoundPricer(process, explorer, machine));
    else
      price_with(timing::ExpectedPricer(process, explorer, machine));
  }
  return priced;
}

}  // namespace perfpact::cli
