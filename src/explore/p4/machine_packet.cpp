// Events, the packet, passes.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "base/check.h"
#include "explore/byte.h"
#include "explore/p4/machine.h"
#include "p4/engine.h"

namespace perfpact::explore {
namespace {

std::string text(const llvm::MDNode* node, unsigned operand) {
  return llvm::cast<llvm::MDString>(node->getOperand(operand))->getString().str();
}

}  // namespace

using smt::Expr;

std::string Explorer::Machine::place(std::uint64_t id) const {
  return text(metadata(program::ir::kPlacesMetadata, id), 0);
}

const llvm::MDNode* Explorer::Machine::metadata(std::string_view name, std::uint64_t id) const {
  const auto* all = lowered_.module->getNamedMetadata(llvm::StringRef(name));
  PERFPACT_CHECK(all != nullptr && id < all->getNumOperands(), "no {} {}", name, id);
  return all->getOperand(static_cast<unsigned>(id));
}

Explorer::Machine::Step Explorer::Machine::event(const Instruction& call) {
  Event event{static_cast<std::uint32_t>(number(call, 0)), {}};
  for (std::size_t i = 2; i < call.operands.size(); ++i) event.numbers[i - 2] = value(call, i);
  state_.events.push_back(event);
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::decision(const Instruction& call) {
  const Expr outcome = argument(call, 1);
  std::optional<std::uint64_t> decided;
  if (!outcome.is_constant() && outcome.facts().high <= 1) {
    const std::optional<bool> bit = decide(context_.extract(0, 0, outcome));
    if (bit) decided = *bit ? 1 : 0;
  } else {
    decided = concrete_word(outcome);
  }
  if (!decided) return Step::End;
  state_.path.decide(static_cast<std::uint32_t>(number(call, 0)), *decided);
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::loop(const Instruction& call) {
  state_.loop_blocks += number(call, 1);
  if (is_out_of_time()) return end_in_gap("time limit", place(number(call, 0)));
  if (state_.loop_blocks > options_.limits.loop_blocks)
    return end_in_gap("execution limit", place(number(call, 0)));
  give(call, context_.boolean(false));
  return Step::Next;
}

// ---- The packet

Expr Explorer::Machine::byte_symbol(std::uint64_t i) {
  while (bytes_.size() <= i)
    bytes_.push_back(context_.symbol(fmt::format("packet[{}]", bytes_.size()), kByte));
  return bytes_[i];
}

Expr Explorer::Machine::arrived_byte(std::uint64_t i) {
  if (i >= options_.longest) return context_.zero(kByte);
  const Expr byte = byte_symbol(i);
  if (i < state_.known_length) return byte;
  const Expr is_there = context_.ult(context_.constant(length_.width(), i), length_);
  if (!follows(is_there)) return context_.ite(is_there, byte, context_.zero(kByte));
  state_.known_length = i + 1;
  return byte;
}

Expr Explorer::Machine::peek(std::uint64_t offset, std::uint32_t bits) {
  return state_.pass.packet.peek(context_, [this](std::uint64_t i) { return arrived_byte(i); }, offset, bits);
}

std::optional<std::uint64_t> Explorer::Machine::bits_behind_cursor() {
  const std::optional<smt::Value> length = concrete(length_);
  if (!length) return std::nullopt;
  return state_.pass.packet.remaining(context_, context_.constant(*length)).value().word();
}

Explorer::Machine::Step Explorer::Machine::packet_length(const Instruction& call) {
  give(call, state_.pass.packet.length(context_, length_));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::packet_remaining(const Instruction& call) {
  give(call, state_.pass.packet.remaining(context_, length_));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::packet_peek(const Instruction& call) {
  give(call, peek(number(call, 0), call.width));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::packet_read_varbit(const Instruction& call) {
  const std::optional<std::uint64_t> bits = concrete_word(argument(call, 0));
  if (!bits) return Step::End;
  give(call, *bits == 0 ? context_.zero(call.width)
                        : context_.zext(peek(0, static_cast<std::uint32_t>(*bits)), call.width));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::packet_advance(const Instruction& call) {
  const std::optional<std::uint64_t> bits = concrete_word(argument(call, 0));
  if (!bits) return Step::End;
  const Expr wanted = context_.constant(kLengthBits, *bits);
  const Expr is_there = context_.ule(wanted, state_.pass.packet.remaining(context_, length_));
  if (follows(is_there)) {
    state_.pass.packet.advance(*bits);
    return Step::Next;
  }
  const std::optional<std::uint64_t> left = bits_behind_cursor();
  if (!left) return Step::End;
  state_.pass.packet.advance(std::min(*bits, *left));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::packet_emit(const Instruction& call) {
  state_.pass.packet.emit(argument(call, 0));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::packet_emit_varbit(const Instruction& call) {
  const std::optional<std::uint64_t> bits = concrete_word(argument(call, 1));
  if (!bits) return Step::End;
  if (*bits > 0)
    state_.pass.packet.emit(context_.extract(static_cast<std::uint32_t>(*bits) - 1, 0, argument(call, 0)));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::packet_commit(const Instruction& /*call*/) {
  state_.pass.packet.commit(context_);
  return Step::Next;
}

// What leaves is not part of a path.
Explorer::Machine::Step Explorer::Machine::packet_truncate(const Instruction& /*call*/) {
  state_.outcome.truncates = true;
  return Step::Next;
}

// ---- Passes

Pass Explorer::Machine::further_pass(const Instruction& call, std::size_t first_argument,
                                     p4::core::PassKind kind, bool original) const {
  Pass pass;
  pass.kind = kind;
  const auto* source = llvm::cast<llvm::CallInst>(call.source);
  pass.function = llvm::cast<llvm::Function>(source->getArgOperand(2));
  for (std::size_t i = first_argument; i < call.operands.size(); ++i)
    pass.arguments.push_back(value(call, i));
  pass.is_clone = state_.pass.is_clone || p4::core::is_clone(kind);
  pass.is_copy = state_.pass.is_copy || p4::core::is_clone(kind) || kind == p4::core::PassKind::Replica;
  pass.packet = original ? state_.arrived : state_.pass.packet;
  pass.enqueued_at = place_of_request(kind).value_or(place(number(call, 0)));
  return pass;
}

// As the interpreter has it: the statement that asked for the pass.
std::optional<std::string> Explorer::Machine::place_of_request(p4::core::PassKind kind) const {
  const auto request = p4::requested_by(kind);
  const auto events = std::span(state_.events).subspan(state_.pass_list.back().first_event);
  const auto found = std::find_if(events.rbegin(), events.rend(), [&](const Event& event) {
    return program_.sites[event.site].kind == request;
  });
  if (!request || found == events.rend()) return std::nullopt;
  const llvm::MDNode* site = metadata(program::ir::kSitesMetadata, found->site);
  return text(site, site->getNumOperands() - 1);
}

Explorer::Machine::Step Explorer::Machine::enqueue(const Instruction& call) {
  const auto kind = static_cast<p4::core::PassKind>(number(call, 2));
  state_.waiting.push_back(further_pass(call, 5, kind, number(call, 3) != 0));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::enqueue_group(const Instruction& call) {
  const Replication replication{false, number(call, 3), number(call, 4)};
  return enqueue_replicas(call, further_pass(call, 6, p4::core::PassKind::Replica, false), replication,
                          argument(call, 2));
}

Explorer::Machine::Step Explorer::Machine::enqueue_clone(const Instruction& call) {
  const auto kind = static_cast<p4::core::PassKind>(number(call, 3));
  const Replication replication{true, number(call, 5), number(call, 6)};
  return enqueue_replicas(call, further_pass(call, 8, kind, number(call, 4) != 0), replication,
                          argument(call, 2));
}

Explorer::Machine::Step Explorer::Machine::enqueue_replicas(const Instruction& call, const Pass& model,
                                                            const Replication& replication, Expr id) {
  const Step step = options_.tables == nullptr ? enqueue_open(model, replication, id)
                                               : enqueue_installed(model, replication, id);
  if (step == Step::End) return step;
  if (!replication.is_session && !state_.pass.is_clone && !state_.outcome.group) state_.outcome.group = id;
  give(call, context_.boolean(state_.outcome.failed.has_value()));
  return step;
}

// The same group or session has the same members.
Expr Explorer::Machine::consistent(const Group& group) {
  Expr all = context_.boolean(true);
  for (const Group& other : state_.groups) {
    if (other.is_session != group.is_session) continue;
    Expr agrees = context_.boolean(other.replicas.size() == group.replicas.size());
    for (std::size_t i = 0; !agrees.is_false() && i < group.replicas.size(); ++i) {
      const auto& [port, instance] = group.replicas[i];
      agrees = context_.and_(agrees, context_.eq(port, other.replicas[i].port));
      agrees = context_.and_(agrees, context_.eq(instance, other.replicas[i].instance));
    }
    all = context_.and_(all, context_.or_(context_.ne(other.id, group.id), agrees));
  }
  return all;
}

Explorer::Machine::Step Explorer::Machine::enqueue_open(const Pass& model, const Replication& replication,
                                                        Expr id) {
  constexpr std::uint32_t kWide = 64;
  const std::string name =
      fmt::format("{}#{}", replication.is_session ? "session" : "group", state_.groups.size() + 1);
  const auto symbol = [&](std::size_t member, std::string_view what, std::size_t argument) {
    return context_.symbol(fmt::format("{}.{}{}", name, what, member), model.arguments[argument].width());
  };
  std::vector<Group> groups{{replication.is_session, id, {}}};
  for (std::size_t member = 1; member <= options_.limits.replicas; ++member) {
    Group& more = groups.emplace_back(groups.back());
    more.replicas.push_back({context_.zext(symbol(member, "port", replication.port), kWide),
                             context_.zext(symbol(member, "instance", replication.instance), kWide)});
  }
  std::vector<Expr> conditions;
  for (const Group& group : groups) conditions.push_back(consistent(group));
  // Of more members nothing is known but that the same group has them again.
  conditions.push_back(context_.boolean(true));
  for (const Group& other : state_.groups)
    if (other.is_session == replication.is_session)
      conditions.back() = context_.and_(conditions.back(), context_.ne(other.id, id));
  const std::optional<std::size_t> members = pick(conditions);
  if (!members) return Step::End;
  if (*members == groups.size())
    return end_in_gap(fmt::format(
        "a {} with more than {}", replication.is_session ? "clone session" : "multicast group",
        options_.limits.replicas == 1 ? "one member" : fmt::format("{} members", options_.limits.replicas)));
  for (std::size_t member = 1; member <= *members; ++member) {
    Pass& pass = state_.waiting.emplace_back(model);
    pass.arguments[replication.port] = symbol(member, "port", replication.port);
    pass.arguments[replication.instance] = symbol(member, "instance", replication.instance);
  }
  state_.groups.push_back(std::move(groups[*members]));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::enqueue_installed(const Pass& model,
                                                             const Replication& replication, Expr id) {
  const tables::ControlPlane& plane = options_.tables->control_plane();
  std::vector<const std::vector<tables::MulticastReplica>*> members;
  std::vector<Expr> conditions;
  Expr none = context_.boolean(true);
  const auto add = [&](std::uint64_t known, const std::vector<tables::MulticastReplica>& replicas) {
    members.push_back(&replicas);
    conditions.push_back(context_.and_(none, context_.eq(id, context_.constant(id.width(), known))));
    none = context_.and_(none, context_.ne(id, context_.constant(id.width(), known)));
  };
  if (replication.is_session)
    for (const auto& session : plane.clone_sessions) add(session.id, session.replicas);
  else
    for (const auto& group : plane.multicast_groups) add(group.id, group.replicas);
  conditions.push_back(none);
  const std::optional<std::size_t> picked = pick(conditions);
  if (!picked) return Step::End;
  if (*picked == members.size()) return Step::Next;
  for (const tables::MulticastReplica& replica : *members[*picked]) {
    Pass pass = model;
    const auto set = [&](std::size_t argument, std::uint64_t number) {
      const std::uint32_t width = pass.arguments[argument].width();
      if (number > smt::word_mask(width) && !state_.outcome.failed)
        state_.outcome.failed = fmt::format(
            "{} does not fit in the {} bits of {}", number, width,
            std::string_view(pass.function->getArg(static_cast<unsigned>(argument) + 1)->getName()));
      pass.arguments[argument] = context_.constant(width, number);
    };
    set(replication.port, replica.port);
    set(replication.instance, replica.instance);
    state_.waiting.push_back(std::move(pass));
  }
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::send(const Instruction& call) {
  if (!state_.pass.is_clone && state_.outcome.sent++ == 0) {
    state_.outcome.port = argument(call, 0);
    state_.outcome.packet = state_.pass.packet;
  }
  return Step::Next;
}

Expr Explorer::Machine::length_behind(const State& state) {
  return state.outcome.packet.length(context_, length_);
}

Expr Explorer::Machine::byte_behind(const State& state, std::uint64_t i) {
  const Packet& packet = state.outcome.packet;
  const auto arrived = [&](std::uint64_t j) {
    const Expr byte = j < options_.longest ? byte_symbol(j) : context_.zero(kByte);
    if (j < state.known_length) return byte;
    const Expr is_there = context_.ult(context_.constant(length_.width(), j), length_);
    return context_.ite(is_there, byte, context_.zero(kByte));
  };
  return packet.peek(context_, arrived, i * kByte, kByte);
}

Explorer::Machine::Step Explorer::Machine::drop(const Instruction& /*call*/) {
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::fail(const Instruction& call) {
  const auto* source = llvm::cast<llvm::CallInst>(call.source);
  const auto* text = llvm::cast<llvm::GlobalVariable>(source->getArgOperand(1));
  const auto* characters = llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
  state_.outcome.failed = characters == nullptr ? std::string() : characters->getAsCString().str();
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::finish(const Instruction& /*call*/) {
  return Step::Next;
}

}  // namespace perfpact::explore
