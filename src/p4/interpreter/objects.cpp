#include "p4/interpreter/objects.h"

#include "base/check.h"

namespace perfpact::p4::interpreter {

Objects::Objects(const core::Program& program) : program_(program), cells_(program.objects.size()) {}

void Objects::reset() {
  cells_.assign(program_.objects.size(), {});
}

void Objects::reset(core::ObjectId object) {
  PERFPACT_CHECK(core::index(object) < cells_.size(), "there is no object {}", core::index(object));
  cells_[core::index(object)] = {};
}

bool Objects::contains(core::ObjectId object, const Integer& index) const {
  const core::Object& declared = program_.objects[core::index(object)];
  return index < (declared.cells());
}

const Objects::Cells& Objects::cells(core::ObjectId object, core::ObjectKind kind,
                                     std::uint64_t index) const {
  PERFPACT_CHECK(core::index(object) < cells_.size(), "there is no object {}", core::index(object));
  const core::Object& declared = program_.objects[core::index(object)];
  PERFPACT_CHECK(declared.kind == kind && contains(object, index), "'{}' has no such cell: {}", declared.name,
                 index);
  return cells_[core::index(object)];
}

Integer Objects::register_cell(core::ObjectId object, std::uint64_t index) const {
  const auto& registers = cells(object, core::ObjectKind::Register, index).registers;
  const auto found = registers.find(index);
  return found == registers.end() ? Integer(0) : found->second;
}

void Objects::set_register_cell(core::ObjectId object, std::uint64_t index, Integer value) {
  cells_[core::index(object)].registers[index] = std::move(value);
}

CounterCell Objects::counter_cell(core::ObjectId object, std::uint64_t index) const {
  const auto& counters = cells(object, core::ObjectKind::Counter, index).counters;
  const auto found = counters.find(index);
  return found == counters.end() ? CounterCell{} : found->second;
}

void Objects::count(core::ObjectId object, std::uint64_t index, std::uint64_t bytes) {
  CounterCell& cell = cells_[core::index(object)].counters[index];
  ++cell.packets;
  cell.bytes += bytes;
}

}  // namespace perfpact::p4::interpreter
