// Control flow.
#include "base/check.h"
#include "p4/ir/lowering.h"

namespace perfpact::p4::ir {

using program::ir::Intrinsic;

ProcedureLowering::ProcedureLowering(ModuleLowering& module, core::ProcedureId procedure)
    : module_(module),
      program_(module.program()),
      id_(procedure),
      procedure_(program_.procedures[core::index(procedure)]),
      function_(module.function(procedure)),
      builder_(module.context()) {}

void ProcedureLowering::run() {
  // LLVM wants an entry that nothing jumps to.
  auto* entry = llvm::BasicBlock::Create(module_.context(), "entry", function_);
  for (std::size_t i = 0; i < procedure_.blocks.size(); ++i)
    blocks_.push_back(llvm::BasicBlock::Create(module_.context(), fmt::format("block{}", i), function_));
  builder_.SetInsertPoint(entry);
  builder_.CreateBr(blocks_[core::index(procedure_.entry)]);
  for (std::size_t i = 0; i < procedure_.blocks.size(); ++i) {
    const core::Block& block = procedure_.blocks[i];
    builder_.SetInsertPoint(blocks_[i]);
    stand_at(block.at);
    if (const std::uint64_t blocks = module_.loops(id_)[i]; blocks > 0)
      fail_if(call(Intrinsic::Loop, {place(), constant(64, blocks)}));
    lower(block);
  }
}

void ProcedureLowering::stand_at(const Span& at) {
  at_ = at;
  builder_.SetCurrentDebugLocation(module_.location(at, id_));
}

llvm::Value* ProcedureLowering::place() {
  return constant(32, module_.add_place(at_));
}

void ProcedureLowering::lower(const core::Block& block) {
  for (std::size_t at = 0; at < block.instructions.size();) {
    stand_at(block.instructions[at].at);
    at += lower_run(block, at);
  }
  stand_at(block.at);
  std::visit([this](const auto& terminator) { leave(terminator); }, block.terminator);
}

// Gives how many instructions were lowered.
std::size_t ProcedureLowering::lower_run(const core::Block& block, std::size_t at) {
  return std::visit(
      [&]<class Kind>(const Kind& action) -> std::size_t {
        if constexpr (std::is_same_v<Kind, core::PacketRead>) {
          return read_run(block, at);
        } else if constexpr (std::is_same_v<Kind, core::PacketEmit>) {
          return emit_run(block, at);
        } else {
          execute(action);
          return 1;
        }
      },
      block.instructions[at].action);
}

void ProcedureLowering::leave(const core::Return&) {
  builder_.CreateRet(builder_.getFalse());
}

void ProcedureLowering::leave(const core::Jump& jump) {
  builder_.CreateBr(blocks_[core::index(jump.to)]);
}

void ProcedureLowering::leave(const core::Branch& branch) {
  llvm::Value* condition = value(branch.condition);
  if (!branch.is_decision) {
    builder_.CreateCondBr(condition, blocks_[core::index(branch.then_block)],
                          blocks_[core::index(branch.else_block)]);
    return;
  }
  call(Intrinsic::Decide, {constant(32, core::index(branch.decision)), fit(condition, 64)});
  builder_.CreateCondBr(condition, blocks_[core::index(branch.then_block)],
                        blocks_[core::index(branch.else_block)]);
}

void ProcedureLowering::leave(const core::Select& select) {
  Values values;
  for (const core::Operand& operand : select.operands) values.push_back(value(operand));
  const auto target = [&](std::size_t outcome, core::BlockId to) {
    return select.is_decision ? deciding(select.decision, outcome, to) : blocks_[core::index(to)];
  };
  for (std::size_t i = 0; i < select.cases.size(); ++i) {
    const core::SelectCase& candidate = select.cases[i];
    llvm::Value* accepted = builder_.getTrue();
    for (std::size_t k = 0; k < values.size(); ++k)
      accepted = builder_.CreateAnd(accepted, matches(candidate.patterns[k], values[k]));
    llvm::BasicBlock* taken = target(i, candidate.to);
    auto* next = llvm::BasicBlock::Create(module_.context(), "", function_);
    builder_.CreateCondBr(accepted, taken, next);
    builder_.SetInsertPoint(next);
  }
  builder_.CreateBr(target(select.cases.size(), select.default_block));
}

llvm::Value* ProcedureLowering::matches(const core::Pattern& pattern, llvm::Value* value) {
  auto* type = llvm::cast<llvm::IntegerType>(value->getType());
  const auto number = [&](const Integer& integer) {
    return llvm::ConstantInt::get(type, to_apint(integer, type->getBitWidth()));
  };
  if (pattern.is_range)
    return builder_.CreateAnd(builder_.CreateICmpUGE(value, number(pattern.value)),
                              builder_.CreateICmpULE(value, number(pattern.mask)));
  return builder_.CreateICmpEQ(builder_.CreateAnd(value, number(pattern.mask)), number(pattern.value));
}

llvm::BasicBlock* ProcedureLowering::deciding(core::DecisionId decision, std::uint64_t outcome,
                                              core::BlockId to) {
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  auto* block = llvm::BasicBlock::Create(module_.context(), "", function_);
  builder_.SetInsertPoint(block);
  call(Intrinsic::Decide, {constant(32, core::index(decision)), constant(64, outcome)});
  builder_.CreateBr(blocks_[core::index(to)]);
  return block;
}

void ProcedureLowering::fail_if(llvm::Value* failed) {
  if (failed_ == nullptr) {
    failed_ = llvm::BasicBlock::Create(module_.context(), "failed", function_);
    llvm::IRBuilder<>(failed_).CreateRet(builder_.getTrue());
  }
  auto* next = llvm::BasicBlock::Create(module_.context(), "", function_);
  builder_.CreateCondBr(failed, failed_, next);
  builder_.SetInsertPoint(next);
}

llvm::Value* ProcedureLowering::constant(std::uint32_t width, std::uint64_t value) {
  return llvm::ConstantInt::get(module_.integer(width), value);
}

llvm::Value* ProcedureLowering::slot(core::SlotId id) {
  return builder_.CreateStructGEP(module_.slots_type(), function_->getArg(1),
                                  static_cast<unsigned>(core::index(id)));
}

llvm::Value* ProcedureLowering::value(const core::Operand& operand) {
  if (operand.is_constant)
    return llvm::ConstantInt::get(module_.integer(operand.width), to_apint(operand.value, operand.width));
  return builder_.CreateLoad(module_.integer(operand.width), slot(operand.slot));
}

llvm::Value* ProcedureLowering::value64(const core::Operand& operand) {
  return fit(value(operand), 64);
}

// An index that does not fit is beyond every object, as the largest number is.
llvm::Value* ProcedureLowering::index64(const core::Operand& operand) {
  llvm::Value* index = value(operand);
  if (operand.width <= 64) return fit(index, 64);
  llvm::Value* largest = constant(64, ~std::uint64_t{0});
  return builder_.CreateSelect(builder_.CreateICmpUGT(index, builder_.CreateZExt(largest, index->getType())),
                               largest, fit(index, 64));
}

void ProcedureLowering::write(core::SlotId id, llvm::Value* value) {
  builder_.CreateStore(value, slot(id));
}

llvm::Value* ProcedureLowering::fit(llvm::Value* value, std::uint32_t width) {
  return builder_.CreateZExtOrTrunc(value, module_.integer(width));
}

llvm::CallInst* ProcedureLowering::call(Intrinsic intrinsic, const Values& arguments, std::uint32_t width,
                                        program::EventKind event) {
  Values all{function_->getArg(0)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  llvm::CallInst* made =
      builder_.CreateCall(program::ir::declare({intrinsic, width, event}, module_.module()), all);
  if (intrinsic == Intrinsic::Event || intrinsic == Intrinsic::Decide)
    made->addFnAttr(llvm::Attribute::NoMerge);
  return made;
}

}  // namespace perfpact::p4::ir
