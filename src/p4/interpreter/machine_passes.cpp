// Further passes, and the fate of this one.
#include <algorithm>

#include "base/check.h"
#include "p4/interpreter/machine.h"

namespace perfpact::p4::interpreter {
Machine::Pass Machine::further_pass(core::PassKind kind, core::ProcedureId procedure, PacketBuffer packet,
                                    const std::vector<core::SlotId>& keep,
                                    const std::vector<std::pair<core::SlotId, core::Operand>>& set) const {
  Pass pass{kind,
            procedure,
            pass_->is_clone || core::is_clone(kind),
            pass_->is_copy || core::is_clone(kind) || kind == core::PassKind::Replica,
            place_of_request(kind),
            std::vector<Integer>(program_.slots.size()),
            std::move(packet),
            std::nullopt};
  for (core::SlotId slot : keep) pass.slots[core::index(slot)] = pass_->slots[core::index(slot)];
  pass.slots[core::index(program_.instance_type)] = core::instance_type(kind);
  for (const auto& [slot, operand] : set) pass.slots[core::index(slot)] = value_of(operand);
  return pass;
}

Span Machine::place_of_request(core::PassKind kind) const {
  const auto request = requested_by(kind);
  const Span asked = request ? program::last_place(run_.trace, *request) : Span{};
  return asked.is_known() ? asked : instruction_->at;
}

PacketBuffer Machine::packet_for(bool original) const {
  return original ? PacketBuffer(arrived_) : pass_->packet;
}

void Machine::write_checked(Pass& pass, core::SlotId slot, std::uint64_t value) {
  if (value > all_ones(width_of(slot)))
    return run_.outcome.fail(fmt::format("{} does not fit in the {} bits of {}", value, width_of(slot),
                                         program_.slots[core::index(slot)].name));
  pass.slots[core::index(slot)] = value;
}

void Machine::enqueue_replicas(const Pass& model, const std::vector<tables::MulticastReplica>& replicas,
                               core::SlotId port, core::SlotId instance) {
  for (const tables::MulticastReplica& replica : replicas) {
    Pass& pass = run_.waiting.emplace_back(model);
    write_checked(pass, port, replica.port);
    write_checked(pass, instance, replica.instance);
  }
}

void Machine::execute(const core::Enqueue& enqueue) {
  if (!core::is_clone(enqueue.kind)) fate_.meet(Fate::Kind::Continued);
  run_.waiting.push_back(further_pass(enqueue.kind, enqueue.procedure, packet_for(enqueue.original_packet),
                                      enqueue.keep, enqueue.set));
}

void Machine::execute(const core::EnqueueGroup& enqueue) {
  fate_.meet(Fate::Kind::Continued);
  const auto id = static_cast<std::uint64_t>(value_of(enqueue.group));
  if (!pass_->is_clone) run_.outcome.multicast(id);
  const auto* group = tables_.control_plane().find_group(id);
  if (group == nullptr) return;
  enqueue_replicas(
      further_pass(core::PassKind::Replica, enqueue.procedure, pass_->packet, enqueue.keep, enqueue.set),
      group->replicas, enqueue.port, enqueue.instance);
}

void Machine::execute(const core::EnqueueClone& enqueue) {
  const auto id = static_cast<std::uint64_t>(value_of(enqueue.session));
  const auto* session = tables_.control_plane().find_session(id);
  if (session == nullptr) return;
  Pass model = further_pass(enqueue.kind, enqueue.procedure, packet_for(enqueue.original_packet),
                            enqueue.keep, enqueue.set);
  if (session->truncate_to > 0) model.truncate_to = session->truncate_to;
  enqueue_replicas(model, session->replicas, enqueue.port, enqueue.instance);
}

void Machine::execute(const core::SendPacket& send) {
  fate_.meet(Fate::Kind::Sent);
  const auto port = static_cast<std::uint64_t>(value_of(send.port));
  Bytes bytes = *pass_->packet.input();
  if (pass_->truncate_to && *pass_->truncate_to < bytes.size()) bytes.resize(*pass_->truncate_to);
  run_.trace.outputs.push_back({port, std::move(bytes)});
  if (!pass_->is_clone) run_.outcome.send(port);
}

void Machine::execute(const core::DropPacket&) {
  fate_.meet(Fate::Kind::Dropped);
}

void Machine::execute(const core::Fail& failure) {
  run_.outcome.fail(failure.what);
}

}  // namespace perfpact::p4::interpreter
