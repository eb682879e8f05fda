#include "cli/phases.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "p4/core/lower.h"
#include "p4/interpreter/interpreter.h"
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

std::unique_ptr<p4::Engine> make_engine(const p4::core::Program& program, const tables::TableSet& tables,
                                        const Options& options) {
  return std::make_unique<p4::Interpreter>(program, tables,
                                           p4::ExecutionLimits{.passes = options.max_passes});
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

  const auto engine = make_engine(*priced->program, *priced->tables, options);
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
