// Building procedures: blocks, instructions, temporaries, events.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {
namespace {

constexpr std::size_t kMaxSize = 250'000;     // slots and instructions
constexpr unsigned kMaxOpenProcedures = 200;  // bodies within which other bodies are lowered

}  // namespace

void Lowering::require_room() {
  const bool is_large = program_->slots.size() + instructions_ > kMaxSize;
  if (!is_large && open_procedures_ <= kMaxOpenProcedures) return;
  const Frame* frame = context_.frame;
  while (frame != nullptr && frame->owner == nullptr) frame = frame->parent;
  unsupported(frame == nullptr ? Span{} : frame->owner->name.span,
              is_large ? fmt::format("programs of more than {} instructions and variables", kMaxSize)
                       : fmt::format("calls that are nested more than {} deep", kMaxOpenProcedures));
  throw TooLarge{};
}

ProcedureId Lowering::declare_procedure(std::string name) {
  program_->procedures.push_back({std::move(name), {}, {}});
  return static_cast<ProcedureId>(program_->procedures.size() - 1);
}

void Lowering::open_procedure(ProcedureId procedure, Frame* frame, Context& saved) {
  saved = std::move(context_);
  context_ = Context{};
  context_.procedure = procedure;
  context_.frame = frame;
  ++open_procedures_;
  require_room();
  context_.block = new_block();
  context_.epilogue = new_block();
}

ProcedureId Lowering::begin_procedure(std::string name, Frame* frame, Context& saved) {
  ProcedureId id = declare_procedure(std::move(name));
  open_procedure(id, frame, saved);
  return id;
}

void Lowering::end_procedure(Context& saved) {
  jump({}, context_.epilogue);
  enter(context_.epilogue);
  terminate({}, Return{});
  context_ = std::move(saved);
  --open_procedures_;
}

BlockId Lowering::new_block() {
  auto& blocks = program_->procedures[index(context_.procedure)].blocks;
  blocks.emplace_back();
  return static_cast<BlockId>(blocks.size() - 1);
}

void Lowering::enter(BlockId block) {
  context_.block = block;
  context_.terminated = false;
}

void Lowering::emit(const Span& at, Action action) {
  if (context_.terminated) return;
  ++instructions_;
  require_room();
  program_->procedures[index(context_.procedure)].blocks[index(context_.block)].instructions.push_back(
      {at, std::move(action)});
}

void Lowering::terminate(const Span& at, Terminator terminator) {
  if (context_.terminated) return;
  Block& block = program_->procedures[index(context_.procedure)].blocks[index(context_.block)];
  block.at = at;
  block.terminator = std::move(terminator);
  context_.terminated = true;
}

void Lowering::jump(const Span& at, BlockId to) {
  terminate(at, Jump{to});
}

void Lowering::branch(const Span& at, const Operand& condition, BlockId then_block, BlockId else_block,
                      bool is_decision) {
  if (condition.is_constant) {
    jump(at, condition.value != 0 ? then_block : else_block);
    return;
  }
  Branch result{condition, then_block, else_block, is_decision, {}};
  if (is_decision) result.decision = new_decision();
  terminate(at, result);
}

void Lowering::when(const Span& at, const Operand& condition, bool is_decision,
                    const std::function<void()>& body) {
  if (condition.is_constant) {
    if (condition.value != 0) body();
    return;
  }
  BlockId then_block = new_block();
  BlockId after = new_block();
  branch(at, condition, then_block, after, is_decision);
  enter(then_block);
  body();
  jump(at, after);
  enter(after);
}

DecisionId Lowering::new_decision() {
  return static_cast<DecisionId>(program_->decisions++);
}

SlotId Lowering::new_slot(std::string name, std::uint32_t width) {
  require_room();
  program_->slots.push_back({std::move(name), width});
  return static_cast<SlotId>(program_->slots.size() - 1);
}

SlotId Lowering::new_temporary(std::uint32_t width) {
  return new_slot("%" + std::to_string(program_->slots.size()), width);
}

Operand Lowering::of(SlotId slot) const {
  return Operand::of(slot, program_->slots[index(slot)].width);
}

Operand Lowering::compute(const Span& at, Op op, std::uint32_t width, std::vector<Operand> from,
                          std::uint32_t high, std::uint32_t low) {
  SlotId to = new_temporary(width);
  emit(at, Compute{op, to, std::move(from), high, low});
  return Operand::of(to, width);
}

void Lowering::assign(const Span& at, SlotId to, const Operand& from) {
  const std::uint32_t width = program_->slots[index(to)].width;
  PERFPACT_CHECK(from.width == width, "slot {} of {} bits assigned {} bits", program_->slots[index(to)].name,
                 width, from.width);
  if (!from.is_constant && from.slot == to) return;
  emit(at, Compute{Op::Copy, to, {from}});
}

Operand Lowering::bool_and(const Span& at, const Operand& a, const Operand& b) {
  if (a.is_constant) return a.value != 0 ? b : a;
  if (b.is_constant) return b.value != 0 ? a : b;
  return compute(at, Op::And, 1, {a, b});
}

Operand Lowering::bool_or(const Span& at, const Operand& a, const Operand& b) {
  if (a.is_constant) return a.value != 0 ? a : b;
  if (b.is_constant) return b.value != 0 ? b : a;
  return compute(at, Op::Or, 1, {a, b});
}

Operand Lowering::bool_not(const Span& at, const Operand& a) {
  if (a.is_constant) return Operand::constant(1, a.value != 0 ? 0 : 1);
  return compute(at, Op::Not, 1, {a});
}

Operand Lowering::resize(const Span& at, const Operand& a, std::uint32_t width, bool sign) {
  if (a.width == width) return a;
  if (a.is_constant) {
    Integer value = a.value;
    if (sign && a.width > 0 && a.width < width && bit_test(value, a.width - 1))
      value += all_ones(width) - all_ones(a.width);
    return Operand::constant(width, value & all_ones(width));
  }
  if (width < a.width) return compute(at, Op::Truncate, width, {a});
  return compute(at, sign ? Op::SignExtend : Op::ZeroExtend, width, {a});
}

void Lowering::event(const Span& at, program::EventKind kind, std::vector<std::string> texts,
                     std::vector<Operand> numbers) {
  program::EventSite site{kind, at, {}};
  for (std::size_t i = 0; i < texts.size(); ++i) site.texts.at(i) = std::move(texts[i]);
  auto id = static_cast<SiteId>(program_->sites.size());
  program_->sites.push_back(std::move(site));
  RaiseEvent raise{id, {}};
  raise.numbers.fill(number(0));
  for (std::size_t i = 0; i < numbers.size(); ++i) raise.numbers.at(i) = std::move(numbers[i]);
  emit(at, std::move(raise));
}

void Lowering::unsupported(const Span& at, const std::string& what) {
  diagnostics_.report(diag::kNotSupported, at, what);
}

}  // namespace perfpact::p4::core
