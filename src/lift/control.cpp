// Jumps, calls and returns; conditional ones on flags are in conditional.cpp.
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

using enum x86::Gpr;

Value target(BlockLifter& block) {
  if (block.is_register(0) || block.is_memory(0)) return block.read(0);
  return block.constant(64, block.instruction().next() + block.operand(0).imm.value.u);
}

void jmp(BlockLifter& block) {
  block.leave(Flow::Jump, target(block));
}

void call(BlockLifter& block) {
  Value const to = target(block);
  block.push(block.constant(64, block.instruction().next()));
  block.leave(Flow::Call, to);
}

void ret(BlockLifter& block) {
  Value const to = block.pop(64);
  const ZydisDecodedOperand& popped = block.operand(0);
  if (popped.type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
    block.write_gpr(Rsp, block.ir().CreateAdd(block.read_gpr(Rsp), block.constant(64, popped.imm.value.u)));
  block.leave(Flow::Return, to);
}

void branch(BlockLifter& block, Value condition) {
  const std::uint64_t next = block.instruction().next();
  block.branch(condition, next + block.operand(0).imm.value.u, next);
}

void jump_if_no_count(BlockLifter& block) {
  branch(block, block.is_zero(block.read_gpr(Rcx, block.instruction().decoded.address_width)));
}

Value counted_down(BlockLifter& block) {
  Value const old = block.read_gpr(Rcx, block.instruction().decoded.address_width);
  Value const count = block.ir().CreateSub(old, block.constant_like(old, 1));
  block.write_gpr(Rcx, count);
  return block.ir().CreateICmpNE(count, block.constant_like(count, 0));
}

void loop(BlockLifter& block) {
  branch(block, counted_down(block));
}

template <Condition condition>
void loop_while(BlockLifter& block) {
  Value const goes_on = counted_down(block);
  branch(block, block.ir().CreateAnd(goes_on, block.condition(condition)));
}

}  // namespace

void add_control(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_JMP] = jmp;
  handlers[ZYDIS_MNEMONIC_CALL] = call;
  handlers[ZYDIS_MNEMONIC_RET] = ret;
  handlers[ZYDIS_MNEMONIC_JRCXZ] = jump_if_no_count;
  handlers[ZYDIS_MNEMONIC_JECXZ] = jump_if_no_count;
  handlers[ZYDIS_MNEMONIC_LOOP] = loop;
  handlers[ZYDIS_MNEMONIC_LOOPE] = loop_while<Condition::Z>;
  handlers[ZYDIS_MNEMONIC_LOOPNE] = loop_while<Condition::NZ>;
}

}  // namespace perfpact::lift
