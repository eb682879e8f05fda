// Computations: core's operations are total, LLVM's are not.
#include <llvm/IR/Intrinsics.h>

#include "base/check.h"
#include "p4/ir/lowering.h"

namespace perfpact::p4::ir {

using core::Op;

void ProcedureLowering::execute(const core::Compute& instruction) {
  if (module_.width_of(instruction.to) == 0) return;
  write(instruction.to, compute(instruction));
}

// The amount has a width of its own; from the width of the value on, all is shifted out.
llvm::Value* ProcedureLowering::shift(const core::Compute& compute) {
  llvm::Value* shifted = value(compute.from[0]);
  llvm::Value* amount = value(compute.from[1]);
  const std::uint32_t width = compute.from[0].width;
  const std::uint32_t wide = std::max({width, compute.from[1].width, 32U});
  llvm::Value* wide_amount = fit(amount, wide);
  llvm::Value* is_out = builder_.CreateICmpUGE(
      wide_amount, llvm::ConstantInt::get(module_.integer(wide), llvm::APInt(wide, width)));
  if (compute.op == Op::ShiftRightSigned) {
    llvm::Value* most = constant(width, width - 1);
    return builder_.CreateAShr(shifted, builder_.CreateSelect(is_out, most, fit(wide_amount, width)));
  }
  llvm::Value* safe = builder_.CreateSelect(is_out, constant(width, 0), fit(wide_amount, width));
  llvm::Value* result =
      compute.op == Op::ShiftLeft ? builder_.CreateShl(shifted, safe) : builder_.CreateLShr(shifted, safe);
  return builder_.CreateSelect(is_out, constant(width, 0), result);
}

llvm::Value* ProcedureLowering::divide(const core::Compute& compute) {
  llvm::Value* dividend = value(compute.from[0]);
  llvm::Value* divisor = value(compute.from[1]);
  const std::uint32_t width = compute.from[0].width;
  llvm::Value* is_zero = builder_.CreateICmpEQ(divisor, constant(width, 0));
  llvm::Value* safe = builder_.CreateSelect(is_zero, constant(width, 1), divisor);
  llvm::Value* result =
      compute.op == Op::Div ? builder_.CreateUDiv(dividend, safe) : builder_.CreateURem(dividend, safe);
  return builder_.CreateSelect(is_zero, constant(width, 0), result);
}

llvm::Value* ProcedureLowering::concatenate(llvm::Value* high, std::uint32_t high_width, llvm::Value* low,
                                            std::uint32_t low_width) {
  if (high_width == 0) return low;
  if (low_width == 0) return high;
  const std::uint32_t width = high_width + low_width;
  llvm::Value* shifted = builder_.CreateShl(
      fit(high, width), llvm::ConstantInt::get(module_.integer(width), llvm::APInt(width, low_width)));
  return builder_.CreateOr(shifted, fit(low, width));
}

llvm::Value* ProcedureLowering::compute(const core::Compute& compute) {
  const std::uint32_t width = module_.width_of(compute.to);
  const auto operand = [&](std::size_t i) { return value(compute.from[i]); };
  const auto binary = [&](llvm::Intrinsic::ID id) {
    return builder_.CreateBinaryIntrinsic(id, operand(0), operand(1));
  };
  const auto amount = [&](std::uint32_t bits, std::uint32_t by) {
    return llvm::ConstantInt::get(module_.integer(bits), llvm::APInt(program::ir::bits_of_value(bits), by));
  };
  switch (compute.op) {
    case Op::Copy:
      return operand(0);
    case Op::Not:
      return builder_.CreateNot(operand(0));
    case Op::Negate:
      return builder_.CreateNeg(operand(0));
    case Op::Add:
      return builder_.CreateAdd(operand(0), operand(1));
    case Op::Sub:
      return builder_.CreateSub(operand(0), operand(1));
    case Op::Mul:
      return builder_.CreateMul(operand(0), operand(1));
    case Op::Div:
    case Op::Mod:
      return divide(compute);
    case Op::AddSat:
      return binary(llvm::Intrinsic::uadd_sat);
    case Op::SubSat:
      return binary(llvm::Intrinsic::usub_sat);
    case Op::AddSatSigned:
      return binary(llvm::Intrinsic::sadd_sat);
    case Op::SubSatSigned:
      return binary(llvm::Intrinsic::ssub_sat);
    case Op::And:
      return builder_.CreateAnd(operand(0), operand(1));
    case Op::Or:
      return builder_.CreateOr(operand(0), operand(1));
    case Op::Xor:
      return builder_.CreateXor(operand(0), operand(1));
    case Op::ShiftLeft:
    case Op::ShiftRight:
    case Op::ShiftRightSigned:
      return shift(compute);
    case Op::Equal:
      return builder_.CreateICmpEQ(operand(0), operand(1));
    case Op::NotEqual:
      return builder_.CreateICmpNE(operand(0), operand(1));
    case Op::Less:
      return builder_.CreateICmpULT(operand(0), operand(1));
    case Op::LessEqual:
      return builder_.CreateICmpULE(operand(0), operand(1));
    case Op::LessSigned:
      return builder_.CreateICmpSLT(operand(0), operand(1));
    case Op::LessEqualSigned:
      return builder_.CreateICmpSLE(operand(0), operand(1));
    case Op::Concat:
      return concatenate(operand(0), compute.from[0].width, operand(1), compute.from[1].width);
    case Op::Extract:
      return fit(builder_.CreateLShr(operand(0), amount(compute.from[0].width, compute.low)), width);
    case Op::Insert: {
      const std::uint32_t slice = compute.high - compute.low + 1;
      const llvm::APInt kept = ~llvm::APInt::getBitsSet(width, compute.low, compute.low + slice);
      llvm::Value* rest =
          builder_.CreateAnd(operand(0), llvm::ConstantInt::get(module_.integer(width), kept));
      return builder_.CreateOr(rest, builder_.CreateShl(fit(operand(1), width), amount(width, compute.low)));
    }
    case Op::ZeroExtend:
    case Op::Truncate:
      return fit(operand(0), width);
    case Op::SignExtend:
      return compute.from[0].width == 0 ? constant(width, 0)
                                        : builder_.CreateSExt(operand(0), module_.integer(width));
    case Op::Choose:
      return builder_.CreateSelect(operand(0), operand(1), operand(2));
  }
  PERFPACT_CHECK(false, "no operation {}", static_cast<int>(compute.op));
  return nullptr;
}

}  // namespace perfpact::p4::ir
