// The functions of Engine; see engine.h.
#pragma once
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "explore/engine.h"

namespace perfpact::explore {

template <class State, class Gap>
void Engine<State, Gap>::explore() {
  while (!open_.empty() || refill()) {
    if (paths_ >= limits_.paths) return give_up(fmt::format("more than {} paths", limits_.paths));
    if (is_out_of_time()) return give_up("time limit");
    state_ = std::move(open_.back());
    open_.pop_back();
    advance();
  }
}

template <class State, class Gap>
void Engine<State, Gap>::give_up(const std::string& reason) {
  for (State& state : open_) gaps_.push_back({reason, {}, state.constraints});
  open_.clear();
  abandon(reason);
}

template <class State, class Gap>
void Engine<State, Gap>::advance() {
  for (Step step = Step::Stay; step != Step::End;) {
    if (state_.frames.empty()) {
      step = proceed();
      continue;
    }
    step = execute(running());
    if (step == Step::Next) ++state_.frames.back().next;
  }
}

template <class State, class Gap>
auto Engine<State, Gap>::execute(const Instruction& instruction) -> Step {
  ++statistics_.instructions;
  switch (instruction.kind) {
    case Kind::Compute:
      return compute(instruction);
    case Kind::Copy:
      give(instruction, value(instruction, 0));
      return Step::Next;
    case Kind::Alloca:
    case Kind::Fill:
      allocate(instruction);
      return Step::Next;
    case Kind::Load:
      return load(instruction);
    case Kind::Store:
      return store(instruction);
    case Kind::Call: {
      std::vector<Expr> arguments;
      arguments.reserve(instruction.operands.size());
      for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        arguments.push_back(value(instruction, i));
      ++state_.frames.back().next;
      std::ranges::copy(arguments, call(*instruction.callee, instruction.to).begin());
      return Step::Stay;
    }
    case Kind::Intrinsic:
      return intrinsic(instruction);
    case Kind::Jump:
      return jump(instruction.targets[0]);
    case Kind::Branch: {
      const std::optional<bool> taken = decide(value(instruction, 0));
      return taken ? jump(instruction.targets[*taken ? 0 : 1]) : Step::End;
    }
    case Kind::Return:
      return leave(instruction);
    case Kind::Unknown:
      break;
  }
  return end_in_gap(fmt::format("not supported yet: exploring {}", instruction.source->getOpcodeName()));
}

template <class State, class Gap>
auto Engine<State, Gap>::compute(const Instruction& instruction) -> Step {
  std::array<Expr, 3> operands;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) operands[i] = value(instruction, i);
  give(instruction, instruction.build(context_, instruction, operands.data()));
  return Step::Next;
}

template <class State, class Gap>
auto Engine<State, Gap>::jump(std::uint32_t block) -> Step {
  state_.frames.back().block = block;
  state_.frames.back().next = 0;
  return Step::Stay;
}

template <class State, class Gap>
std::vector<smt::Expr>& Engine<State, Gap>::call(const Function& function, std::uint32_t result) {
  Frame& frame = state_.frames.emplace_back();
  frame.function = &function;
  frame.result = result;
  frame.registers.resize(function.registers);
  return frame.registers;
}

template <class State, class Gap>
auto Engine<State, Gap>::leave(const Instruction& instruction) -> Step {
  const Expr result = instruction.operands.empty() ? Expr() : value(instruction, 0);
  const std::uint32_t to = state_.frames.back().result;
  state_.frames.pop_back();
  if (state_.frames.empty())
    leave_last(result);
  else if (result)
    state_.frames.back().registers[to] = result;
  return Step::Stay;
}

// A region's number stands in the high half of its address.
template <class State, class Gap>
void Engine<State, Gap>::allocate(const Instruction& instruction) {
  if (instruction.kind == Kind::Alloca) {
    auto region = std::make_shared<Region>();
    region->layout = instruction.layout;
    region->cells.resize(instruction.layout->cells.size());
    state_.regions.push_back(std::move(region));
    give(instruction, context_.constant(kPointerBits, region_address(state_.regions.size())));
    return;
  }
  const std::uint64_t number = value(instruction, 0).value().word() / region_address(1);
  Region& region = *state_.regions.at(number - 1);
  for (std::size_t i = 0; i < region.cells.size(); ++i)
    region.cells[i] = context_.zero(region.layout->cells[i].width);
}

template <class State, class Gap>
smt::Expr* Engine<State, Gap>::cell(Expr address, std::uint32_t width, bool writes) {
  if (!address.is_constant()) return nullptr;
  const std::uint64_t number = address.value().word() / region_address(1);
  const std::uint64_t offset = address.value().word() % region_address(1);
  if (number == 0 || number > state_.regions.size()) return nullptr;
  std::shared_ptr<Region>& region = state_.regions[number - 1];
  const auto& cells = region->layout->cells;
  const auto found = std::ranges::lower_bound(cells, offset, std::less{}, &Layout::Cell::offset);
  if (found == cells.end() || found->offset != offset || found->width != width) return nullptr;
  if (writes && region.use_count() > 1) region = std::make_shared<Region>(*region);
  return &region->cells[static_cast<std::size_t>(found - cells.begin())];
}

template <class State, class Gap>
auto Engine<State, Gap>::load(const Instruction& instruction) -> Step {
  const Expr* from = cell(value(instruction, 0), instruction.width, false);
  if (from == nullptr || !*from) return end_in_gap("not supported yet: memory that is not a variable");
  give(instruction, *from);
  return Step::Next;
}

template <class State, class Gap>
auto Engine<State, Gap>::store(const Instruction& instruction) -> Step {
  const Expr stored = value(instruction, 0);
  Expr* to = cell(value(instruction, 1), stored.width(), true);
  if (to == nullptr) return end_in_gap("not supported yet: memory that is not a variable");
  *to = stored;
  return Step::Next;
}

// ---- Questions

template <class State, class Gap>
smt::Answer Engine<State, Gap>::judge(Expr condition) {
  smt::Answer answer = check(state_.constraints, condition);
  if (answer.is_unknown()) note_unknown(answer, state_.constraints.with(context_, condition));
  return answer;
}

template <class State, class Gap>
void Engine<State, Gap>::fork(Expr condition, std::optional<std::size_t> picked) {
  ++statistics_.forks;
  State& other = open_.emplace_back(state_);
  other.constraints = other.constraints.with(context_, condition);
  other.picked = picked;
}

template <class State, class Gap>
std::optional<std::size_t> Engine<State, Gap>::pick(const std::vector<Expr>& conditions) {
  if (state_.picked) return std::exchange(state_.picked, std::nullopt);
  std::vector<std::size_t> possible;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    if (is_possible(conditions[i])) possible.push_back(i);
  if (possible.empty()) return std::nullopt;
  for (std::size_t i = possible.size(); i-- > 1;) fork(conditions[possible[i]], possible[i]);
  const std::size_t first = possible.front();
  if (!conditions[first].is_true()) demand(conditions[first]);
  return first;
}

template <class State, class Gap>
std::optional<bool> Engine<State, Gap>::decide(Expr bit) {
  if (bit.is_constant()) return bit.is_true();
  // A branch comes behind the decision that it makes.
  if (!state_.fixed.empty() && state_.fixed.back().first == bit) return !state_.fixed.back().second.is_zero();
  const Expr other = context_.not_(bit);
  std::optional<std::size_t> picked;
  if (state_.picked) {
    picked = std::exchange(state_.picked, std::nullopt);
  } else {
    const smt::Answer yes = judge(bit);
    const smt::Answer no = judge(other);
    if (!yes.is_sat() && !no.is_sat()) return std::nullopt;
    picked = yes.is_sat() ? 0 : 1;
    if (yes.is_sat() && no.is_sat()) {
      fork(other, 1);
      open_.back().constraints.note_model(no.model);
    }
    // A side follows where the other cannot be, not where the solver does not know of the other.
    if (!(*picked == 0 ? no : yes).is_unsat()) {
      demand(*picked == 0 ? bit : other);
      state_.constraints.note_model((*picked == 0 ? yes : no).model);
    }
  }
  state_.fixed.emplace_back(bit, smt::Value(1, *picked == 0 ? 1 : 0));
  return *picked == 0;
}

// By rising number; what cannot be told is a gap.
template <class State, class Gap>
std::vector<smt::Value> Engine<State, Gap>::values_of(Expr expr) {
  std::vector<smt::Value> values;
  smt::Constraints rest = state_.constraints;
  while (true) {
    const smt::Answer answer = check(rest, context_.boolean(true));
    if (answer.is_unsat()) break;
    if (answer.is_unknown()) {
      note_unknown(answer, rest);
      break;
    }
    if (values.size() == limits_.values) {
      gaps_.push_back({fmt::format("more than {} values of one number", values.size()), place(), rest});
      break;
    }
    values.push_back(smt::Evaluation(answer.model).value(expr));
    rest = rest.with(context_, context_.ne(expr, context_.constant(values.back())));
  }
  std::ranges::sort(values, std::less{}, &smt::Value::number);
  return values;
}

template <class State, class Gap>
std::optional<smt::Value> Engine<State, Gap>::concrete(Expr expr) {
  if (expr.is_constant()) return expr.value();
  const auto known = std::ranges::find(state_.fixed, expr, [](const auto& pair) { return pair.first; });
  if (known != state_.fixed.end()) return known->second;
  const std::vector<smt::Value> values = values_of(expr);
  if (values.empty()) return std::nullopt;
  for (std::size_t i = values.size(); i-- > 1;) {
    fork(context_.eq(expr, context_.constant(values[i])), std::nullopt);
    open_.back().fixed.emplace_back(expr, values[i]);
  }
  demand(context_.eq(expr, context_.constant(values.front())));
  state_.fixed.emplace_back(expr, values.front());
  return values.front();
}

}  // namespace perfpact::explore
