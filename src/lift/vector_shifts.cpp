// Shifts of lanes, by an immediate or by the low half of a vector, and of the whole by bytes.
#include "lift/vector.h"

namespace perfpact::lift {
namespace {

constexpr auto kLeft = llvm::Instruction::Shl, kRight = llvm::Instruction::LShr,
               kSigned = llvm::Instruction::AShr;

bool is_immediate(const BlockLifter& block) {
  return block.operand(1).type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

// Of the lanes, where the count is below their width.
template <llvm::Instruction::BinaryOps operation>
Lanes shifted(BlockLifter& block, Lanes lanes, Value steps) {
  for (Value& lane : lanes) lane = block.ir().CreateBinOp(operation, lane, steps);
  return lanes;
}

// Of a count that is the width or more nothing is left but copies of the sign.
template <unsigned bits, llvm::Instruction::BinaryOps operation>
void shift(BlockLifter& block) {
  auto& ir = block.ir();
  constexpr bool kKeepsSign = operation == kSigned;
  Value const count = is_immediate(block) ? static_cast<Value>(block.constant(64, immediate(block, 1)))
                                          : block.low(read_vector(block, 1), 64);
  const Lanes lanes = read_lanes(block, 0, bits);
  Value const is_beyond = ir.CreateICmpUGE(count, block.constant(64, bits));
  const auto choose = [&](Value if_beyond, Value otherwise) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(is_beyond);
    if (known != nullptr) return known->isOne() ? if_beyond : otherwise;
    return ir.CreateSelect(is_beyond, if_beyond, otherwise);
  };
  Value const most = block.constant(bits, bits - 1);
  Value const steps = choose(most, block.low(count, bits));
  Lanes result = shifted<operation>(block, lanes, steps);
  if (!kKeepsSign)
    for (Value& lane : result) lane = choose(block.constant(bits, 0), lane);
  write_lanes(block, result);
}

template <llvm::Instruction::BinaryOps operation>
void shift_bytes(BlockLifter& block) {
  Value const old = block.read(0);
  const unsigned steps = 8 * immediate(block, 1);
  if (steps >= kVectorBits) return block.write(0, block.constant_like(old, 0));
  block.write(0, block.ir().CreateBinOp(operation, old, block.constant_like(old, steps)));
}

}  // namespace

void add_vector_shifts(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_PSLLW] = shift<16, kLeft>;
  handlers[ZYDIS_MNEMONIC_PSLLD] = shift<32, kLeft>;
  handlers[ZYDIS_MNEMONIC_PSLLQ] = shift<64, kLeft>;
  handlers[ZYDIS_MNEMONIC_PSRLW] = shift<16, kRight>;
  handlers[ZYDIS_MNEMONIC_PSRLD] = shift<32, kRight>;
  handlers[ZYDIS_MNEMONIC_PSRLQ] = shift<64, kRight>;
  handlers[ZYDIS_MNEMONIC_PSRAW] = shift<16, kSigned>;
  handlers[ZYDIS_MNEMONIC_PSRAD] = shift<32, kSigned>;
  handlers[ZYDIS_MNEMONIC_PSLLDQ] = shift_bytes<kLeft>;
  handlers[ZYDIS_MNEMONIC_PSRLDQ] = shift_bytes<kRight>;
}

}  // namespace perfpact::lift
