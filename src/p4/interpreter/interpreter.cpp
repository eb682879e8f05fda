#include "p4/interpreter/interpreter.h"

#include "p4/interpreter/machine.h"

namespace perfpact::p4 {

struct Interpreter::State {
  interpreter::Machine machine;
};

Interpreter::Interpreter(const core::Program& program, const tables::TableSet& tables, ExecutionLimits limits)
    : state_(new State{interpreter::Machine(program, tables, limits)}) {}

Interpreter::~Interpreter() = default;

program::Trace Interpreter::run(const program::InputPacket& packet) {
  return state_->machine.run(packet);
}

void Interpreter::reset() {
  state_->machine.reset();
}

void Interpreter::choose(const std::vector<Integer>& values) {
  state_->machine.choose(values);
}

Integer Interpreter::register_cell(core::ObjectId object, std::uint64_t index) const {
  return state_->machine.objects().register_cell(object, index);
}

CounterCell Interpreter::counter_cell(core::ObjectId object, std::uint64_t index) const {
  return state_->machine.objects().counter_cell(object, index);
}

void Interpreter::set_register_cell(core::ObjectId object, std::uint64_t index, Integer value) {
  state_->machine.objects().set_register_cell(object, index, std::move(value));
}

void Interpreter::reset_object(core::ObjectId object) {
  state_->machine.objects().reset(object);
}

}  // namespace perfpact::p4
