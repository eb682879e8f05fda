#include "cli/phases.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "p4/core/lower.h"
#include "p4/jit/comparing.h"
#include "p4/syntax/parser.h"

namespace perfpact::cli {

Result<std::unique_ptr<p4::core::Program>> load(const Options& options, Diagnostics& diagnostics) {
  auto ast = p4::parse_program(options.program, options.parse, diagnostics);
  if (!ast) return std::unexpected(ast.error());
  if (options.dump == Stage::Parse) {
    fmt::print("{}", p4::dump(**ast, diagnostics.sources()));
    return nullptr;
  }
  if (options.stop_after == Stage::Parse) return nullptr;
  auto typed = p4::check(std::shared_ptr<const p4::ast::Ast>(std::move(*ast)), diagnostics);
  if (!typed) return std::unexpected(typed.error());
  if (options.stop_after == Stage::Check) return nullptr;
  auto program = p4::lower(**typed, std::filesystem::path(options.program).filename().string(), diagnostics);
  if (!program) return std::unexpected(program.error());
  if (options.dump == Stage::Lower) {
    fmt::print("{}", p4::core::dump(**program, diagnostics.sources()));
    return nullptr;
  }
  if (options.stop_after == Stage::Lower) return nullptr;
  return program;
}

tables::TableSet read_tables(const p4::core::Program& program, const Options& options,
                             Diagnostics& diagnostics) {
  tables::TableSet tables(program.tables);
  for (const std::string& path : options.tables) tables::read_tables(path, tables, diagnostics);
  tables.finish(diagnostics);
  return tables;
}

std::unique_ptr<p4::Engine> make_engine(const p4::core::Program& program, const SourceManager& sources,
                                        const tables::TableSet& tables, const Options& options,
                                        std::size_t packets) {
  // From so many packets on, machine code is worth the time that it takes to make.
  constexpr std::size_t kManyPackets = 5'000;
  const p4::ExecutionLimits limits{.passes = options.max_passes};
  Engine engine = options.engine;
  if (engine == Engine::Auto) engine = packets < kManyPackets ? Engine::Reference : Engine::Jit;
  if (engine == Engine::Reference) return std::make_unique<p4::Interpreter>(program, tables, limits);
  if (engine == Engine::Jit) return std::make_unique<p4::Jit>(program, sources, tables, limits);
  return std::make_unique<p4::ComparingEngine>(program, sources, tables, limits);
}

Result<std::unique_ptr<Priced>> price(std::unique_ptr<p4::core::Program> program, const Options& options,
                                      Diagnostics& diagnostics) {
  auto priced = std::make_unique<Priced>();
  priced->program = std::move(program);
  priced->tables.emplace(read_tables(*priced->program, options, diagnostics));
  auto workload = workload::load_workload(options.workload, priced->program->header_types, diagnostics);
  for (const std::string& path : options.cost_models)
    if (auto model = cost::CostModel::load(path, diagnostics)) priced->models.push_back(std::move(*model));
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  priced->workload = std::move(*workload);

  std::size_t packets = 0;
  for (const workload::Row& row : priced->workload.rows) packets += row.packets.size();
  const auto engine = make_engine(*priced->program, diagnostics.sources(), *priced->tables, options, packets);
  auto cases = workload::weigh(priced->workload, *engine, *priced->tables, diagnostics);
  if (!cases) return std::unexpected(cases.error());
  priced->cases = std::move(*cases);
  for (const cost::CostModel& model : priced->models)
    if (auto prediction = cost::price(priced->cases, priced->workload, model, diagnostics))
      priced->predictions.push_back(std::move(*prediction));
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  return priced;
}

}  // namespace perfpact::cli
