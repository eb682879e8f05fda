#include <algorithm>
#include <map>
#include <set>

#include "p4/ir/to_llvm.h"
#include "program/ir/conventions.h"

namespace perfpact::p4::ir {
namespace {

using Arguments = std::map<core::ProcedureId, std::set<core::SlotId>>;

struct Collector {
  Arguments& arguments;
  core::SlotId instance_type;

  template <class Enqueue>
  std::set<core::SlotId>& add(const Enqueue& enqueue) const {
    std::set<core::SlotId>& slots = arguments[enqueue.procedure];
    slots.insert(enqueue.keep.begin(), enqueue.keep.end());
    for (const auto& [slot, value] : enqueue.set) slots.insert(slot);
    slots.insert(instance_type);
    return slots;
  }
  void operator()(const core::Enqueue& enqueue) const { add(enqueue); }
  void operator()(const core::EnqueueGroup& enqueue) const {
    add(enqueue).insert({enqueue.port, enqueue.instance});
  }
  void operator()(const core::EnqueueClone& enqueue) const {
    add(enqueue).insert({enqueue.port, enqueue.instance});
  }
  template <class Other>
  void operator()(const Other&) const {}
};

}  // namespace

std::vector<Pass> passes(const core::Program& program) {
  Arguments arguments;
  arguments[program.entry] = {program.ingress_port, program.packet_length, program.instance_type};
  const Collector collect{arguments, program.instance_type};
  for (const core::Procedure& procedure : program.procedures)
    for (const core::Block& block : procedure.blocks)
      for (const core::Instruction& instruction : block.instructions) std::visit(collect, instruction.action);
  std::vector<Pass> result;
  for (const auto& [procedure, slots] : arguments) {
    const std::string& name = program.procedures[core::index(procedure)].name;
    result.push_back({procedure,
                      fmt::format("{}{}.{}", program::ir::kPassPrefix, core::index(procedure), name),
                      {slots.begin(), slots.end()}});
  }
  std::ranges::stable_partition(result, [&](const Pass& pass) { return pass.procedure == program.entry; });
  return result;
}

}  // namespace perfpact::p4::ir
