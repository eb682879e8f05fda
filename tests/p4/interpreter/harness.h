// A hand-built program, run by both engines at once: what a test says of the interpreter holds for the JIT.
#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "p4/core/verify.h"
#include "p4/jit/comparing.h"
#include "tests/p4/core/program_builder.h"

namespace perfpact::p4::core {

struct InterpreterTest : testing::Test {
  using Bytes = std::vector<std::uint8_t>;

  InterpreterTest() { sources_.add("test.p4", ""); }

  ProgramBuilder b;
  std::vector<std::pair<tables::TableId, tables::Entry>> entries;
  tables::ControlPlane control_plane;
  ExecutionLimits limits;

  /// Verifies the program and makes its engines; once, before the first run.
  Engine& interpreter() {
    if (interpreter_) return *interpreter_;
    verify(b.program);
    tables_ = std::make_unique<tables::TableSet>(b.program.tables);
    for (const auto& [table, entry] : entries) tables_->add_entry(table, entry);
    tables_->control_plane() = control_plane;
    EXPECT_TRUE(tables_->finish(diagnostics_)) << diagnostics_.render();
    interpreter_ = std::make_unique<ComparingEngine>(b.program, sources_, *tables_, limits);
    return *interpreter_;
  }
  program::Trace run(Bytes bytes = {}, std::uint64_t port = 0) {
    return interpreter().run({port, std::move(bytes)});
  }

  /// An event whose number is the slot's value, so that a test sees it in the trace.
  void show(SlotId slot) { b.raise(program::EventKind::Assign, {b.of(slot)}); }

  static std::vector<std::int64_t> shown(const program::Trace& trace) {
    std::vector<std::int64_t> numbers;
    for (const program::Event& event : trace.events) numbers.push_back(event.numbers[0]);
    return numbers;
  }
  std::vector<std::int64_t> run_and_show(Bytes bytes = {}, std::uint64_t port = 0) {
    return shown(run(std::move(bytes), port));
  }
  using Numbers = std::vector<std::int64_t>;

 private:
  SourceManager sources_;
  Diagnostics diagnostics_{sources_};
  std::unique_ptr<tables::TableSet> tables_;
  std::unique_ptr<ComparingEngine> interpreter_;
};

}  // namespace perfpact::p4::core
