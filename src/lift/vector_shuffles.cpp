// Lanes in another order, of two vectors, or narrower.
#include "lift/vector.h"

namespace perfpact::lift {
namespace {

using enum llvm::CmpInst::Predicate;

// The immediate's field for a lane: which of `choices` it is.
unsigned choice(const BlockLifter& block, unsigned operand, std::size_t lane, unsigned choices) {
  const auto field_bits = static_cast<unsigned>(std::countr_zero(choices));
  return (immediate(block, operand) >> (lane * field_bits)) & (choices - 1);
}

void shuffle_doublewords(BlockLifter& block) {
  const Lanes from = read_lanes(block, 1, 32);
  Lanes result;
  for (std::size_t i = 0; i < from.size(); ++i) result.push_back(from[choice(block, 2, i, 4)]);
  write_lanes(block, result);
}

// Words of one half; the other one is copied.
template <unsigned first>
void shuffle_words(BlockLifter& block) {
  const Lanes from = read_lanes(block, 1, 16);
  Lanes result = from;
  for (std::size_t i = 0; i < 4; ++i) result[first + i] = from[first + choice(block, 2, i, 4)];
  write_lanes(block, result);
}

void shuffle_bytes(BlockLifter& block) {
  auto& ir = block.ir();
  constexpr unsigned kIndexBits = 4, kLogByte = 3;
  Value const from = block.read(0);
  Lanes lanes = read_lanes(block, 1, 8);
  for (Value& lane : lanes) {
    Value const index = extend<false>(block, block.low(lane, kIndexBits), kVectorBits);
    Value const chosen = block.low(ir.CreateLShr(from, ir.CreateShl(index, kLogByte)), 8);
    lane = ir.CreateSelect(sign(block, lane), block.constant(8, 0), chosen);
  }
  write_lanes(block, lanes);
}

// shufps, shufpd: the low half from the first operand, the high one from the second.
template <unsigned bits>
void shuffle_two(BlockLifter& block) {
  const Lanes left = read_lanes(block, 0, bits);
  const Lanes right = read_lanes(block, 1, bits);
  const auto lanes = static_cast<unsigned>(left.size());
  Lanes result;
  for (unsigned i = 0; i < lanes; ++i)
    result.push_back((i < lanes / 2 ? left : right)[choice(block, 2, i, lanes)]);
  write_lanes(block, result);
}

enum class Half : std::uint8_t { Low, High };

template <unsigned bits, Half half>
void unpack(BlockLifter& block) {
  const Lanes left = read_lanes(block, 0, bits);
  const Lanes right = read_lanes(block, 1, bits);
  const std::size_t count = left.size() / 2;
  const std::size_t first = half == Half::Low ? 0 : count;
  Lanes result;
  for (std::size_t i = first; i < first + count; ++i) result.append({left[i], right[i]});
  write_lanes(block, result);
}

// Signed lanes to the nearest that half their bits can hold.
template <unsigned bits, bool to_signed>
void pack(BlockLifter& block) {
  constexpr unsigned kNarrow = bits / 2;
  const auto limit = [](const llvm::APInt& narrow) {
    return to_signed ? narrow.sext(bits) : narrow.zext(bits);
  };
  auto* const least = block.ir().getInt(
      limit(to_signed ? llvm::APInt::getSignedMinValue(kNarrow) : llvm::APInt::getMinValue(kNarrow)));
  auto* const greatest = block.ir().getInt(
      limit(to_signed ? llvm::APInt::getSignedMaxValue(kNarrow) : llvm::APInt::getMaxValue(kNarrow)));
  Lanes lanes = read_lanes(block, 0, bits);
  lanes.append(read_lanes(block, 1, bits));
  for (Value& lane : lanes) {
    Value const above = choose<ICMP_SGT>(block, lane, least);
    lane = block.low(choose<ICMP_SLT>(block, above, greatest), kNarrow);
  }
  write_lanes(block, lanes);
}

// palignr: the first operand above the second, shifted right by bytes.
void align_right(BlockLifter& block) {
  Value const high = block.read(0);
  Value const low = read_vector(block, 1);
  const unsigned steps = 8 * immediate(block, 2);
  if (steps >= 2 * kVectorBits) return block.write(0, block.constant_like(high, 0));
  Value const both = block.concat({low, high});
  Value const shifted = steps == 0 ? both : block.ir().CreateLShr(both, steps);
  block.write(0, block.low(shifted, kVectorBits));
}

template <unsigned bits>
void blend(BlockLifter& block) {
  Lanes lanes = read_lanes(block, 0, bits);
  const Lanes right = read_lanes(block, 1, bits);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (choice(block, 2, i, 2) != 0) lanes[i] = right[i];
  write_lanes(block, lanes);
}

// By the signs of xmm0.
template <unsigned bits>
void blend_by_signs(BlockLifter& block) {
  const Lanes mask = split(block, block.field(xmm(0)), bits);
  const Lanes right = read_lanes(block, 1, bits);
  Lanes lanes = read_lanes(block, 0, bits);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    lanes[i] = block.ir().CreateSelect(sign(block, mask[i]), right[i], lanes[i]);
  write_lanes(block, lanes);
}

void duplicate_low(BlockLifter& block) {
  Value const low = block.read(1, kVectorBits / 2);
  write_lanes(block, {low, low});
}

// movsldup, movshdup: the even, the odd lanes twice.
template <std::size_t which>
void duplicate_every_second(BlockLifter& block) {
  const Lanes from = read_lanes(block, 1, 32);
  write_lanes(block, {from[which], from[which], from[2 + which], from[2 + which]});
}

void add_unpacking(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_PUNPCKLBW] = unpack<8, Half::Low>;
  handlers[ZYDIS_MNEMONIC_PUNPCKLWD] = unpack<16, Half::Low>;
  handlers[ZYDIS_MNEMONIC_PUNPCKLDQ] = unpack<32, Half::Low>;
  handlers[ZYDIS_MNEMONIC_PUNPCKLQDQ] = unpack<64, Half::Low>;
  handlers[ZYDIS_MNEMONIC_PUNPCKHBW] = unpack<8, Half::High>;
  handlers[ZYDIS_MNEMONIC_PUNPCKHWD] = unpack<16, Half::High>;
  handlers[ZYDIS_MNEMONIC_PUNPCKHDQ] = unpack<32, Half::High>;
  handlers[ZYDIS_MNEMONIC_PUNPCKHQDQ] = unpack<64, Half::High>;
  handlers[ZYDIS_MNEMONIC_UNPCKLPS] = unpack<32, Half::Low>;
  handlers[ZYDIS_MNEMONIC_UNPCKLPD] = unpack<64, Half::Low>;
  handlers[ZYDIS_MNEMONIC_UNPCKHPS] = unpack<32, Half::High>;
  handlers[ZYDIS_MNEMONIC_UNPCKHPD] = unpack<64, Half::High>;
  handlers[ZYDIS_MNEMONIC_PACKSSWB] = pack<16, true>;
  handlers[ZYDIS_MNEMONIC_PACKSSDW] = pack<32, true>;
  handlers[ZYDIS_MNEMONIC_PACKUSWB] = pack<16, false>;
  handlers[ZYDIS_MNEMONIC_PACKUSDW] = pack<32, false>;
}

}  // namespace

void add_vector_shuffles(Handlers& handlers) {
  add_unpacking(handlers);
  handlers[ZYDIS_MNEMONIC_PSHUFD] = shuffle_doublewords;
  handlers[ZYDIS_MNEMONIC_PSHUFLW] = shuffle_words<0>;
  handlers[ZYDIS_MNEMONIC_PSHUFHW] = shuffle_words<4>;
  handlers[ZYDIS_MNEMONIC_PSHUFB] = shuffle_bytes;
  handlers[ZYDIS_MNEMONIC_SHUFPS] = shuffle_two<32>;
  handlers[ZYDIS_MNEMONIC_SHUFPD] = shuffle_two<64>;
  handlers[ZYDIS_MNEMONIC_PALIGNR] = align_right;
  handlers[ZYDIS_MNEMONIC_PBLENDW] = blend<16>;
  handlers[ZYDIS_MNEMONIC_BLENDPS] = blend<32>;
  handlers[ZYDIS_MNEMONIC_BLENDPD] = blend<64>;
  handlers[ZYDIS_MNEMONIC_PBLENDVB] = blend_by_signs<8>;
  handlers[ZYDIS_MNEMONIC_BLENDVPS] = blend_by_signs<32>;
  handlers[ZYDIS_MNEMONIC_BLENDVPD] = blend_by_signs<64>;
  handlers[ZYDIS_MNEMONIC_MOVDDUP] = duplicate_low;
  handlers[ZYDIS_MNEMONIC_MOVSLDUP] = duplicate_every_second<0>;
  handlers[ZYDIS_MNEMONIC_MOVSHDUP] = duplicate_every_second<1>;
}

}  // namespace perfpact::lift
