#include "explore/machine.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "base/check.h"
#include "p4/engine.h"

namespace perfpact::explore {
namespace {

constexpr std::uint32_t kPointerBits = 64;
constexpr std::uint32_t kRegionBits = 32;

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
    : program_(program),
      lowered_(lowered),
      options_(options),
      passes_(p4::ir::passes(program)),
      initial_(program.tables),
      solver_(context_, options.solver),
      code_(context_) {
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
  started_ = std::chrono::steady_clock::now();
  start();
  while (!open_.empty()) {
    if (paths_ >= options_.limits.paths)
      return give_up(fmt::format("more than {} paths", options_.limits.paths));
    if (is_out_of_time()) return give_up("time limit");
    state_ = std::move(open_.back());
    open_.pop_back();
    advance();
  }
}

void Explorer::Machine::give_up(const std::string& reason) {
  for (State& state : open_) gaps_.push_back({reason, {}, state.constraints, std::nullopt});
  open_.clear();
}

Statistics Explorer::Machine::statistics() const {
  Statistics result = statistics_;
  result.solver = solver_.statistics();
  return result;
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

void Explorer::Machine::advance() {
  for (Step step = Step::Stay; step != Step::End;) {
    if (state_.frames.empty()) {
      step = begin_pass();
      continue;
    }
    const Frame& frame = state_.frames.back();
    step = execute(frame.function->blocks[frame.block].instructions[frame.next]);
    if (step == Step::Next) ++state_.frames.back().next;
  }
}

Explorer::Machine::Step Explorer::Machine::begin_pass() {
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
  const Function& function = code_.function(*state_.pass.function);
  Frame frame{&function, 0, 0, 0, std::vector<Expr>(function.registers)};
  frame.registers[0] = context_.zero(kPointerBits);
  std::ranges::copy(state_.pass.arguments, frame.registers.begin() + 1);
  state_.frames.push_back(std::move(frame));
  return Step::Stay;
}

Explorer::Machine::Step Explorer::Machine::execute(const Instruction& instruction) {
  ++statistics_.instructions;
  switch (instruction.kind) {
    case Kind::Compute: {
      std::array<Expr, 3> operands;
      for (std::size_t i = 0; i < instruction.operands.size(); ++i) operands[i] = value(instruction, i);
      give(instruction, instruction.build(context_, instruction, operands.data()));
      return Step::Next;
    }
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
    case Kind::Call:
      return enter(instruction);
    case Kind::Intrinsic:
      return (this->*kHandlers.at(static_cast<std::size_t>(instruction.intrinsic.intrinsic)))(instruction);
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

Explorer::Machine::Step Explorer::Machine::jump(std::uint32_t block) {
  state_.frames.back().block = block;
  state_.frames.back().next = 0;
  return Step::Stay;
}

Explorer::Machine::Step Explorer::Machine::enter(const Instruction& call) {
  Frame frame{call.callee, 0, 0, call.to, std::vector<Expr>(call.callee->registers)};
  for (std::size_t i = 0; i < call.operands.size(); ++i) frame.registers[i] = value(call, i);
  ++state_.frames.back().next;
  state_.frames.push_back(std::move(frame));
  return Step::Stay;
}

Explorer::Machine::Step Explorer::Machine::leave(const Instruction& instruction) {
  const Expr result = instruction.operands.empty() ? Expr() : value(instruction, 0);
  const std::uint32_t to = state_.frames.back().result;
  state_.frames.pop_back();
  if (!state_.frames.empty() && result) state_.frames.back().registers[to] = result;
  return Step::Stay;
}

// A region's number stands in the high half of its address.
void Explorer::Machine::allocate(const Instruction& instruction) {
  if (instruction.kind == Kind::Alloca) {
    auto region = std::make_shared<Region>();
    region->layout = instruction.layout;
    region->cells.resize(instruction.layout->cells.size());
    give(instruction, context_.constant(kPointerBits, (state_.regions.size() + 1) << kRegionBits));
    state_.regions.push_back(std::move(region));
    return;
  }
  const std::uint64_t number = value(instruction, 0).value().word() >> kRegionBits;
  Region& region = *state_.regions.at(number - 1);
  for (std::size_t i = 0; i < region.cells.size(); ++i)
    region.cells[i] = context_.zero(region.layout->cells[i].width);
}

// Null where the address is not that of a piece of this width.
smt::Expr* Explorer::Machine::cell(Expr address, std::uint32_t width, bool writes) {
  if (!address.is_constant()) return nullptr;
  const std::uint64_t number = address.value().word() >> kRegionBits;
  const std::uint64_t offset = address.value().word() & smt::word_mask(kRegionBits);
  if (number == 0 || number > state_.regions.size()) return nullptr;
  std::shared_ptr<Region>& region = state_.regions[number - 1];
  const auto& cells = region->layout->cells;
  const auto found = std::ranges::lower_bound(cells, offset, std::less{}, &Layout::Cell::offset);
  if (found == cells.end() || found->offset != offset || found->width != width) return nullptr;
  if (writes && region.use_count() > 1) region = std::make_shared<Region>(*region);
  return &region->cells[static_cast<std::size_t>(found - cells.begin())];
}

Explorer::Machine::Step Explorer::Machine::load(const Instruction& instruction) {
  const Expr* from = cell(value(instruction, 0), instruction.width, false);
  if (from == nullptr || !*from) return end_in_gap("not supported yet: memory that is not a variable");
  give(instruction, *from);
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::store(const Instruction& instruction) {
  const Expr stored = value(instruction, 0);
  Expr* to = cell(value(instruction, 1), stored.width(), true);
  if (to == nullptr) return end_in_gap("not supported yet: memory that is not a variable");
  *to = stored;
  return Step::Next;
}

// ---- Questions

bool Explorer::Machine::is_possible(Expr condition) {
  if (condition.is_constant()) return condition.is_true();
  return judge(condition) == smt::Verdict::Sat;
}

smt::Verdict Explorer::Machine::judge(Expr condition) {
  const smt::Answer answer = check(state_.constraints, condition);
  if (answer.is_unknown())
    gaps_.push_back({fmt::format("the solver does not know ({})", answer.reason), place(),
                     state_.constraints.with(context_, condition), std::nullopt});
  return answer.verdict;
}

bool Explorer::Machine::follows(Expr condition) {
  if (condition.is_constant()) return condition.is_true();
  return check(state_.constraints, context_.not_(condition)).is_unsat();
}

void Explorer::Machine::fork(Expr condition, std::size_t picked) {
  ++statistics_.forks;
  State& other = open_.emplace_back(state_);
  other.constraints = other.constraints.with(context_, condition);
  other.picked = picked;
}

std::optional<std::size_t> Explorer::Machine::pick(const std::vector<Expr>& conditions) {
  if (state_.picked) return std::exchange(state_.picked, std::nullopt);
  std::vector<std::size_t> possible;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    if (is_possible(conditions[i])) possible.push_back(i);
  if (possible.empty()) return std::nullopt;
  for (std::size_t i = possible.size(); i-- > 1;) fork(conditions[possible[i]], possible[i]);
  const std::size_t first = possible.front();
  if (!conditions[first].is_true()) state_.constraints = state_.constraints.with(context_, conditions[first]);
  return first;
}

std::optional<bool> Explorer::Machine::decide(Expr bit) {
  if (bit.is_constant()) return bit.is_true();
  // A branch comes behind the decision that it makes.
  if (!state_.fixed.empty() && state_.fixed.back().first == bit) return !state_.fixed.back().second.is_zero();
  const Expr other = context_.not_(bit);
  std::optional<std::size_t> picked;
  if (state_.picked) {
    picked = std::exchange(state_.picked, std::nullopt);
  } else {
    const smt::Verdict yes = judge(bit);
    const smt::Verdict no = judge(other);
    if (yes != smt::Verdict::Sat && no != smt::Verdict::Sat) return std::nullopt;
    picked = yes == smt::Verdict::Sat ? 0 : 1;
    if (yes == smt::Verdict::Sat && no == smt::Verdict::Sat) fork(other, 1);
    // A side follows where the other cannot be, not where the solver does not know of the other.
    if ((*picked == 0 ? no : yes) != smt::Verdict::Unsat)
      state_.constraints = state_.constraints.with(context_, *picked == 0 ? bit : other);
  }
  state_.fixed.emplace_back(bit, smt::Value(1, *picked == 0 ? 1 : 0));
  return *picked == 0;
}

std::optional<smt::Value> Explorer::Machine::concrete(Expr expr) {
  if (expr.is_constant()) return expr.value();
  const auto known = std::ranges::find(state_.fixed, expr, [](const auto& pair) { return pair.first; });
  if (known != state_.fixed.end()) return known->second;
  std::vector<smt::Value> values;
  smt::Constraints rest = state_.constraints;
  while (true) {
    const smt::Answer answer = check(rest, context_.boolean(true));
    if (answer.is_unsat()) break;
    if (answer.is_unknown() || values.size() == options_.limits.values) {
      const std::string reason = answer.is_unknown()
                                     ? fmt::format("the solver does not know ({})", answer.reason)
                                     : fmt::format("more than {} values of one number", values.size());
      gaps_.push_back({reason, place(), rest, std::nullopt});
      break;
    }
    values.push_back(smt::Evaluation(answer.model).value(expr));
    rest = rest.with(context_, context_.ne(expr, context_.constant(values.back())));
  }
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values, std::less{}, &smt::Value::number);
  for (std::size_t i = values.size(); i-- > 1;) {
    fork(context_.eq(expr, context_.constant(values[i])), 0);
    open_.back().picked = std::nullopt;
    open_.back().fixed.emplace_back(expr, values[i]);
  }
  state_.constraints =
      state_.constraints.with(context_, context_.eq(expr, context_.constant(values.front())));
  state_.fixed.emplace_back(expr, values.front());
  return values.front();
}

std::optional<std::uint64_t> Explorer::Machine::concrete_word(Expr expr) {
  const std::optional<smt::Value> value = concrete(expr);
  if (!value) return std::nullopt;
  return value->word();
}

Explorer::Machine::Step Explorer::Machine::end_in_gap(std::string reason, std::string at) {
  if (at.empty()) at = place();
  const smt::Answer answer = settle_hashes();
  gaps_.push_back({std::move(reason), std::move(at), state_.constraints,
                   answer.is_sat() ? std::optional(witness(answer.model)) : std::nullopt});
  return Step::End;
}

// ---- The instruction

smt::Expr Explorer::Machine::value(const Instruction& instruction, std::size_t operand) const {
  const Operand& from = instruction.operands[operand];
  return from.constant ? from.constant : state_.frames.back().registers[from.reg];
}

std::uint64_t Explorer::Machine::number(const Instruction& call, std::size_t i) const {
  return argument(call, i).value().word();
}

void Explorer::Machine::give(const Instruction& instruction, Expr value, std::size_t field) {
  state_.frames.back().registers[instruction.to + field] = value;
}

std::string Explorer::Machine::place() const {
  if (state_.frames.empty()) return {};
  const Frame& frame = state_.frames.back();
  const llvm::Instruction* source = frame.function->blocks[frame.block].instructions[frame.next].source;
  const llvm::DILocation* at = source == nullptr ? nullptr : source->getDebugLoc().get();
  if (at == nullptr) return {};
  return fmt::format("{}:{}:{}", std::string_view(at->getFilename()), at->getLine(), at->getColumn());
}

}  // namespace perfpact::explore
