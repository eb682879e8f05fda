// Both engines at once: every packet runs through the reference interpreter and the JIT, and a difference
// ends the program as the bug of ours that it is. What `--engine=both` is, and how tests hold one to the
// other.
#pragma once
#include "p4/interpreter/interpreter.h"
#include "p4/jit/jit.h"

namespace perfpact::p4 {

/// What differs, with both sides; empty where the traces are the same.
[[nodiscard]] std::string difference(const program::Trace& interpreted, const program::Trace& compiled);

class ComparingEngine final : public Engine {
 public:
  ComparingEngine(const core::Program& program, const SourceManager& sources, const tables::TableSet& tables,
                  ExecutionLimits limits = {})
      : interpreter_(program, tables, limits), jit_(program, sources, tables, limits) {}

  [[nodiscard]] program::Trace run(const program::InputPacket& packet) override;
  void reset() override;
  [[nodiscard]] Integer register_cell(core::ObjectId object, std::uint64_t index) const override;
  [[nodiscard]] CounterCell counter_cell(core::ObjectId object, std::uint64_t index) const override;
  void set_register_cell(core::ObjectId object, std::uint64_t index, Integer value) override;
  void reset_object(core::ObjectId object) override;

 private:
  Interpreter interpreter_;
  Jit jit_;
};

}  // namespace perfpact::p4
