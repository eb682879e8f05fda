#include <llvm/IR/PatternMatch.h>

#include <utility>

#include "base/check.h"
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

namespace pattern = llvm::PatternMatch;

}  // namespace

BlockLifter::BlockLifter(llvm::Function& function, Block& block, const CodeSource& source)
    : function_(function),
      block_(block),
      source_(source),
      ir_(llvm::BasicBlock::Create(function.getContext(), "", &function)) {}

void BlockLifter::lift(const x86::Instruction& instruction, std::uint32_t site) {
  instruction_ = &instruction;
  site_ = site;
  addresses_.fill(nullptr);
  const Handler handler = handlers()[instruction.decoded.mnemonic];
  const bool is_lifted = handler != nullptr && lifts_operands();
  if (!is_lifted || !instruction.repeats()) begin(site);
  if (is_lifted)
    handler(*this);
  else
    trap(Trap::NotLifted);
}

void BlockLifter::begin(std::uint32_t site) {
  Value const made = call(program::ir::Intrinsic::Instruction, {constant(32, site)});
  llvm::cast<llvm::CallInst>(made)->addFnAttr(llvm::Attribute::NoMerge);
}

Value BlockLifter::call(program::ir::Intrinsic intrinsic, llvm::ArrayRef<Value> arguments, unsigned width) {
  llvm::SmallVector<Value, 4> all{function_.getArg(0)};
  all.append(arguments.begin(), arguments.end());
  return ir_.CreateCall(program::ir::declare({intrinsic, width, {}}, *function_.getParent()), all);
}

Value BlockLifter::load(Value address, unsigned bits) {
  return call(program::ir::Intrinsic::MemoryLoad, {address}, bits);
}

void BlockLifter::store(Value address, Value value) {
  static_cast<void>(call(program::ir::Intrinsic::MemoryStore, {address, value}, bits(value)));
}

void BlockLifter::push(Value value) {
  Value const top = ir_.CreateSub(read_gpr(x86::Rsp), constant(64, bits(value) / 8));
  store(top, value);
  write_gpr(x86::Rsp, top);
}

Value BlockLifter::pop(unsigned bits) {
  Value const top = read_gpr(x86::Rsp);
  Value const value = load(top, bits);
  write_gpr(x86::Rsp, ir_.CreateAdd(top, constant(64, bits / 8)));
  return value;
}

llvm::ConstantInt* BlockLifter::constant_like(Value value, std::int64_t number) const {
  return llvm::ConstantInt::getSigned(llvm::cast<llvm::IntegerType>(value->getType()), number);
}

Value BlockLifter::part(Value value, unsigned position, unsigned wanted) {
  if (bits(value) == wanted) return value;
  const std::tuple key(value, position, wanted);
  if (const auto found = state_.parts.find(key); found != state_.parts.end()) return found->second;
  Value const made = make_part(value, position, wanted);
  state_.parts.emplace(key, made);
  return made;
}

// Of a part that is known and has all of them, where there is one.
Value BlockLifter::make_part(Value value, unsigned position, unsigned wanted) {
  for (unsigned wider = 2 * wanted; wider < bits(value); wider *= 2) {
    const auto found = state_.parts.find({value, position / wider * wider, wider});
    if (found != state_.parts.end()) return part(found->second, position % wider, wanted);
  }
  return make_low(position == 0 ? value : ir_.CreateLShr(value, position), wanted);
}

Value BlockLifter::make_low(Value value, unsigned wanted) {
  Value narrow = nullptr;
  const llvm::APInt* kept = nullptr;
  if (pattern::match(value, pattern::m_ZExt(pattern::m_Value(narrow)))) {
    if (bits(narrow) < wanted) return ir_.CreateZExt(narrow, integer(wanted));
    return low(narrow, wanted);
  }
  // What was written last to a part of a register.
  if (pattern::match(value, pattern::m_Or(pattern::m_And(pattern::m_Value(), pattern::m_APInt(kept)),
                                          pattern::m_ZExt(pattern::m_Value(narrow)))) &&
      bits(narrow) >= wanted && kept->countr_zero() >= wanted)
    return low(narrow, wanted);
  return ir_.CreateTrunc(value, integer(wanted));
}

Value BlockLifter::place(Value part, unsigned position, unsigned width) {
  Value const wide = ir_.CreateZExt(part, integer(width));
  return position == 0 ? wide : ir_.CreateShl(wide, position);
}

Value BlockLifter::concat(llvm::ArrayRef<Value> parts) {
  unsigned width = 0;
  for (Value const part : parts) width += bits(part);
  Value whole = constant(width, 0);
  unsigned position = 0;
  for (Value const part : parts) {
    const bool is_zero = pattern::match(part, pattern::m_Zero());
    const bool is_first = pattern::match(whole, pattern::m_Zero());
    if (!is_zero) {
      Value const placed = place(part, position, width);
      whole = is_first ? placed : ir_.CreateOr(whole, placed);
    }
    position += bits(part);
  }
  if (llvm::isa<llvm::Constant>(whole)) return whole;
  position = 0;
  for (Value const part : parts) {
    state_.parts.emplace(std::tuple(whole, position, bits(part)), part);
    position += bits(part);
  }
  return whole;
}

Value BlockLifter::replace(Value value, unsigned position, Value part) {
  const unsigned width = bits(value);
  const llvm::APInt kept = ~llvm::APInt::getBitsSet(width, position, position + bits(part));
  return ir_.CreateOr(ir_.CreateAnd(value, ir_.getInt(kept)), place(part, position, width));
}

Value BlockLifter::bit(Value value, unsigned position) {
  if (position == bits(value) - 1) return is_negative(value);
  return low(position == 0 ? value : ir_.CreateLShr(value, position), 1);
}

Value BlockLifter::bit(Value value, Value position) {
  return low(ir_.CreateLShr(value, ir_.CreateZExtOrTrunc(position, value->getType())), 1);
}

Value BlockLifter::is_zero(Value value) {
  return ir_.CreateICmpEQ(value, constant_like(value, 0));
}

Value BlockLifter::is_negative(Value value) {
  return ir_.CreateICmpSLT(value, constant_like(value, 0));
}

Value BlockLifter::field_pointer(Field field) {
  return ir_.CreateStructGEP(state_type(function_.getContext()), function_.getArg(0),
                             static_cast<unsigned>(field));
}

Value BlockLifter::field(Field field) {
  Value& value = state_.values[static_cast<std::size_t>(field)];
  if (value == nullptr) value = load_field(field);
  return value;
}

Value BlockLifter::load_field(Field field) {
  return ir_.CreateLoad(integer(lift::bits(field)), field_pointer(field));
}

void BlockLifter::set_field(Field field, Value value) {
  state_.values[static_cast<std::size_t>(field)] = value;
  state_.changed.set(static_cast<std::size_t>(field));
}

void BlockLifter::store_fields() {
  for (std::size_t i = 0; i < kFields; ++i)
    if (state_.later[i]) static_cast<void>(flag(static_cast<Field>(i)));
  for (std::size_t i = 0; i < kFields; ++i)
    if (state_.changed.test(i)) ir_.CreateStore(state_.values[i], field_pointer(static_cast<Field>(i)));
}

void BlockLifter::drop_flags() {
  for (const Field field : {Field::Cf, Field::Parity, Field::Af, Field::Zf, Field::Sf, Field::Of})
    if (state_.changed.test(static_cast<std::size_t>(field)))
      set_flag(field, static_cast<Value>(constant(lift::bits(field), 0)));
}

void BlockLifter::end(Flow flow) {
  PERFPACT_CHECK(!ended_, "a block that ends twice");
  block_.flow = flow;
  ended_ = true;
}

void BlockLifter::leave(Flow flow, Value target) {
  const auto* const next = llvm::dyn_cast<llvm::ConstantInt>(target);
  if (flow != Flow::Trap && next != nullptr && !may_read_flags(source_, next->getZExtValue())) drop_flags();
  store_fields();
  ir_.CreateRet(target);
  end(flow);
}

void BlockLifter::branch(Value condition, std::uint64_t taken, std::uint64_t otherwise) {
  if (!may_read_flags(source_, taken) && !may_read_flags(source_, otherwise)) drop_flags();
  store_fields();
  auto* const yes = llvm::BasicBlock::Create(function_.getContext(), "taken", &function_);
  auto* const no = llvm::BasicBlock::Create(function_.getContext(), "next", &function_);
  ir_.CreateCondBr(condition, yes, no);
  ir_.SetInsertPoint(yes);
  ir_.CreateRet(constant(64, taken));
  ir_.SetInsertPoint(no);
  ir_.CreateRet(constant(64, otherwise));
  end(Flow::Branch);
}

void BlockLifter::trap(Trap trap) {
  static_cast<void>(call(program::ir::Intrinsic::Trap, {constant(32, static_cast<std::uint32_t>(trap))}));
  leave(Flow::Trap, instruction_ != nullptr ? instruction_->address : block_.address);
}

void BlockLifter::when(Value condition, llvm::function_ref<void()> arm) {
  auto* const inside = llvm::BasicBlock::Create(function_.getContext(), "", &function_);
  auto* const behind = llvm::BasicBlock::Create(function_.getContext(), "", &function_);
  ir_.CreateCondBr(condition, inside, behind);
  ir_.SetInsertPoint(inside);
  State kept = state_;
  arm();
  PERFPACT_CHECK(std::exchange(ended_, false), "an arm that does not end the block");
  state_ = std::move(kept);
  ir_.SetInsertPoint(behind);
}

}  // namespace perfpact::lift
