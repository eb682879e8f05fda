// and, or, xor, not, test, andn.
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

template <llvm::Instruction::BinaryOps operation>
Value combine(BlockLifter& block) {
  Value const left = block.read(0);
  if (block.same_register(0, 1))
    return operation == llvm::Instruction::Xor ? block.constant_like(left, 0) : left;
  return block.ir().CreateBinOp(operation, left, block.read(1));
}

template <llvm::Instruction::BinaryOps operation>
void logic(BlockLifter& block) {
  Value const result = combine<operation>(block);
  block.set_logic_flags(result);
  block.write(0, result);
}

void test(BlockLifter& block) {
  block.set_logic_flags(combine<llvm::Instruction::And>(block));
}

void invert(BlockLifter& block) {
  block.write(0, block.ir().CreateNot(block.read(0)));
}

void andn(BlockLifter& block) {
  Value const result = block.ir().CreateAnd(block.ir().CreateNot(block.read(1)), block.read(2));
  block.set_logic_flags(result);
  block.write(0, result);
}

}  // namespace

void add_logic(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_AND] = logic<llvm::Instruction::And>;
  handlers[ZYDIS_MNEMONIC_OR] = logic<llvm::Instruction::Or>;
  handlers[ZYDIS_MNEMONIC_XOR] = logic<llvm::Instruction::Xor>;
  handlers[ZYDIS_MNEMONIC_TEST] = test;
  handlers[ZYDIS_MNEMONIC_NOT] = invert;
  handlers[ZYDIS_MNEMONIC_ANDN] = andn;
}

}  // namespace perfpact::lift
