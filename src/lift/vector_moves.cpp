// Moves of whole vectors, of their low lanes and halves, and of the lanes' signs.
#include "lift/vector.h"

namespace perfpact::lift {
namespace {

constexpr unsigned kHalf = kVectorBits / 2;

void move_aligned(BlockLifter& block) {
  require_alignment(block, 0);
  block.write(0, read_vector(block, 1));
}

void move_unaligned(BlockLifter& block) {
  block.write(0, block.read(1, kVectorBits));
}

Value widened(BlockLifter& block, Value value) {
  return block.ir().CreateZExt(value, block.integer(kVectorBits));
}

bool is_vector(const BlockLifter& block, unsigned number) {
  return block.is_register(number) &&
         ZydisRegisterGetClass(block.operand(number).reg.value) == ZYDIS_REGCLASS_XMM;
}

// movd and movq clear what is above, from a general register, memory or a vector.
template <unsigned bits>
void move_low(BlockLifter& block) {
  Value const value = block.read(1, bits);
  block.write(0, is_vector(block, 0) ? widened(block, value) : value);
}

// movss and movsd keep it where they move from register to register.
template <unsigned bits>
void move_scalar(BlockLifter& block) {
  Value const value = block.read(1, bits);
  block.write(0, block.is_memory(1) ? widened(block, value) : value);
}

Value low_quadword(BlockLifter& block, unsigned number) {
  return block.read(number, kHalf);
}

Value high_quadword(BlockLifter& block, unsigned number) {
  return block.part(block.read(number, kVectorBits), kHalf, kHalf);
}

void write_halves(BlockLifter& block, Value low, Value high) {
  block.write(0, block.concat({low, high}));
}

// movlps, movlpd, movhps, movhpd: one side is memory.
void move_low_half(BlockLifter& block) {
  if (block.is_memory(0)) return block.write(0, low_quadword(block, 1));
  write_halves(block, low_quadword(block, 1), high_quadword(block, 0));
}

void move_high_half(BlockLifter& block) {
  if (block.is_memory(0)) return block.write(0, high_quadword(block, 1));
  Value const high = low_quadword(block, 1);
  write_halves(block, low_quadword(block, 0), high);
}

void move_high_to_low(BlockLifter& block) {
  write_halves(block, high_quadword(block, 1), high_quadword(block, 0));
}

void move_low_to_high(BlockLifter& block) {
  write_halves(block, low_quadword(block, 0), low_quadword(block, 1));
}

template <unsigned bits>
void move_signs(BlockLifter& block) {
  Lanes lanes = read_lanes(block, 1, bits);
  for (Value& lane : lanes) lane = sign(block, lane);
  block.write(0, block.ir().CreateZExt(block.concat(lanes), block.integer(block.width())));
}

}  // namespace

void move_scalar_double(BlockLifter& block) {
  move_scalar<kHalf>(block);
}

void add_vector_moves(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_MOVAPS] = move_aligned;
  handlers[ZYDIS_MNEMONIC_MOVAPD] = move_aligned;
  handlers[ZYDIS_MNEMONIC_MOVDQA] = move_aligned;
  handlers[ZYDIS_MNEMONIC_MOVNTDQ] = move_aligned;
  handlers[ZYDIS_MNEMONIC_MOVNTDQA] = move_aligned;
  handlers[ZYDIS_MNEMONIC_MOVNTPS] = move_aligned;
  handlers[ZYDIS_MNEMONIC_MOVNTPD] = move_aligned;
  handlers[ZYDIS_MNEMONIC_MOVUPS] = move_unaligned;
  handlers[ZYDIS_MNEMONIC_MOVUPD] = move_unaligned;
  handlers[ZYDIS_MNEMONIC_MOVDQU] = move_unaligned;
  handlers[ZYDIS_MNEMONIC_LDDQU] = move_unaligned;
  handlers[ZYDIS_MNEMONIC_MOVD] = move_low<32>;
  handlers[ZYDIS_MNEMONIC_MOVQ] = move_low<64>;
  handlers[ZYDIS_MNEMONIC_MOVSS] = move_scalar<32>;
  handlers[ZYDIS_MNEMONIC_MOVLPS] = move_low_half;
  handlers[ZYDIS_MNEMONIC_MOVLPD] = move_low_half;
  handlers[ZYDIS_MNEMONIC_MOVHPS] = move_high_half;
  handlers[ZYDIS_MNEMONIC_MOVHPD] = move_high_half;
  handlers[ZYDIS_MNEMONIC_MOVHLPS] = move_high_to_low;
  handlers[ZYDIS_MNEMONIC_MOVLHPS] = move_low_to_high;
  handlers[ZYDIS_MNEMONIC_PMOVMSKB] = move_signs<8>;
  handlers[ZYDIS_MNEMONIC_MOVMSKPS] = move_signs<32>;
  handlers[ZYDIS_MNEMONIC_MOVMSKPD] = move_signs<64>;
}

}  // namespace perfpact::lift
