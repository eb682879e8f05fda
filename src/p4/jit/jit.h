// The fast engine: runs packets through machine code that LLVM makes of the core form. Same traces as the
// reference interpreter (p4/interpreter/interpreter.h says what they mean), at a multiple of its speed; worth
// it from some hundreds of packets on, since the code takes a tenth of a second and more to make.
// Tested by tests/p4/jit, which runs both engines side by side.
#pragma once
#include <memory>
#include <span>

#include "p4/engine.h"
#include "tables/table_set.h"

namespace perfpact::p4 {

class Jit final : public Engine {
 public:
  /// As for the interpreter: all must outlive the engine, `tables` may be assigned other contents between
  /// packets.
  Jit(const core::Program& program, const SourceManager& sources, const tables::TableSet& tables,
      ExecutionLimits limits = {});
  ~Jit() override;

  [[nodiscard]] program::Trace run(const program::InputPacket& packet) override;
  void reset() override;

  /// Runs the packets without keeping traces; adds to `events`, by site, how often each happened.
  void count(std::span<const program::InputPacket> packets, std::vector<std::uint64_t>& events);

  [[nodiscard]] Integer register_cell(core::ObjectId object, std::uint64_t index) const override;
  [[nodiscard]] CounterCell counter_cell(core::ObjectId object, std::uint64_t index) const override;
  void set_register_cell(core::ObjectId object, std::uint64_t index, Integer value) override;
  void reset_object(core::ObjectId object) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfpact::p4
