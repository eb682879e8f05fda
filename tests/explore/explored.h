// A program of tests/explore with everything that exploring needs.
#pragma once
#include <gtest/gtest.h>

#include <set>

#include "base/check.h"
#include "explore/p4/explorer.h"
#include "p4/core/lower.h"
#include "p4/interpreter/interpreter.h"
#include "p4/syntax/parser.h"

namespace perfpact::explore {

struct Explored {
  struct Way {
    program::PathId id;
    smt::Constraints condition;
    Witness witness;
  };

  SourceManager sources;
  Diagnostics diagnostics{sources};
  std::unique_ptr<p4::core::Program> program;
  llvm::LLVMContext llvm;
  std::optional<p4::ir::Lowered> lowered;
  Options options;
  std::unique_ptr<Explorer> explorer;
  std::vector<Way> ways;
  std::set<program::PathId> paths;

  explicit Explored(const std::string& name) {
    auto ast = p4::parse_program(PERFPACT_SOURCE_DIR "/tests/explore/" + name, {}, diagnostics);
    PERFPACT_CHECK(ast.has_value(), "{}", diagnostics.render());
    auto typed = p4::check(std::shared_ptr<const p4::ast::Ast>(std::move(*ast)), diagnostics);
    PERFPACT_CHECK(typed.has_value(), "{}", diagnostics.render());
    auto core = p4::lower(**typed, name, diagnostics);
    PERFPACT_CHECK(core.has_value(), "{}", diagnostics.render());
    program = std::move(*core);
    lowered.emplace(p4::ir::to_llvm(*program, sources, llvm));
  }

  /// Every witness takes its path.
  void run() {
    explorer = std::make_unique<Explorer>(*program, *lowered, options);
    explorer->run([this](const Path& path) {
      const program::Trace trace = replay(*program, path.witness, options.tables, options.limits.passes);
      EXPECT_EQ(trace.path, path.id);
      EXPECT_EQ(program::to_string(trace.verdict), program::to_string(path.witness.verdict));
      paths.insert(path.id);
      ways.push_back({path.id, path.condition, path.witness});
    });
  }
};

}  // namespace perfpact::explore
