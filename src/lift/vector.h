// What the families of vector instructions (vector_*.cpp) share. A vector is an integer of 128 bits; lanes
// are cut out of it, computed one by one and put together again.
#pragma once
#include "lift/lifting.h"

namespace perfpact::lift {

inline constexpr unsigned kVectorBits = 128;
using Lanes = llvm::SmallVector<Value, 16>;  // the lowest first

/// A vector operand. Memory is to be aligned; otherwise the instruction traps.
[[nodiscard]] Value read_vector(BlockLifter& block, unsigned number);
[[nodiscard]] Lanes split(BlockLifter& block, Value vector, unsigned bits);
[[nodiscard]] Lanes read_lanes(BlockLifter& block, unsigned number, unsigned bits);
/// To the first operand.
void write_lanes(BlockLifter& block, const Lanes& lanes);
/// Traps where the operand is memory whose address is no multiple of 16.
void require_alignment(BlockLifter& block, unsigned number);
/// The lane's highest bit: what a comparison found, where one made the lane.
[[nodiscard]] Value sign(BlockLifter& block, Value lane);
/// An immediate of 8 bits.
[[nodiscard]] unsigned immediate(const BlockLifter& block, unsigned number);

using LaneOperation = Value (*)(BlockLifter& block, Value left, Value right);

/// The first operand's lanes with the second's.
template <unsigned bits, LaneOperation operation>
void lanewise(BlockLifter& block) {
  const Lanes left = read_lanes(block, 0, bits);
  const Lanes right = read_lanes(block, 1, bits);
  Lanes result;
  for (std::size_t i = 0; i < left.size(); ++i) result.push_back(operation(block, left[i], right[i]));
  write_lanes(block, result);
}

using OneLaneOperation = Value (*)(BlockLifter& block, Value lane);

/// Of the second operand's lanes.
template <unsigned bits, OneLaneOperation operation>
void each_lane(BlockLifter& block) {
  Lanes lanes = read_lanes(block, 1, bits);
  for (Value& lane : lanes) lane = operation(block, lane);
  write_lanes(block, lanes);
}

template <bool is_signed>
[[nodiscard]] Value extend(BlockLifter& block, Value value, unsigned bits) {
  auto* const type = block.integer(bits);
  return is_signed ? block.ir().CreateSExt(value, type) : block.ir().CreateZExt(value, type);
}

/// The left one where it compares so with the right one, else the right one.
template <llvm::CmpInst::Predicate predicate>
[[nodiscard]] Value choose(BlockLifter& block, Value left, Value right) {
  return block.ir().CreateSelect(block.ir().CreateICmp(predicate, left, right), left, right);
}

}  // namespace perfpact::lift
