#include "explore/native/machine.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include <set>

#include "base/check.h"
#include "explore/native/process_snapshot.h"

namespace perfpact::explore {
namespace {

using program::ir::Intrinsic;

constexpr std::string_view kPcv = "pcv";

lift::CodeSource code_of(const process::Process& process, bool merges) {
  const auto read = [&process](std::uint64_t address, std::span<std::uint8_t> bytes) -> std::size_t {
    const process::Mapping* mapping = process.mapping_of(address);
    if (mapping == nullptr || !mapping->executable) return 0;
    const auto count = std::min<std::uint64_t>(bytes.size(), mapping->end - address);
    return process.read(address, bytes.first(count)) ? count : 0;
  };
  std::set<std::uint64_t> marks;
  for (const process::Process::Mark& mark : process.marks())
    if (merges && mark.kind == kPcv) marks.insert(mark.address);
  return {.read = read, .begins_block = [marks](std::uint64_t address) { return marks.contains(address); }};
}

// Trap::NotLifted and Trap::Syscall are no errors of the program.
std::string_view error_of(lift::Trap trap) {
  switch (trap) {
    case lift::Trap::NoCode:
      return "a jump to what is no code";
    case lift::Trap::DivideError:
      return "division by zero, or a quotient that does not fit";
    case lift::Trap::InvalidOpcode:
      return "an invalid instruction (ud2)";
    case lift::Trap::Breakpoint:
      return "a breakpoint (int3)";
    case lift::Trap::Halt:
      return "a privileged instruction";
    case lift::Trap::Misaligned:
      return "a misaligned vector access";
    case lift::Trap::NotLifted:
    case lift::Trap::Syscall:
      break;
  }
  return "";
}

}  // namespace

NativeExplorer::Machine::Machine(const process::Process& process, const NativeOptions& options)
    : Engine(options.solver, options.limits),
      process_(process),
      options_(options),
      lifter_(llvm_, code_of(process, options.merges)),
      snapshot_(std::make_shared<ProcessSnapshot>(process)),
      layout_(&code_.layout(*lift::state_type(llvm_), lifter_.module().getDataLayout())),
      length_(context_.symbol("length", 16)),
      port_(context_.symbol("port", 16)),
      now_ns_(context_.symbol("now_ns", 64)),
      structures_(process, options.entry.structures) {
  find_methods();
  for (const process::Process::Mark& mark : process.marks()) {
    if (mark.kind != kPcv) continue;
    const auto at = std::ranges::find(pcv_names_, mark.name);
    marks_.emplace(mark.address, static_cast<std::uint32_t>(at - pcv_names_.begin()));
    if (at == pcv_names_.end()) pcv_names_.push_back(mark.name);
  }
}

// The rounds before the last one are not complete: their paths saw state that was not open yet.
void NativeExplorer::Machine::run(const std::function<void(const NativePath&)>& found) {
  for (std::uint32_t round = 1;; ++round) {
    found_.clear();
    parked_.clear();
    gaps_.clear();
    paths_ = 0;
    start();
    explore();
    if (!options_.opens_state || !open_what_was_written()) break;
    if (is_out_of_time()) {
      gaps_.push_back({"time limit before all state that packets change was open"});
      break;
    }
    if (round == options_.limits.rounds) {
      gaps_.push_back({fmt::format("packets still change more of the state after {} rounds", round)});
      break;
    }
  }
  for (const NativePath& path : found_) found(path);
}

smt::Expr& NativeExplorer::Machine::reg(lift::Field field) {
  std::shared_ptr<Region>& region = state_.regions.front();
  if (region.use_count() > 1) region = std::make_shared<Region>(*region);
  return region->cells[static_cast<std::size_t>(field)];
}

smt::Expr NativeExplorer::Machine::reg(lift::Field field) const {
  return state_.regions.front()->cells[static_cast<std::size_t>(field)];
}

const NativeBlock& NativeExplorer::Machine::block(std::uint64_t address) {
  const auto [at, is_new] = blocks_.try_emplace(address);
  if (is_new) {
    const lift::Block& lifted = lifter_.block(address);
    at->second = {&lifted, &code_.function(*lifted.function), static_cast<std::uint32_t>(blocks_.size() - 1)};
  }
  return at->second;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::proceed() {
  if (!state_.next.is_constant()) {
    const std::optional<smt::Value> target = concrete(state_.next);
    if (!target) return Step::End;
    state_.next = context_.constant(*target);
    note_decision();
  }
  const std::uint64_t address = state_.next.value().word();
  const Expr stack = std::as_const(*this).reg(lift::gpr(x86::Rsp));
  if (address == return_address_ && stack == word(stack_ + sizeof(std::uint64_t))) return finish_path();
  if (is_out_of_time()) return end_in_gap("time limit");
  if (options_.merges && marks_.contains(address) && !std::exchange(state_.is_released, false))
    return park(address);
  if (state_.counts.instructions > options_.limits.instructions)
    return end_in_gap(fmt::format("more than {} instructions", options_.limits.instructions));
  if (const auto method = methods_.find(address); method != methods_.end())
    return cut(method->second, address);
  const NativeBlock& next = block(address);
  if (state_.visits.size() <= next.number) state_.visits.resize(next.number + 1);
  if (++state_.visits[next.number] > options_.limits.visits)
    return end_in_gap(fmt::format("more than {} times around a loop", options_.limits.visits));
  state_.block = &next;
  call(*next.function)[0] = word(region_address(1));
  return Step::Stay;
}

void NativeExplorer::Machine::leave_last(Expr next) {
  state_.next = next;
  if (next.is_constant()) note_decision();
}

// Where it is not told by the code alone.
void NativeExplorer::Machine::note_decision() {
  const lift::Block& from = *state_.block->lifted;
  if (from.flow == lift::Flow::Next || from.flow == lift::Flow::Trap) return;
  decide(from.end, state_.next.value().word());
}

// Addresses as in the file, so that ids are the same from run to run.
void NativeExplorer::Machine::decide(std::uint64_t from, std::uint64_t to) {
  const auto [module, offset] = process_.relative(from);
  const auto [next_module, next_offset] = process_.relative(to);
  state_.path.decide(static_cast<std::uint32_t>(smt::mix(module, offset)),
                     smt::mix(next_module, next_offset));
}

std::string NativeExplorer::Machine::place() const {
  if (state_.sites.empty()) return process_.describe(process_.entry());
  const std::uint64_t address = lifter_.site(state_.sites.back()).address;
  const std::string where = process_.describe(address);
  const std::optional<process::Location> location = process_.location(address);
  return location ? fmt::format("{}:{} ({})", location->file, location->line, where) : where;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::end_in_gap(std::string reason) {
  if (state_.origin && !is_out_of_time() && check_whole().is_unsat()) return Step::End;
  gaps_.push_back({std::move(reason), place(), state_.constraints});
  return Step::End;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::intrinsic(const Instruction& call) {
  switch (call.intrinsic.intrinsic) {
    case Intrinsic::Instruction:
      return begin_instruction(call);
    case Intrinsic::MemoryLoad:
    case Intrinsic::MemoryStore:
      return access_memory(call);
    case Intrinsic::Trap:
      return trap(call);
    case Intrinsic::Time:
      return read_time(call);
    default:
      break;
  }
  PERFPACT_CHECK(false, "{} in lifted code", program::ir::name(call.intrinsic));
  return Step::End;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::begin_instruction(const Instruction& call) {
  const auto number = static_cast<std::uint32_t>(this->number(call, 0));
  const lift::Site& site = lifter_.site(number);
  ++state_.counts.instructions;
  state_.counts.loads += site.loads;
  state_.counts.stores += site.stores;
  state_.sites.push_back(number);
  if (const auto mark = marks_.find(site.address); mark != marks_.end()) ++state_.pcvs[mark->second];
  return Step::Next;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::access_memory(const Instruction& call) {
  const bool loads = call.intrinsic.intrinsic == Intrinsic::MemoryLoad;
  const Step step = loads ? load(call) : store(call);
  if (step == Step::Next && options_.keeps_accesses)
    note_access(argument(call, 0), (loads ? call.intrinsic.width : argument(call, 1).width()) / 8);
  return step;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::trap(const Instruction& call) {
  const auto trap = static_cast<lift::Trap>(number(call, 0));
  if (trap == lift::Trap::Syscall) return end_in_gap("a system call");
  if (trap == lift::Trap::NoCode) return fail(fmt::format("{} at {}", error_of(trap), place()));
  if (trap != lift::Trap::NotLifted) return fault(std::string(error_of(trap)));
  const lift::Site& site = lifter_.site(state_.sites.back());
  return end_in_gap(fmt::format("not supported yet: the instruction {}", site.mnemonic));
}

// Time does not go back.
NativeExplorer::Machine::Step NativeExplorer::Machine::read_time(const Instruction& call) {
  const Expr time = context_.symbol(fmt::format("time#{}", state_.times.size()), 64);
  if (!state_.times.empty()) demand(context_.ule(state_.times.back(), time));
  state_.times.push_back(time);
  give(call, time);
  return Step::Next;
}

}  // namespace perfpact::explore
