#include "p4/jit/jit.h"

#include "base/check.h"
#include "p4/jit/compile.h"
#include "p4/jit/runtime.h"
#include "p4/jit/words.h"

namespace perfpact::p4 {

struct Jit::State {
  State(const core::Program& declared, const SourceManager& sources, const tables::TableSet& tables,
        ExecutionLimits limits)
      : program(declared), compiled(declared, sources), runtime(declared, tables, compiled.code(), limits) {}

  const core::Object& object(core::ObjectId id, core::ObjectKind kind, std::uint64_t index) const {
    PERFPACT_CHECK(core::index(id) < program.objects.size(), "there is no object {}", core::index(id));
    const core::Object& declared = program.objects[core::index(id)];
    PERFPACT_CHECK(declared.kind == kind && index < declared.cells(), "'{}' has no such cell: {}",
                   declared.name, index);
    return declared;
  }

  const core::Program& program;
  jit::Compiled compiled;
  jit::Runtime runtime;
};

Jit::Jit(const core::Program& program, const SourceManager& sources, const tables::TableSet& tables,
         ExecutionLimits limits)
    : state_(std::make_unique<State>(program, sources, tables, limits)) {}

Jit::~Jit() = default;

program::Trace Jit::run(const program::InputPacket& packet) {
  return state_->runtime.run(packet);
}

void Jit::reset() {
  state_->runtime.reset();
}

void Jit::count(std::span<const program::InputPacket> packets, std::vector<std::uint64_t>& events) {
  const std::size_t sites = state_->program.sites.size();
  events.resize(sites + state_->program.decisions);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    // Packets lie anywhere in memory: the next one is on its way while this one runs.
    if (i + 1 < packets.size()) __builtin_prefetch(packets[i + 1].bytes.data());
    state_->runtime.count(packets[i], events);
  }
  events.resize(sites);
}

Integer Jit::register_cell(core::ObjectId object, std::uint64_t index) const {
  const core::Object& declared = state_->object(object, core::ObjectKind::Register, index);
  return jit::from_words(state_->runtime.cells(object).at(index), declared.width);
}

CounterCell Jit::counter_cell(core::ObjectId object, std::uint64_t index) const {
  static_cast<void>(state_->object(object, core::ObjectKind::Counter, index));
  const std::uint64_t* cell = state_->runtime.cells(object).at(index);
  return {cell[0], cell[1]};
}

void Jit::set_register_cell(core::ObjectId object, std::uint64_t index, Integer value) {
  const core::Object& declared = state_->object(object, core::ObjectKind::Register, index);
  jit::to_words(value, declared.width, state_->runtime.cells(object).at(index));
}

void Jit::reset_object(core::ObjectId object) {
  PERFPACT_CHECK(core::index(object) < state_->program.objects.size(), "there is no object {}",
                 core::index(object));
  state_->runtime.cells(object).reset();
}

}  // namespace perfpact::p4
