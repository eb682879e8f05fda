// add, sub and their like.
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

using enum x86::Gpr;

Value extended_carry(BlockLifter& block, Value carry, Value like) {
  return block.ir().CreateZExt(carry, like->getType());
}

void add(BlockLifter& block) {
  Value const left = block.read(0);
  Value const right = block.read(1);
  Value const sum = block.ir().CreateAdd(left, right);
  block.set_add_flags(left, right, sum);
  block.write(0, sum);
}

void adc(BlockLifter& block) {
  Value const left = block.read(0);
  Value const right = block.read(1);
  Value const carry = block.flag(Field::Cf);
  Value const sum =
      block.ir().CreateAdd(block.ir().CreateAdd(left, right), extended_carry(block, carry, left));
  block.set_add_flags(left, right, sum, carry);
  block.write(0, sum);
}

void sub(BlockLifter& block) {
  Value const left = block.read(0);
  Value const right = block.same_register(0, 1) ? left : block.read(1);
  Value const difference = left == right ? block.constant_like(left, 0) : block.ir().CreateSub(left, right);
  block.set_sub_flags(left, right, difference);
  block.write(0, difference);
}

void sbb(BlockLifter& block) {
  Value const left = block.read(0);
  Value const carry = block.flag(Field::Cf);
  if (block.same_register(0, 1)) {
    Value const mask = block.ir().CreateSExt(carry, left->getType());
    Value const zero = block.constant_like(left, 0);
    block.set_sub_flags(zero, zero, mask, carry);
    return block.write(0, mask);
  }
  Value const right = block.read(1);
  Value const difference =
      block.ir().CreateSub(block.ir().CreateSub(left, right), extended_carry(block, carry, left));
  block.set_sub_flags(left, right, difference, carry);
  block.write(0, difference);
}

void cmp(BlockLifter& block) {
  Value const left = block.read(0);
  Value const right = block.read(1);
  block.set_sub_flags(left, right, block.ir().CreateSub(left, right));
}

// inc and dec keep the carry flag.
template <bool is_increment>
void step(BlockLifter& block) {
  const LazyValue carry = block.lazy_flag(Field::Cf);
  Value const old = block.read(0);
  Value const one = block.constant_like(old, 1);
  Value const result = is_increment ? block.ir().CreateAdd(old, one) : block.ir().CreateSub(old, one);
  if (is_increment)
    block.set_add_flags(old, one, result);
  else
    block.set_sub_flags(old, one, result);
  block.set_flag(Field::Cf, carry);
  block.set_compared(old, block.constant_like(old, is_increment ? -1 : 1), false);
  block.write(0, result);
}

void neg(BlockLifter& block) {
  Value const old = block.read(0);
  Value const zero = block.constant_like(old, 0);
  Value const result = block.ir().CreateSub(zero, old);
  block.set_sub_flags(zero, old, result);
  block.write(0, result);
}

void xadd(BlockLifter& block) {
  Value const left = block.read(0);
  Value const right = block.read(1);
  Value const sum = block.ir().CreateAdd(left, right);
  block.set_add_flags(left, right, sum);
  block.write(1, left);
  block.write(0, sum);
}

void cmpxchg(BlockLifter& block) {
  Value const old = block.read(0);
  Value const replacement = block.read(1);
  Value const accumulator = block.read_gpr(Rax, block.width());
  block.set_sub_flags(accumulator, old, block.ir().CreateSub(accumulator, old));
  Value const is_equal = block.condition(Condition::Z);
  Value const is_other = block.condition(Condition::NZ);
  constexpr unsigned kAccumulator = 2;
  if (block.is_memory(0))
    block.write(0, block.ir().CreateSelect(is_equal, replacement, old));
  else
    block.write_where(is_equal, 0, replacement);
  block.write_where(is_other, kAccumulator, old);
}

// cmpxchg8b, cmpxchg16b: the pairs d:a and c:b.
template <unsigned half>
void cmpxchg_pair(BlockLifter& block) {
  auto& ir = block.ir();
  auto* const whole = block.integer(2 * half);
  constexpr std::uint64_t kAlignment = 16;
  const auto join = [&](x86::Gpr high, x86::Gpr low) {
    return ir.CreateOr(ir.CreateShl(ir.CreateZExt(block.read_gpr(high, half), whole), half),
                       ir.CreateZExt(block.read_gpr(low, half), whole));
  };
  if (half == 64) {
    Value const odd = ir.CreateAnd(block.address(0), block.constant(64, kAlignment - 1));
    block.when(ir.CreateICmpNE(odd, block.constant(64, 0)), [&] { block.trap(Trap::Misaligned); });
  }
  Value const old = block.load(block.address(0), 2 * half);
  Value const is_equal = ir.CreateICmpEQ(old, join(Rdx, Rax));
  block.store(block.address(0), ir.CreateSelect(is_equal, join(Rcx, Rbx), old));
  block.set_flag(Field::Zf, is_equal);
  const auto set = [&](x86::Gpr to, Value part) {
    Value const before = block.read_gpr(to);
    Value const after = ir.CreateZExt(part, block.integer(64));
    block.write_gpr(to, ir.CreateSelect(is_equal, before, after));
  };
  set(Rax, block.low(old, half));
  set(Rdx, block.low(ir.CreateLShr(old, half), half));
}

// adcx and adox add with one flag and leave the others.
template <Field carry_field>
void add_with(BlockLifter& block) {
  auto& ir = block.ir();
  Value const left = block.read(0);
  Value const right = block.read(1);
  Value const carry = block.flag(carry_field);
  Value const sum = ir.CreateAdd(ir.CreateAdd(left, right), extended_carry(block, carry, left));
  block.set_flag(carry_field,
                 ir.CreateOr(ir.CreateICmpULT(sum, left), ir.CreateAnd(carry, ir.CreateICmpEQ(sum, left))));
  block.write(0, sum);
}

}  // namespace

void add_arithmetic(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_ADD] = add;
  handlers[ZYDIS_MNEMONIC_ADC] = adc;
  handlers[ZYDIS_MNEMONIC_SUB] = sub;
  handlers[ZYDIS_MNEMONIC_SBB] = sbb;
  handlers[ZYDIS_MNEMONIC_CMP] = cmp;
  handlers[ZYDIS_MNEMONIC_INC] = step<true>;
  handlers[ZYDIS_MNEMONIC_DEC] = step<false>;
  handlers[ZYDIS_MNEMONIC_NEG] = neg;
  handlers[ZYDIS_MNEMONIC_XADD] = xadd;
  handlers[ZYDIS_MNEMONIC_CMPXCHG] = cmpxchg;
  handlers[ZYDIS_MNEMONIC_CMPXCHG8B] = cmpxchg_pair<32>;
  handlers[ZYDIS_MNEMONIC_CMPXCHG16B] = cmpxchg_pair<64>;
  handlers[ZYDIS_MNEMONIC_ADCX] = add_with<Field::Cf>;
  handlers[ZYDIS_MNEMONIC_ADOX] = add_with<Field::Of>;
}

}  // namespace perfpact::lift
