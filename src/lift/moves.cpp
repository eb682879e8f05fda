#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

using enum x86::Gpr;

void mov(BlockLifter& block) {
  block.write(0, block.read(1, block.width()));
}

void movzx(BlockLifter& block) {
  block.write(0, block.ir().CreateZExt(block.read(1), block.integer(block.width())));
}

void movsx(BlockLifter& block) {
  block.write(0, block.ir().CreateSExt(block.read(1), block.integer(block.width())));
}

void lea(BlockLifter& block) {
  block.write(0, block.low(block.address(1), block.width()));
}

void xchg(BlockLifter& block) {
  Value const left = block.read(0);
  Value const right = block.read(1);
  block.write(0, right);
  block.write(1, left);
}

void push(BlockLifter& block) {
  block.push(block.read(0, block.instruction().decoded.operand_width));
}

// A memory operand that is relative to rsp is so after the increment.
void pop(BlockLifter& block) {
  block.write(0, block.pop(block.width()));
}

void pushf(BlockLifter& block) {
  block.push(block.low(block.pack_flags(), block.instruction().decoded.operand_width));
}

void popf(BlockLifter& block) {
  block.unpack_flags(block.pop(block.instruction().decoded.operand_width), false);
}

void lahf(BlockLifter& block) {
  block.write_register(ZYDIS_REGISTER_AH, block.low(block.pack_flags(), 8));
}

void sahf(BlockLifter& block) {
  block.unpack_flags(block.read_register(ZYDIS_REGISTER_AH), true);
}

void leave(BlockLifter& block) {
  block.write_gpr(Rsp, block.read_gpr(Rbp));
  block.write_gpr(Rbp, block.pop(block.instruction().decoded.operand_width));
}

void movbe(BlockLifter& block) {
  block.write(0, block.unary(llvm::Intrinsic::bswap, block.read(1)));
}

// Of 16 bits it is undefined.
void bswap(BlockLifter& block) {
  if (block.width() == 16) return block.trap(Trap::NotLifted);
  block.write(0, block.unary(llvm::Intrinsic::bswap, block.read(0)));
}

// cbw, cwde, cdqe: the accumulator from half to whole.
template <unsigned whole>
void widen(BlockLifter& block) {
  block.write_gpr(Rax, block.ir().CreateSExt(block.read_gpr(Rax, whole / 2), block.integer(whole)));
}

// cwd, cdq, cqo: the accumulator's sign, everywhere in d.
template <unsigned bits>
void spread_sign(BlockLifter& block) {
  block.write_gpr(Rdx, block.ir().CreateAShr(block.read_gpr(Rax, bits), bits - 1));
}

void xlat(BlockLifter& block) {
  Value const index = block.ir().CreateZExt(block.read_gpr(Rax, 8), block.integer(64));
  Value base = block.read_gpr(Rbx);
  const ZydisInstructionAttributes attributes = block.instruction().decoded.attributes;
  constexpr ZydisInstructionAttributes kSegments = ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_GS;
  if (block.instruction().decoded.address_width != 64 || (attributes & kSegments) != 0)
    return block.trap(Trap::NotLifted);
  block.write_gpr(Rax, block.load(block.ir().CreateAdd(base, index), 8));
}

}  // namespace

void add_moves(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_MOV] = mov;
  handlers[ZYDIS_MNEMONIC_MOVNTI] = mov;
  handlers[ZYDIS_MNEMONIC_MOVZX] = movzx;
  handlers[ZYDIS_MNEMONIC_MOVSX] = movsx;
  handlers[ZYDIS_MNEMONIC_MOVSXD] = movsx;
  handlers[ZYDIS_MNEMONIC_LEA] = lea;
  handlers[ZYDIS_MNEMONIC_XCHG] = xchg;
  handlers[ZYDIS_MNEMONIC_PUSH] = push;
  handlers[ZYDIS_MNEMONIC_POP] = pop;
  handlers[ZYDIS_MNEMONIC_PUSHF] = pushf;
  handlers[ZYDIS_MNEMONIC_PUSHFQ] = pushf;
  handlers[ZYDIS_MNEMONIC_POPF] = popf;
  handlers[ZYDIS_MNEMONIC_POPFQ] = popf;
  handlers[ZYDIS_MNEMONIC_LAHF] = lahf;
  handlers[ZYDIS_MNEMONIC_SAHF] = sahf;
  handlers[ZYDIS_MNEMONIC_LEAVE] = leave;
  handlers[ZYDIS_MNEMONIC_MOVBE] = movbe;
  handlers[ZYDIS_MNEMONIC_BSWAP] = bswap;
  handlers[ZYDIS_MNEMONIC_CBW] = widen<16>;
  handlers[ZYDIS_MNEMONIC_CWDE] = widen<32>;
  handlers[ZYDIS_MNEMONIC_CDQE] = widen<64>;
  handlers[ZYDIS_MNEMONIC_CWD] = spread_sign<16>;
  handlers[ZYDIS_MNEMONIC_CDQ] = spread_sign<32>;
  handlers[ZYDIS_MNEMONIC_CQO] = spread_sign<64>;
  handlers[ZYDIS_MNEMONIC_XLAT] = xlat;
}

}  // namespace perfpact::lift
