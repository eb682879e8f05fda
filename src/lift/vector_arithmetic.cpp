// Sums, differences, averages, signs, extremes; pairs side by side.
#include "lift/vector.h"

namespace perfpact::lift {
namespace {

using enum llvm::CmpInst::Predicate;
constexpr auto kAdd = llvm::Instruction::Add, kSub = llvm::Instruction::Sub;

template <llvm::Instruction::BinaryOps operation>
Value compute(BlockLifter& block, Value left, Value right) {
  return block.ir().CreateBinOp(operation, left, right);
}

template <llvm::Intrinsic::ID operation>
Value saturate(BlockLifter& block, Value left, Value right) {
  return block.ir().CreateBinaryIntrinsic(operation, left, right);
}

Value average(BlockLifter& block, Value left, Value right) {
  auto& ir = block.ir();
  const unsigned wide = BlockLifter::bits(left) + 1;
  Value const sum = ir.CreateAdd(extend<false>(block, left, wide), extend<false>(block, right, wide));
  return block.low(ir.CreateLShr(ir.CreateAdd(sum, block.constant_like(sum, 1)), 1), wide - 1);
}

Value absolute(BlockLifter& block, Value lane) {
  return block.ir().CreateSelect(block.is_negative(lane), block.ir().CreateNeg(lane), lane);
}

// The left one with the right one's sign.
Value apply_sign(BlockLifter& block, Value left, Value right) {
  auto& ir = block.ir();
  Value const unless_negative = ir.CreateSelect(block.is_zero(right), block.constant_like(left, 0), left);
  return ir.CreateSelect(block.is_negative(right), ir.CreateNeg(left), unless_negative);
}

// Neighbours, the first operand's before the second's.
template <unsigned bits, LaneOperation operation>
void pairwise(BlockLifter& block) {
  Lanes lanes = read_lanes(block, 0, bits);
  lanes.append(read_lanes(block, 1, bits));
  Lanes result;
  for (std::size_t i = 0; i < lanes.size(); i += 2)
    result.push_back(operation(block, lanes[i], lanes[i + 1]));
  write_lanes(block, result);
}

// Of each half: the sum of the bytes' distances.
void sum_distances(BlockLifter& block) {
  auto& ir = block.ir();
  constexpr std::size_t kBytesInHalf = 8;
  const Lanes left = read_lanes(block, 0, 8);
  const Lanes right = read_lanes(block, 1, 8);
  Lanes result;
  for (std::size_t half = 0; half < left.size(); half += kBytesInHalf) {
    Value sum = block.constant(16, 0);
    for (std::size_t i = half; i < half + kBytesInHalf; ++i) {
      Value const is_less = ir.CreateICmpULT(left[i], right[i]);
      Value const distance =
          ir.CreateSelect(is_less, ir.CreateSub(right[i], left[i]), ir.CreateSub(left[i], right[i]));
      sum = ir.CreateAdd(sum, extend<false>(block, distance, 16));
    }
    result.push_back(extend<false>(block, sum, kVectorBits / 2));
  }
  write_lanes(block, result);
}

// phminposuw: the first of the least, and its number.
void find_least(BlockLifter& block) {
  auto& ir = block.ir();
  const Lanes lanes = read_lanes(block, 1, 16);
  Value least = lanes[0];
  Value place = block.constant(16, 0);
  for (std::size_t i = 1; i < lanes.size(); ++i) {
    Value const is_less = ir.CreateICmpULT(lanes[i], least);
    least = ir.CreateSelect(is_less, lanes[i], least);
    place = ir.CreateSelect(is_less, block.constant(16, i), place);
  }
  write_lanes(block, {least, place, block.constant(kVectorBits - 32, 0)});
}

void add_sums(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_PADDB] = lanewise<8, compute<kAdd>>;
  handlers[ZYDIS_MNEMONIC_PADDW] = lanewise<16, compute<kAdd>>;
  handlers[ZYDIS_MNEMONIC_PADDD] = lanewise<32, compute<kAdd>>;
  handlers[ZYDIS_MNEMONIC_PADDQ] = lanewise<64, compute<kAdd>>;
  handlers[ZYDIS_MNEMONIC_PSUBB] = lanewise<8, compute<kSub>>;
  handlers[ZYDIS_MNEMONIC_PSUBW] = lanewise<16, compute<kSub>>;
  handlers[ZYDIS_MNEMONIC_PSUBD] = lanewise<32, compute<kSub>>;
  handlers[ZYDIS_MNEMONIC_PSUBQ] = lanewise<64, compute<kSub>>;
  handlers[ZYDIS_MNEMONIC_PADDSB] = lanewise<8, saturate<llvm::Intrinsic::sadd_sat>>;
  handlers[ZYDIS_MNEMONIC_PADDSW] = lanewise<16, saturate<llvm::Intrinsic::sadd_sat>>;
  handlers[ZYDIS_MNEMONIC_PADDUSB] = lanewise<8, saturate<llvm::Intrinsic::uadd_sat>>;
  handlers[ZYDIS_MNEMONIC_PADDUSW] = lanewise<16, saturate<llvm::Intrinsic::uadd_sat>>;
  handlers[ZYDIS_MNEMONIC_PSUBSB] = lanewise<8, saturate<llvm::Intrinsic::ssub_sat>>;
  handlers[ZYDIS_MNEMONIC_PSUBSW] = lanewise<16, saturate<llvm::Intrinsic::ssub_sat>>;
  handlers[ZYDIS_MNEMONIC_PSUBUSB] = lanewise<8, saturate<llvm::Intrinsic::usub_sat>>;
  handlers[ZYDIS_MNEMONIC_PSUBUSW] = lanewise<16, saturate<llvm::Intrinsic::usub_sat>>;
  handlers[ZYDIS_MNEMONIC_PHADDW] = pairwise<16, compute<kAdd>>;
  handlers[ZYDIS_MNEMONIC_PHADDD] = pairwise<32, compute<kAdd>>;
  handlers[ZYDIS_MNEMONIC_PHADDSW] = pairwise<16, saturate<llvm::Intrinsic::sadd_sat>>;
  handlers[ZYDIS_MNEMONIC_PHSUBW] = pairwise<16, compute<kSub>>;
  handlers[ZYDIS_MNEMONIC_PHSUBD] = pairwise<32, compute<kSub>>;
  handlers[ZYDIS_MNEMONIC_PHSUBSW] = pairwise<16, saturate<llvm::Intrinsic::ssub_sat>>;
  handlers[ZYDIS_MNEMONIC_PSADBW] = sum_distances;
}

void add_extremes(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_PMINUB] = lanewise<8, choose<ICMP_ULT>>;
  handlers[ZYDIS_MNEMONIC_PMINUW] = lanewise<16, choose<ICMP_ULT>>;
  handlers[ZYDIS_MNEMONIC_PMINUD] = lanewise<32, choose<ICMP_ULT>>;
  handlers[ZYDIS_MNEMONIC_PMINSB] = lanewise<8, choose<ICMP_SLT>>;
  handlers[ZYDIS_MNEMONIC_PMINSW] = lanewise<16, choose<ICMP_SLT>>;
  handlers[ZYDIS_MNEMONIC_PMINSD] = lanewise<32, choose<ICMP_SLT>>;
  handlers[ZYDIS_MNEMONIC_PMAXUB] = lanewise<8, choose<ICMP_UGT>>;
  handlers[ZYDIS_MNEMONIC_PMAXUW] = lanewise<16, choose<ICMP_UGT>>;
  handlers[ZYDIS_MNEMONIC_PMAXUD] = lanewise<32, choose<ICMP_UGT>>;
  handlers[ZYDIS_MNEMONIC_PMAXSB] = lanewise<8, choose<ICMP_SGT>>;
  handlers[ZYDIS_MNEMONIC_PMAXSW] = lanewise<16, choose<ICMP_SGT>>;
  handlers[ZYDIS_MNEMONIC_PMAXSD] = lanewise<32, choose<ICMP_SGT>>;
  handlers[ZYDIS_MNEMONIC_PHMINPOSUW] = find_least;
}

}  // namespace

void add_vector_arithmetic(Handlers& handlers) {
  add_sums(handlers);
  add_extremes(handlers);
  handlers[ZYDIS_MNEMONIC_PAVGB] = lanewise<8, average>;
  handlers[ZYDIS_MNEMONIC_PAVGW] = lanewise<16, average>;
  handlers[ZYDIS_MNEMONIC_PABSB] = each_lane<8, absolute>;
  handlers[ZYDIS_MNEMONIC_PABSW] = each_lane<16, absolute>;
  handlers[ZYDIS_MNEMONIC_PABSD] = each_lane<32, absolute>;
  handlers[ZYDIS_MNEMONIC_PSIGNB] = lanewise<8, apply_sign>;
  handlers[ZYDIS_MNEMONIC_PSIGNW] = lanewise<16, apply_sign>;
  handlers[ZYDIS_MNEMONIC_PSIGND] = lanewise<32, apply_sign>;
}

}  // namespace perfpact::lift
