#include "p4/interpreter/machine.h"

#include "base/check.h"
#include "p4/core/loops.h"

namespace perfpact::p4::interpreter {
namespace {

bool matches(const core::Pattern& pattern, const Integer& value) {
  if (pattern.is_range) return pattern.value <= value && value <= pattern.mask;
  return (value & pattern.mask) == pattern.value;
}

}  // namespace

Machine::Machine(const core::Program& program, const tables::TableSet& tables, ExecutionLimits limits)
    : program_(program),
      tables_(tables),
      limits_(limits),
      loops_(core::work(program).loops),
      objects_(program) {
  PERFPACT_CHECK(tables.size() == program.tables.size(), "the table set has {} tables, the program {}",
                 tables.size(), program.tables.size());
}

void Machine::reset() {
  objects_.reset();
  random_ = SplitMix64();
}

program::Trace Machine::run(const program::InputPacket& packet) {
  run_ = Run();
  enqueue_first_pass(packet);
  while (!run_.waiting.empty() && !run_.outcome.has_ended()) {
    if (run_.passes == limits_.passes) {
      run_.outcome.stop(
          {fmt::format("more than {} passes", limits_.passes), run_.waiting.front().enqueued_at});
      break;
    }
    run_pass();
    if (++run_.passes == 1) note_parser_error();
  }
  run_.trace.path = run_.path.id();
  run_.trace.verdict = run_.outcome.verdict();
  return std::move(run_.trace);
}

void Machine::enqueue_first_pass(const program::InputPacket& packet) {
  Pass pass{core::PassKind::Normal,
            program_.entry,
            false,
            false,
            {},
            std::vector<Integer>(program_.slots.size()),
            PacketBuffer(std::make_shared<const Bytes>(packet.bytes)),
            std::nullopt};
  write_checked(pass, program_.ingress_port, packet.port);
  write_checked(pass, program_.packet_length, packet.bytes.size());
  run_.waiting.push_back(std::move(pass));
}

void Machine::run_pass() {
  pass_ = std::move(run_.waiting.front());
  run_.waiting.pop_front();
  arrived_ = pass_->packet.input();
  fate_ = Fate();
  run_.trace.passes.push_back({run_.trace.events.size(), pass_->is_copy});
  run_.path.decide(kPassSite, static_cast<std::uint64_t>(pass_->kind));
  run_procedure(pass_->procedure);
}

void Machine::note_parser_error() {
  const Integer& error = pass_->slots[core::index(program_.parser_error)];
  if (error == 0) return;
  PERFPACT_CHECK(error < program_.errors.size(), "there is no error with ordinal {}", error.str());
  run_.trace.parser_error = program_.errors[static_cast<std::size_t>(error)];
}

void Machine::run_procedure(core::ProcedureId id) {
  const core::Procedure& procedure = program_.procedures[core::index(id)];
  std::optional<core::BlockId> next = procedure.entry;
  while (next) {
    const core::Block& block = procedure.blocks[core::index(*next)];
    run_.loop_blocks += loops_[core::index(id)][core::index(*next)];
    if (run_.loop_blocks > limits_.loop_blocks) return run_.outcome.stop({"execution limit", block.at});
    for (const core::Instruction& instruction : block.instructions) {
      instruction_ = &instruction;
      std::visit([this](const auto& action) { execute(action); }, instruction.action);
      if (run_.outcome.has_ended()) return;
    }
    next = std::visit([this](const auto& terminator) { return leave(terminator); }, block.terminator);
  }
}

std::optional<core::BlockId> Machine::leave(const core::Return&) {
  return std::nullopt;
}

std::optional<core::BlockId> Machine::leave(const core::Jump& jump) {
  return jump.to;
}

std::optional<core::BlockId> Machine::leave(const core::Branch& branch) {
  const bool condition = value_of(branch.condition) != 0;
  if (branch.is_decision) run_.path.decide(static_cast<std::uint32_t>(branch.decision), condition ? 1 : 0);
  return condition ? branch.then_block : branch.else_block;
}

std::optional<core::BlockId> Machine::leave(const core::Select& select) {
  const std::size_t chosen = matching_case(select);
  if (select.is_decision) run_.path.decide(static_cast<std::uint32_t>(select.decision), chosen);
  return chosen < select.cases.size() ? select.cases[chosen].to : select.default_block;
}

std::size_t Machine::matching_case(const core::Select& select) const {
  const auto accepts = [&](const core::SelectCase& candidate) {
    for (std::size_t i = 0; i < select.operands.size(); ++i)
      if (!matches(candidate.patterns[i], value_of(select.operands[i]))) return false;
    return true;
  };
  return static_cast<std::size_t>(std::ranges::find_if(select.cases, accepts) - select.cases.begin());
}

void Machine::execute(const core::Call& call) {
  run_procedure(call.procedure);
}

}  // namespace perfpact::p4::interpreter
