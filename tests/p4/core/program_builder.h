// Builds small core programs by hand, for tests: driver slots and a procedure `main` with one block are
// there, instructions go to the end of the current block.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "p4/core/core.h"

namespace perfpact::p4::core {

class ProgramBuilder {
 public:
  Program program;

  ProgramBuilder() {
    program.name = "test.p4";
    program.errors = {"NoError", "PacketTooShort"};
    program.ingress_port = slot("ingress_port", 9);
    program.packet_length = slot("packet_length", 32);
    program.instance_type = slot("instance_type", 32);
    program.parser_error = slot("parser_error", 32);
    program.entry = procedure("main");
  }

  SlotId slot(std::string name, std::uint32_t width) {
    program.slots.push_back({std::move(name), width});
    return static_cast<SlotId>(program.slots.size() - 1);
  }
  [[nodiscard]] Operand of(SlotId slot) const { return Operand::of(slot, program.slots[index(slot)].width); }

  /// A new procedure of one block, the current one from now on.
  ProcedureId procedure(std::string name) {
    program.procedures.push_back({std::move(name), {Block{}}, BlockId{0}});
    return at(static_cast<ProcedureId>(program.procedures.size() - 1));
  }
  ProcedureId at(ProcedureId procedure) {
    procedure_ = procedure;
    block_ = BlockId{0};
    return procedure;
  }
  /// A new block of the current procedure; at() makes it the current one.
  BlockId block() {
    blocks().emplace_back();
    return static_cast<BlockId>(blocks().size() - 1);
  }
  void at(BlockId block) { block_ = block; }

  void add(Action action, Span place = {}) {
    blocks()[index(block_)].instructions.push_back({place, std::move(action)});
  }
  void compute(Op op, SlotId to, std::vector<Operand> from, std::uint32_t high = 0, std::uint32_t low = 0) {
    add(Compute{op, to, std::move(from), high, low});
  }
  void set(SlotId to, Integer value) {
    compute(Op::Copy, to, {Operand::constant(program.slots[index(to)].width, std::move(value))});
  }
  void end(Terminator terminator, Span place = {}) {
    blocks()[index(block_)].terminator = std::move(terminator);
    blocks()[index(block_)].at = place;
  }

  SiteId site(program::EventKind kind, std::array<std::string, 2> texts = {}) {
    program.sites.push_back({kind, {}, std::move(texts)});
    return static_cast<SiteId>(program.sites.size() - 1);
  }
  void raise(program::EventKind kind, std::vector<Operand> numbers = {},
             std::array<std::string, 2> texts = {}) {
    RaiseEvent event{site(kind, std::move(texts)), {}};
    for (std::size_t i = 0; i < numbers.size(); ++i) event.numbers[i] = std::move(numbers[i]);
    add(std::move(event));
  }
  DecisionId decision() { return static_cast<DecisionId>(program.decisions++); }
  ObjectId object(ObjectKind kind, std::string name, std::uint64_t size, std::uint32_t width = 0) {
    program.objects.push_back({kind, std::move(name), size, width});
    return static_cast<ObjectId>(program.objects.size() - 1);
  }

  /// A table and a look-up of it with slots for all that it gives.
  Lookup lookup(tables::TableSchema schema, std::vector<Operand> keys) {
    Lookup lookup{static_cast<tables::TableId>(program.tables.size()),
                  std::move(keys),
                  decision(),
                  slot("hit", 1),
                  slot("action", 32),
                  slot("entries", 64),
                  slot("visited", 64),
                  slot("prefix_length", 32),
                  {}};
    for (const tables::ActionSchema& action : schema.actions) {
      std::vector<SlotId> data;
      for (const tables::ParameterSchema& parameter : action.parameters)
        data.push_back(slot(action.name + "." + parameter.name, parameter.width));
      lookup.data.push_back(std::move(data));
    }
    program.tables.push_back(std::move(schema));
    return lookup;
  }

 private:
  std::vector<Block>& blocks() { return program.procedures[index(procedure_)].blocks; }

  ProcedureId procedure_{};
  BlockId block_{};
};

inline Operand bits(std::uint32_t width, Integer value) {
  return Operand::constant(width, std::move(value));
}

/// table t(key: width bits, kind) with actions set(value : 16) and NoAction(); default NoAction().
inline tables::TableSchema one_key_table(unsigned width, tables::MatchKind kind) {
  tables::TableSchema schema;
  schema.name = "ingress.t";
  schema.keys = {{"key", width, kind, {}}};
  schema.actions = {{"ingress.set", {{"value", 16}}, false, false, {}}, {"NoAction", {}, false, false, {}}};
  schema.default_action = {1, {}};
  return schema;
}

}  // namespace perfpact::p4::core
