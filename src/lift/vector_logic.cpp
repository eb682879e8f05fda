// Bitwise operations, comparisons, ptest.
#include "lift/vector.h"

namespace perfpact::lift {
namespace {

using enum llvm::CmpInst::Predicate;
constexpr auto kAnd = llvm::Instruction::And, kOr = llvm::Instruction::Or, kXor = llvm::Instruction::Xor;

template <llvm::Instruction::BinaryOps operation>
void vector_logic(BlockLifter& block) {
  Value const left = block.read(0);
  if (operation == kXor && block.same_register(0, 1)) return block.write(0, block.constant_like(left, 0));
  block.write(0, block.ir().CreateBinOp(operation, left, read_vector(block, 1)));
}

void and_not(BlockLifter& block) {
  Value const inverted = block.ir().CreateNot(block.read(0));
  block.write(0, block.ir().CreateAnd(inverted, read_vector(block, 1)));
}

template <llvm::CmpInst::Predicate predicate>
Value compare(BlockLifter& block, Value left, Value right) {
  return block.ir().CreateSExt(block.ir().CreateICmp(predicate, left, right), left->getType());
}

template <unsigned bits>
void compare_equal(BlockLifter& block) {
  if (block.same_register(0, 1)) return block.write(0, block.constant_like(block.read(0), -1));
  lanewise<bits, compare<ICMP_EQ>>(block);
}

// Zero: no common bits; carry: the second operand has none outside the first.
void vector_test(BlockLifter& block) {
  Value const left = block.read(0);
  Value const right = read_vector(block, 1);
  const auto is_disjoint = [&block, right](Value value) {
    return block.is_zero(block.ir().CreateAnd(value, right));
  };
  block.set_flag(Field::Zf, [=] { return is_disjoint(left); });
  block.set_flag(Field::Cf, [=, &block] { return is_disjoint(block.ir().CreateNot(left)); });
  block.set_flag(Field::Of, false);
  block.set_flag(Field::Sf, false);
  block.set_flag(Field::Af, false);
  block.set_parity(block.ir().getFalse());
}

}  // namespace

void add_vector_logic(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_PAND] = vector_logic<kAnd>;
  handlers[ZYDIS_MNEMONIC_ANDPS] = vector_logic<kAnd>;
  handlers[ZYDIS_MNEMONIC_ANDPD] = vector_logic<kAnd>;
  handlers[ZYDIS_MNEMONIC_POR] = vector_logic<kOr>;
  handlers[ZYDIS_MNEMONIC_ORPS] = vector_logic<kOr>;
  handlers[ZYDIS_MNEMONIC_ORPD] = vector_logic<kOr>;
  handlers[ZYDIS_MNEMONIC_PXOR] = vector_logic<kXor>;
  handlers[ZYDIS_MNEMONIC_XORPS] = vector_logic<kXor>;
  handlers[ZYDIS_MNEMONIC_XORPD] = vector_logic<kXor>;
  handlers[ZYDIS_MNEMONIC_PANDN] = and_not;
  handlers[ZYDIS_MNEMONIC_ANDNPS] = and_not;
  handlers[ZYDIS_MNEMONIC_ANDNPD] = and_not;
  handlers[ZYDIS_MNEMONIC_PCMPEQB] = compare_equal<8>;
  handlers[ZYDIS_MNEMONIC_PCMPEQW] = compare_equal<16>;
  handlers[ZYDIS_MNEMONIC_PCMPEQD] = compare_equal<32>;
  handlers[ZYDIS_MNEMONIC_PCMPEQQ] = compare_equal<64>;
  handlers[ZYDIS_MNEMONIC_PCMPGTB] = lanewise<8, compare<ICMP_SGT>>;
  handlers[ZYDIS_MNEMONIC_PCMPGTW] = lanewise<16, compare<ICMP_SGT>>;
  handlers[ZYDIS_MNEMONIC_PCMPGTD] = lanewise<32, compare<ICMP_SGT>>;
  handlers[ZYDIS_MNEMONIC_PCMPGTQ] = lanewise<64, compare<ICMP_SGT>>;
  handlers[ZYDIS_MNEMONIC_PTEST] = vector_test;
}

}  // namespace perfpact::lift
