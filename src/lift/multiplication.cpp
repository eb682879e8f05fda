// mul, imul, mulx, div, idiv.
#include <llvm/IR/PatternMatch.h>

#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

namespace pattern = llvm::PatternMatch;
using enum x86::Gpr;

template <bool is_signed>
Value widen(BlockLifter& block, Value value) {
  auto* const type = block.integer(2 * BlockLifter::bits(value));
  return is_signed ? block.ir().CreateSExt(value, type) : block.ir().CreateZExt(value, type);
}

template <bool is_signed>
Value wide_product(BlockLifter& block, Value left, Value right) {
  return block.ir().CreateMul(widen<is_signed>(block, left), widen<is_signed>(block, right));
}

Value high_half(BlockLifter& block, Value value) {
  const unsigned half = BlockLifter::bits(value) / 2;
  return block.low(block.ir().CreateLShr(value, half), half);
}

// Carry and overflow: the product does not fit in its low half. The other flags stay.
template <bool is_signed>
void set_product_flags(BlockLifter& block, Value left, Value right) {
  const LazyValue overflow = [&block, left, right] {
    Value const wide = wide_product<is_signed>(block, left, right);
    Value const cut = block.low(wide, BlockLifter::bits(left));
    return block.ir().CreateICmpNE(wide, widen<is_signed>(block, cut));
  };
  block.set_flag(Field::Cf, overflow);
  block.set_flag(Field::Of, overflow);
}

// Of 8 bits ax is the whole, otherwise d:a.
void write_pair(BlockLifter& block, Value low, Value high) {
  if (BlockLifter::bits(low) == 8) {
    block.write_register(ZYDIS_REGISTER_AL, low);
    return block.write_register(ZYDIS_REGISTER_AH, high);
  }
  block.write_gpr(Rax, low);
  block.write_gpr(Rdx, high);
}

template <bool is_signed>
void multiply(BlockLifter& block) {
  Value const left = block.read_gpr(Rax, block.width());
  Value const right = block.read(0);
  Value const product = wide_product<is_signed>(block, left, right);
  set_product_flags<is_signed>(block, left, right);
  write_pair(block, block.low(product, block.width()), high_half(block, product));
}

void imul(BlockLifter& block) {
  const unsigned operands = block.instruction().decoded.operand_count_visible;
  if (operands == 1) return multiply<true>(block);
  Value const left = block.read(operands - 2);
  Value const right = block.read(operands - 1);
  set_product_flags<true>(block, left, right);
  block.write(0, block.ir().CreateMul(left, right));
}

void mulx(BlockLifter& block) {
  Value const product = wide_product<false>(block, block.read_gpr(Rdx, block.width()), block.read(2));
  block.write(1, block.low(product, block.width()));
  block.write(0, high_half(block, product));
}

struct Dividend {
  Value high, low;
};

Dividend dividend(BlockLifter& block) {
  if (block.width() == 8)
    return {block.read_register(ZYDIS_REGISTER_AH), block.read_register(ZYDIS_REGISTER_AL)};
  return {block.read_gpr(Rdx, block.width()), block.read_gpr(Rax, block.width())};
}

Value join(BlockLifter& block, const Dividend& parts) {
  const unsigned half = BlockLifter::bits(parts.low);
  auto* const whole = block.integer(2 * half);
  return block.ir().CreateOr(block.ir().CreateShl(block.ir().CreateZExt(parts.high, whole), half),
                             block.ir().CreateZExt(parts.low, whole));
}

// Carry and overflow stay.
void set_quotient(BlockLifter& block, Value overflow, llvm::function_ref<Value()> quotient,
                  llvm::function_ref<Value()> remainder) {
  block.when(overflow, [&] { block.trap(Trap::DivideError); });
  block.set_flag(Field::Zf, false);
  block.set_flag(Field::Sf, false);
  block.set_flag(Field::Af, true);
  block.set_parity(block.ir().getFalse());
  Value const first = quotient();
  write_pair(block, first, remainder());
}

// A high half that cannot matter spares a division of twice the width.
void div(BlockLifter& block) {
  auto& ir = block.ir();
  const Dividend parts = dividend(block);
  Value const divisor = block.read(0);
  if (pattern::match(parts.high, pattern::m_Zero()))
    return set_quotient(
        block, block.is_zero(divisor), [&] { return ir.CreateUDiv(parts.low, divisor); },
        [&] { return ir.CreateURem(parts.low, divisor); });
  // Division by zero is among these.
  Value const overflow = ir.CreateICmpUGE(parts.high, divisor);
  const auto half = [&](llvm::Instruction::BinaryOps operation) {
    Value const wide = ir.CreateBinOp(operation, join(block, parts), widen<false>(block, divisor));
    return block.low(wide, block.width());
  };
  set_quotient(
      block, overflow, [&] { return half(llvm::Instruction::UDiv); },
      [&] { return half(llvm::Instruction::URem); });
}

void idiv(BlockLifter& block) {
  auto& ir = block.ir();
  const Dividend parts = dividend(block);
  const unsigned width = block.width();
  Value const divisor = block.read(0);
  if (pattern::match(parts.high,
                     pattern::m_AShr(pattern::m_Specific(parts.low), pattern::m_SpecificInt(width - 1)))) {
    auto* const least = ir.getInt(llvm::APInt::getSignedMinValue(width));
    Value const wraps = ir.CreateAnd(ir.CreateICmpEQ(parts.low, least),
                                     ir.CreateICmpEQ(divisor, block.constant_like(divisor, -1)));
    return set_quotient(
        block, ir.CreateOr(block.is_zero(divisor), wraps), [&] { return ir.CreateSDiv(parts.low, divisor); },
        [&] { return ir.CreateSRem(parts.low, divisor); });
  }
  block.when(block.is_zero(divisor), [&] { block.trap(Trap::DivideError); });
  Value const whole = join(block, parts);
  Value const by = widen<true>(block, divisor);
  // The one division whose quotient has no value even in twice the width.
  Value const wraps =
      ir.CreateAnd(ir.CreateICmpEQ(whole, ir.getInt(llvm::APInt::getSignedMinValue(2 * width))),
                   ir.CreateICmpEQ(by, block.constant_like(by, -1)));
  block.when(wraps, [&] { block.trap(Trap::DivideError); });
  Value const quotient = ir.CreateSDiv(whole, by);
  Value const cut = block.low(quotient, width);
  set_quotient(
      block, ir.CreateICmpNE(quotient, widen<true>(block, cut)), [&] { return cut; },
      [&] { return block.low(ir.CreateSRem(whole, by), width); });
}

}  // namespace

void add_multiplication(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_MUL] = multiply<false>;
  handlers[ZYDIS_MNEMONIC_IMUL] = imul;
  handlers[ZYDIS_MNEMONIC_MULX] = mulx;
  handlers[ZYDIS_MNEMONIC_DIV] = div;
  handlers[ZYDIS_MNEMONIC_IDIV] = idiv;
}

}  // namespace perfpact::lift
