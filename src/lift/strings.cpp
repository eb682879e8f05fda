// movs, stos, lods, scas, cmps: one element; under rep a block is one iteration.
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

using enum x86::Gpr;

constexpr std::uint64_t kSourceSegments = ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_GS;

template <unsigned bits>
void advance(BlockLifter& block, x86::Gpr pointer) {
  auto& ir = block.ir();
  Value const step = ir.CreateSelect(block.flag(Field::Df), block.constant(64, -std::uint64_t{bits / 8}),
                                     block.constant(64, bits / 8));
  block.write_gpr(pointer, ir.CreateAdd(block.read_gpr(pointer), step));
}

template <unsigned bits>
void movs(BlockLifter& block) {
  block.store(block.read_gpr(Rdi), block.load(block.read_gpr(Rsi), bits));
  advance<bits>(block, Rsi);
  advance<bits>(block, Rdi);
}

template <unsigned bits>
void stos(BlockLifter& block) {
  block.store(block.read_gpr(Rdi), block.read_gpr(Rax, bits));
  advance<bits>(block, Rdi);
}

template <unsigned bits>
void lods(BlockLifter& block) {
  block.write_gpr(Rax, block.load(block.read_gpr(Rsi), bits));
  advance<bits>(block, Rsi);
}

void compare(BlockLifter& block, Value left, Value right) {
  block.set_sub_flags(left, right, block.ir().CreateSub(left, right));
}

template <unsigned bits>
void scas(BlockLifter& block) {
  compare(block, block.read_gpr(Rax, bits), block.load(block.read_gpr(Rdi), bits));
  advance<bits>(block, Rdi);
}

template <unsigned bits>
void cmps(BlockLifter& block) {
  Value const left = block.load(block.read_gpr(Rsi), bits);
  compare(block, left, block.load(block.read_gpr(Rdi), bits));
  advance<bits>(block, Rsi);
  advance<bits>(block, Rdi);
}

void iterate(BlockLifter& block, Handler element) {
  auto& ir = block.ir();
  const x86::Instruction& instruction = block.instruction();
  Value const count = block.read_gpr(Rcx);
  block.when(block.is_zero(count), [&] {
    block.begin(block.site() + 1);
    block.leave(Flow::Next, instruction.next());
  });
  block.begin(block.site());
  element(block);
  Value const left = ir.CreateSub(count, block.constant(64, 1));
  block.write_gpr(Rcx, left);
  Value is_done = block.is_zero(left);
  if ((instruction.decoded.attributes & ZYDIS_ATTRIB_HAS_REPE) != 0)
    is_done = ir.CreateOr(is_done, block.condition(Condition::NZ));
  if ((instruction.decoded.attributes & ZYDIS_ATTRIB_HAS_REPNE) != 0)
    is_done = ir.CreateOr(is_done, block.condition(Condition::Z));
  block.branch(is_done, instruction.next(), instruction.address);
}

// movsd and cmpsd are names of vector instructions too, whose handler is `other`.
template <Handler element, Handler other = nullptr>
void string(BlockLifter& block) {
  const ZydisDecodedInstruction& decoded = block.instruction().decoded;
  const bool is_string = decoded.meta.category == ZYDIS_CATEGORY_STRINGOP;
  if (!is_string && other != nullptr) return other(block);
  const bool is_lifted =
      is_string && decoded.address_width == 64 && (decoded.attributes & kSourceSegments) == 0;
  const bool repeats = block.instruction().repeats();
  if (!is_lifted) {
    if (repeats) block.begin(block.site());
    return block.trap(Trap::NotLifted);
  }
  if (repeats)
    iterate(block, element);
  else
    element(block);
}

}  // namespace

void add_strings(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_MOVSB] = string<movs<8>>;
  handlers[ZYDIS_MNEMONIC_MOVSW] = string<movs<16>>;
  handlers[ZYDIS_MNEMONIC_MOVSD] = string<movs<32>, move_scalar_double>;
  handlers[ZYDIS_MNEMONIC_MOVSQ] = string<movs<64>>;
  handlers[ZYDIS_MNEMONIC_STOSB] = string<stos<8>>;
  handlers[ZYDIS_MNEMONIC_STOSW] = string<stos<16>>;
  handlers[ZYDIS_MNEMONIC_STOSD] = string<stos<32>>;
  handlers[ZYDIS_MNEMONIC_STOSQ] = string<stos<64>>;
  handlers[ZYDIS_MNEMONIC_LODSB] = string<lods<8>>;
  handlers[ZYDIS_MNEMONIC_LODSW] = string<lods<16>>;
  handlers[ZYDIS_MNEMONIC_LODSD] = string<lods<32>>;
  handlers[ZYDIS_MNEMONIC_LODSQ] = string<lods<64>>;
  handlers[ZYDIS_MNEMONIC_SCASB] = string<scas<8>>;
  handlers[ZYDIS_MNEMONIC_SCASW] = string<scas<16>>;
  handlers[ZYDIS_MNEMONIC_SCASD] = string<scas<32>>;
  handlers[ZYDIS_MNEMONIC_SCASQ] = string<scas<64>>;
  handlers[ZYDIS_MNEMONIC_CMPSB] = string<cmps<8>>;
  handlers[ZYDIS_MNEMONIC_CMPSW] = string<cmps<16>>;
  handlers[ZYDIS_MNEMONIC_CMPSD] = string<cmps<32>>;
  handlers[ZYDIS_MNEMONIC_CMPSQ] = string<cmps<64>>;
}

}  // namespace perfpact::lift
