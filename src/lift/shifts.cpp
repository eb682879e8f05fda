// Shifts and rotations. By a count of 0 all flags stay as they are.
#include <algorithm>

#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

constexpr std::array kFlags{Field::Cf, Field::Parity, Field::Af, Field::Zf, Field::Sf, Field::Of};

// The count as the processor sees it, in the width of the value (at least 32 bits).
struct Count {
  Value value;
  Value is_zero;
  [[nodiscard]] bool never_zero() const {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(is_zero);
    return constant != nullptr && constant->isZero();
  }
  [[nodiscard]] bool always_zero() const {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(is_zero);
    return constant != nullptr && constant->isOne();
  }
};

unsigned working_width(unsigned width) {
  return std::max(width, 32U);
}

Count count_of(BlockLifter& block, Value given) {
  auto& ir = block.ir();
  const unsigned working = working_width(block.width());
  Value const masked = ir.CreateAnd(given, block.constant_like(given, working - 1));
  return {ir.CreateZExt(masked, block.integer(working)), block.is_zero(masked)};
}

Count count_operand(BlockLifter& block, unsigned number) {
  return count_of(block, block.read(number, 8));
}

Value count_like(BlockLifter& block, const Count& count, unsigned width) {
  return block.ir().CreateZExtOrTrunc(count.value, block.integer(width));
}

/// Runs `set`, which sets flags, and undoes what it did to them where the count is 0.
void set_unless_zero(BlockLifter& block, const Count& count, llvm::function_ref<void()> set) {
  if (count.always_zero()) return;
  if (count.never_zero()) return set();
  std::array<LazyValue, kFlags.size()> old;
  std::ranges::transform(kFlags, old.begin(), [&](Field field) { return block.lazy_flag(field); });
  set();
  for (std::size_t i = 0; i < kFlags.size(); ++i) {
    block.set_flag(kFlags[i], [&block, keep = old[i], made = block.lazy_flag(kFlags[i]), count] {
      Value const kept = keep();
      return block.ir().CreateSelect(count.is_zero, kept, made());
    });
  }
}

Value top_differs(BlockLifter& block, Value value) {
  return block.is_negative(block.ir().CreateXor(value, block.ir().CreateShl(value, 1)));
}

enum class Shift : std::uint8_t { Left, Right, Signed };

// The last bit shifted out.
template <Shift kind>
Value carry_of(BlockLifter& block, Value wide, const Count& count) {
  auto& ir = block.ir();
  if (kind != Shift::Left) {
    Value const one = block.constant_like(wide, 1);
    Value const before = ir.CreateSub(count.value, one);
    return block.low(kind == Shift::Signed ? ir.CreateAShr(wide, before) : ir.CreateLShr(wide, before), 1);
  }
  const unsigned width = block.width();
  if (width < BlockLifter::bits(wide)) return block.bit(ir.CreateShl(wide, count.value), width);
  return block.bit(wide, ir.CreateSub(block.constant_like(wide, width), count.value));
}

template <Shift kind>
Value shifted(BlockLifter& block, Value wide, Value count) {
  if (kind == Shift::Left) return block.ir().CreateShl(wide, count);
  return kind == Shift::Right ? block.ir().CreateLShr(wide, count) : block.ir().CreateAShr(wide, count);
}

template <Shift kind>
void shift(BlockLifter& block) {
  auto& ir = block.ir();
  Value const old = block.read(0);
  const Count count = count_operand(block, 1);
  auto* const working = block.integer(working_width(block.width()));
  Value const wide = kind == Shift::Signed ? ir.CreateSExt(old, working) : ir.CreateZExt(old, working);
  Value const result = block.low(shifted<kind>(block, wide, count.value), block.width());
  set_unless_zero(block, count, [&] {
    block.set_result_flags(result);
    block.set_flag(Field::Af, true);
    const LazyValue carry = [&block, wide, count] { return carry_of<kind>(block, wide, count); };
    block.set_flag(Field::Cf, carry);
    if (kind == Shift::Signed)
      block.set_flag(Field::Of, false);
    else if (kind == Shift::Right)
      block.set_flag(Field::Of, [&block, result] { return top_differs(block, result); });
    else
      block.set_flag(Field::Of, [&block, carry, result] {
        return block.ir().CreateXor(block.is_negative(result), carry());
      });
  });
  block.write(0, result);
}

// Rotations set carry and overflow only.
void set_rotation_flags(BlockLifter& block, const Count& count, LazyValue carry, LazyValue overflow) {
  set_unless_zero(block, count, [&] {
    block.set_flag(Field::Cf, std::move(carry));
    block.set_flag(Field::Of, std::move(overflow));
  });
}

template <bool is_left>
void rotate(BlockLifter& block) {
  auto& ir = block.ir();
  Value const old = block.read(0);
  const Count count = count_operand(block, 1);
  const auto id = is_left ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr;
  Value const result =
      ir.CreateIntrinsic(id, {old->getType()}, {old, old, count_like(block, count, block.width())});
  if (is_left) {
    const auto carry = [&block, result] { return block.bit(result, 0U); };
    set_rotation_flags(block, count, carry, [&block, result, carry] {
      return block.ir().CreateXor(block.is_negative(result), carry());
    });
  } else {
    set_rotation_flags(
        block, count, [&block, result] { return block.is_negative(result); },
        [&block, result] { return top_differs(block, result); });
  }
  block.write(0, result);
}

// Through the carry flag: a rotation of one bit more.
template <bool is_left>
void rotate_through_carry(BlockLifter& block) {
  auto& ir = block.ir();
  const unsigned width = block.width();
  auto* const whole = block.integer(width + 1);
  Value const old = block.read(0);
  const Count count = count_operand(block, 1);
  Value const carry = block.flag(Field::Cf);
  Value const joined =
      ir.CreateOr(ir.CreateShl(ir.CreateZExt(carry, whole), width), ir.CreateZExt(old, whole));
  // Counts reach beyond width + 1 in 8 and 16 bits.
  Value steps = count.value;
  if (width < BlockLifter::bits(steps)) steps = ir.CreateURem(steps, block.constant_like(steps, width + 1));
  steps = ir.CreateZExtOrTrunc(steps, whole);
  Value const rest = ir.CreateSub(block.constant_like(joined, width), steps);
  Value const one = block.constant_like(joined, 1);
  Value const turned =
      is_left ? ir.CreateOr(ir.CreateShl(joined, steps), ir.CreateLShr(ir.CreateLShr(joined, one), rest))
              : ir.CreateOr(ir.CreateLShr(joined, steps), ir.CreateShl(ir.CreateShl(joined, one), rest));
  Value const result = block.low(turned, width);
  set_rotation_flags(
      block, count, [&block, turned] { return block.is_negative(turned); },
      [&block, turned, result] { return is_left ? top_differs(block, turned) : top_differs(block, result); });
  block.write(0, result);
}

// shld and shrd: bits of the second operand follow those of the first.
template <bool is_left>
void shift_double(BlockLifter& block) {
  auto& ir = block.ir();
  const unsigned width = block.width();
  Value const old = block.read(0);
  Value const filling = block.read(1);
  const Count count = count_operand(block, 2);
  auto* const whole = block.integer(3 * width);
  // In 16 bits counts reach up to 31: the second operand follows once more.
  const auto place = [&](Value value, std::uint64_t at) {
    return ir.CreateShl(ir.CreateZExt(value, whole), at * width);
  };
  Value result = nullptr;
  if (width == 16) {
    Value const joined = ir.CreateOr(place(old, is_left ? 2 : 0),
                                     ir.CreateOr(place(filling, 1), place(filling, is_left ? 0 : 2)));
    Value const steps = count_like(block, count, 3 * width);
    result = is_left ? ir.CreateLShr(ir.CreateShl(joined, steps), std::uint64_t{2} * width)
                     : ir.CreateLShr(joined, steps);
    result = block.low(result, width);
  } else {
    const auto id = is_left ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr;
    result = is_left ? ir.CreateIntrinsic(id, {old->getType()}, {old, filling, count.value})
                     : ir.CreateIntrinsic(id, {old->getType()}, {filling, old, count.value});
  }
  set_unless_zero(block, count, [&] {
    block.set_result_flags(result);
    block.set_flag(Field::Af, true);
    // In 16 bits, for counts beyond, both are as if zeros had followed.
    const LazyValue carry = [&block, old, count, width] {
      auto& builder = block.ir();
      Value const value = builder.CreateZExt(old, count.value->getType());
      Value const position = is_left ? builder.CreateSub(block.constant_like(value, width), count.value)
                                     : builder.CreateSub(count.value, block.constant_like(value, 1));
      return block.bit(value, position);
    };
    block.set_flag(Field::Cf, carry);
    block.set_flag(Field::Of, [&block, carry, result, count, width] {
      auto& builder = block.ir();
      if (!is_left) return top_differs(block, result);
      Value top = block.is_negative(result);
      if (width == 16)
        top = builder.CreateAnd(top,
                                builder.CreateICmpULT(count.value, block.constant_like(count.value, width)));
      return builder.CreateXor(top, carry());
    });
  });
  block.write(0, result);
}

// shlx, shrx, sarx, rorx: without flags.
template <Shift kind>
void shift_only(BlockLifter& block) {
  const Count count = count_of(block, block.read(2));
  block.write(0, shifted<kind>(block, block.read(1), count.value));
}

void rorx(BlockLifter& block) {
  Value const value = block.read(1);
  block.write(0, block.ir().CreateIntrinsic(llvm::Intrinsic::fshr, {value->getType()},
                                            {value, value, block.read(2, block.width())}));
}

}  // namespace

void add_shifts(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_SHL] = shift<Shift::Left>;
  handlers[ZYDIS_MNEMONIC_SHR] = shift<Shift::Right>;
  handlers[ZYDIS_MNEMONIC_SAR] = shift<Shift::Signed>;
  handlers[ZYDIS_MNEMONIC_ROL] = rotate<true>;
  handlers[ZYDIS_MNEMONIC_ROR] = rotate<false>;
  handlers[ZYDIS_MNEMONIC_RCL] = rotate_through_carry<true>;
  handlers[ZYDIS_MNEMONIC_RCR] = rotate_through_carry<false>;
  handlers[ZYDIS_MNEMONIC_SHLD] = shift_double<true>;
  handlers[ZYDIS_MNEMONIC_SHRD] = shift_double<false>;
  handlers[ZYDIS_MNEMONIC_SHLX] = shift_only<Shift::Left>;
  handlers[ZYDIS_MNEMONIC_SHRX] = shift_only<Shift::Right>;
  handlers[ZYDIS_MNEMONIC_SARX] = shift_only<Shift::Signed>;
  handlers[ZYDIS_MNEMONIC_RORX] = rorx;
}

}  // namespace perfpact::lift
