#include "lift/vector.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include <bit>

namespace perfpact::lift {
namespace {

namespace pattern = llvm::PatternMatch;
constexpr unsigned kAlignedZeros = std::countr_zero(kVectorBits / 8);

}  // namespace

void require_alignment(BlockLifter& block, unsigned number) {
  if (!block.is_memory(number)) return;
  Value const address = block.address(number);
  const llvm::DataLayout& layout = block.ir().GetInsertBlock()->getModule()->getDataLayout();
  if (llvm::computeKnownBits(address, layout).countMinTrailingZeros() >= kAlignedZeros) return;
  Value const is_odd = block.ir().CreateNot(block.is_zero(block.low(address, kAlignedZeros)));
  block.when(is_odd, [&] { block.trap(Trap::Misaligned); });
}

Value read_vector(BlockLifter& block, unsigned number) {
  require_alignment(block, number);
  return block.read(number, kVectorBits);
}

Lanes split(BlockLifter& block, Value vector, unsigned bits) {
  Lanes lanes;
  for (unsigned position = 0; position < BlockLifter::bits(vector); position += bits)
    lanes.push_back(block.part(vector, position, bits));
  return lanes;
}

Lanes read_lanes(BlockLifter& block, unsigned number, unsigned bits) {
  return split(block, read_vector(block, number), bits);
}

void write_lanes(BlockLifter& block, const Lanes& lanes) {
  block.write(0, block.concat(lanes));
}

Value sign(BlockLifter& block, Value lane) {
  Value made = nullptr;
  if (pattern::match(lane, pattern::m_SExt(pattern::m_Value(made))) && BlockLifter::bits(made) == 1)
    return made;
  return block.is_negative(lane);
}

unsigned immediate(const BlockLifter& block, unsigned number) {
  return static_cast<std::uint8_t>(block.operand(number).imm.value.u);
}

}  // namespace perfpact::lift
