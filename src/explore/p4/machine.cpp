#include "explore/p4/machine.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "base/check.h"
#include "p4/engine.h"

namespace perfpact::explore {
namespace {

/// Made different from each other, and from the names of other symbols, by their number where they are not.
std::vector<std::string> unique_names(const auto& items) {
  std::map<std::string, std::size_t> count{{"length", 1}, {"port", 1}};
  for (const auto& item : items) ++count[item.name];
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items)
    names.push_back(count[item.name] > 1 ? fmt::format("{}~{}", item.name, names.size()) : item.name);
  return names;
}

}  // namespace

// In the order of program::ir::Intrinsic.
const std::array<Explorer::Machine::Handler, program::ir::kP4Intrinsics> Explorer::Machine::kHandlers{
    &Machine::event,
    &Machine::decision,
    &Machine::loop,
    &Machine::packet_length,
    &Machine::packet_remaining,
    &Machine::packet_peek,
    &Machine::packet_read_varbit,
    &Machine::packet_advance,
    &Machine::packet_emit,
    &Machine::packet_emit_varbit,
    &Machine::packet_commit,
    &Machine::packet_truncate,
    &Machine::lookup,
    &Machine::lookup_data,
    &Machine::hash,
    &Machine::register_read,
    &Machine::register_write,
    &Machine::count,
    &Machine::meter,
    &Machine::random,
    &Machine::enqueue,
    &Machine::enqueue_group,
    &Machine::enqueue_clone,
    &Machine::send,
    &Machine::drop,
    &Machine::fail,
    &Machine::finish,
};

Explorer::Machine::Machine(const p4::core::Program& program, const p4::ir::Lowered& lowered,
                           const Options& options)
    : Engine(options.solver, options.limits),
      program_(program),
      lowered_(lowered),
      options_(options),
      passes_(p4::ir::passes(program)),
      initial_(program.tables) {
  const auto width = [&](p4::core::SlotId slot) { return program.slots[p4::core::index(slot)].width; };
  length_ = context_.symbol("length", 16);
  port_ = context_.symbol("port", width(program.ingress_port));
  objects_ = unique_names(program.objects);
  tables_ = unique_names(program.tables);
  for (const tables::TableSchema& table : program.tables) actions_.push_back(unique_names(table.actions));
  registers_.resize(program.objects.size());
  SourceManager sources;
  Diagnostics diagnostics(sources);
  PERFPACT_CHECK(initial_.finish(diagnostics, false), "the program's own entries cannot be");
}

void Explorer::Machine::run(const std::function<void(const Path&)>& found) {
  found_ = &found;
  start();
  explore();
}

void Explorer::Machine::start() {
  State state;
  Pass pass;
  pass.function = lowered_.module->getFunction(passes_.front().function);
  for (p4::core::SlotId slot : passes_.front().arguments) {
    const std::uint32_t width = program_.slots[p4::core::index(slot)].width;
    Expr value = context_.zero(program::ir::bits_of_value(width));
    if (slot == program_.ingress_port) value = port_;
    if (slot == program_.packet_length) value = context_.zext(length_, width);
    pass.arguments.push_back(value);
  }
  state.waiting.push_back(std::move(pass));
  state.registers.resize(program_.objects.size());
  state.lookups_of.resize(program_.tables.size());
  state.known_length = options_.shortest;
  const auto bytes = [&](std::uint32_t count) { return context_.constant(length_.width(), count); };
  state.constraints = state.constraints.with(context_, context_.ule(bytes(options_.shortest), length_));
  state.constraints = state.constraints.with(context_, context_.ule(length_, bytes(options_.longest)));
  open_.push_back(std::move(state));
}

Explorer::Machine::Step Explorer::Machine::proceed() {
  if (state_.outcome.failed || state_.waiting.empty()) {
    finish_path();
    return Step::End;
  }
  if (state_.passes == options_.limits.passes)
    return end_in_gap(fmt::format("more than {} passes", options_.limits.passes),
                      state_.waiting.front().enqueued_at);
  state_.pass = std::move(state_.waiting.front());
  state_.waiting.pop_front();
  ++state_.passes;
  state_.arrived = state_.pass.packet;
  state_.regions.clear();
  state_.pass_list.push_back({state_.events.size(), state_.pass.is_copy});
  state_.path.decide(p4::kPassSite, static_cast<std::uint64_t>(state_.pass.kind));
  std::vector<Expr>& registers = call(code_.function(*state_.pass.function));
  registers[0] = context_.zero(kPointerBits);
  std::ranges::copy(state_.pass.arguments, registers.begin() + 1);
  return Step::Stay;
}

Explorer::Machine::Step Explorer::Machine::end_in_gap(std::string reason, std::string at) {
  const smt::Answer answer = settle_hashes();
  gaps_.push_back({std::move(reason), std::move(at), state_.constraints,
                   answer.is_sat() ? std::optional(witness(state_, answer.model)) : std::nullopt});
  return Step::End;
}

Explorer::Machine::Step Explorer::Machine::intrinsic(const Instruction& call) {
  return (this->*kHandlers.at(static_cast<std::size_t>(call.intrinsic.intrinsic)))(call);
}

std::string Explorer::Machine::place() const {
  if (state_.frames.empty()) return {};
  const llvm::Instruction* source = running().source;
  const llvm::DILocation* at = source == nullptr ? nullptr : source->getDebugLoc().get();
  if (at == nullptr) return {};
  return fmt::format("{}:{}:{}", std::string_view(at->getFilename()), at->getLine(), at->getColumn());
}

}  // namespace perfpact::explore
