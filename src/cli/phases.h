// The phases that commands share: program -> tables -> workload -> weighted cases -> prices.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "cli/options.h"
#include "cost/cost_model.h"
#include "cost/pricing.h"
#include "p4/core/core.h"
#include "p4/engine.h"
#include "tables/table_set.h"
#include "workload/weigh.h"

namespace perfpact::cli {

/// Parses, checks and lowers the program, as far as `--dump` and `--stop-after` want; dumps go to stdout.
/// Gives no program when it stopped early.
[[nodiscard]] Result<std::unique_ptr<p4::core::Program>> load(const Options& options,
                                                              Diagnostics& diagnostics);

/// The program's tables with what Options::tables installs in them, finished; faults are reported.
[[nodiscard]] tables::TableSet read_tables(const p4::core::Program& program, const Options& options,
                                           Diagnostics& diagnostics);

/// The engine that the options name, within their limits; `packets` are how many it will run. Program,
/// sources and tables must outlive it.
[[nodiscard]] std::unique_ptr<p4::Engine> make_engine(const p4::core::Program& program,
                                                      const SourceManager& sources,
                                                      const tables::TableSet& tables, const Options& options,
                                                      std::size_t packets);

/// Everything that a prediction is made of. Parts refer to each other; it does not move.
struct Priced {
  std::unique_ptr<p4::core::Program> program;
  std::optional<tables::TableSet> tables;
  workload::Workload workload;
  workload::WeightedCases cases;
  std::vector<cost::CostModel> models;
  std::vector<cost::Prediction> predictions;  // one per model
};

/// Reads the other inputs (reporting the faults of all of them), runs the workload, prices the cases.
[[nodiscard]] Result<std::unique_ptr<Priced>> price(std::unique_ptr<p4::core::Program> program,
                                                    const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
