// Single lanes in and out of vectors, lanes that become wider.
#include "lift/vector.h"

namespace perfpact::lift {
namespace {

template <unsigned bits>
unsigned position(const BlockLifter& block) {
  constexpr unsigned kLanes = kVectorBits / bits;
  return immediate(block, 2) % kLanes * bits;
}

template <unsigned bits>
void insert(BlockLifter& block) {
  Value const lane = block.read(1, bits);
  block.write(0, block.replace(block.read(0), position<bits>(block), lane));
}

template <unsigned bits>
void extract(BlockLifter& block) {
  Value const lane = block.part(block.read(1), position<bits>(block), bits);
  block.write(0, block.is_memory(0) ? lane : extend<false>(block, lane, block.width()));
}

// insertps: bits 7 and 6 of the immediate say which lane of a register goes, 5 and 4 where to, the low ones
// which lanes are cleared.
void insert_and_clear(BlockLifter& block) {
  constexpr unsigned kLaneBits = 32, kMask = 3;
  const unsigned control = immediate(block, 2);
  Value const lane =
      block.is_memory(1) ? block.read(1, kLaneBits) : read_lanes(block, 1, kLaneBits)[control >> 6 & kMask];
  Lanes lanes = read_lanes(block, 0, kLaneBits);
  lanes[control >> 4 & kMask] = lane;
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if ((control >> i & 1) != 0) lanes[i] = block.constant(kLaneBits, 0);
  write_lanes(block, lanes);
}

template <bool is_signed, unsigned from, unsigned to>
void extend_lanes(BlockLifter& block) {
  Lanes lanes = split(block, block.read(1, kVectorBits / to * from), from);
  for (Value& lane : lanes) lane = extend<is_signed>(block, lane, to);
  write_lanes(block, lanes);
}

}  // namespace

void add_vector_lanes(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_PINSRB] = insert<8>;
  handlers[ZYDIS_MNEMONIC_PINSRW] = insert<16>;
  handlers[ZYDIS_MNEMONIC_PINSRD] = insert<32>;
  handlers[ZYDIS_MNEMONIC_PINSRQ] = insert<64>;
  handlers[ZYDIS_MNEMONIC_INSERTPS] = insert_and_clear;
  handlers[ZYDIS_MNEMONIC_PEXTRB] = extract<8>;
  handlers[ZYDIS_MNEMONIC_PEXTRW] = extract<16>;
  handlers[ZYDIS_MNEMONIC_PEXTRD] = extract<32>;
  handlers[ZYDIS_MNEMONIC_PEXTRQ] = extract<64>;
  handlers[ZYDIS_MNEMONIC_EXTRACTPS] = extract<32>;
  handlers[ZYDIS_MNEMONIC_PMOVSXBW] = extend_lanes<true, 8, 16>;
  handlers[ZYDIS_MNEMONIC_PMOVSXBD] = extend_lanes<true, 8, 32>;
  handlers[ZYDIS_MNEMONIC_PMOVSXBQ] = extend_lanes<true, 8, 64>;
  handlers[ZYDIS_MNEMONIC_PMOVSXWD] = extend_lanes<true, 16, 32>;
  handlers[ZYDIS_MNEMONIC_PMOVSXWQ] = extend_lanes<true, 16, 64>;
  handlers[ZYDIS_MNEMONIC_PMOVSXDQ] = extend_lanes<true, 32, 64>;
  handlers[ZYDIS_MNEMONIC_PMOVZXBW] = extend_lanes<false, 8, 16>;
  handlers[ZYDIS_MNEMONIC_PMOVZXBD] = extend_lanes<false, 8, 32>;
  handlers[ZYDIS_MNEMONIC_PMOVZXBQ] = extend_lanes<false, 8, 64>;
  handlers[ZYDIS_MNEMONIC_PMOVZXWD] = extend_lanes<false, 16, 32>;
  handlers[ZYDIS_MNEMONIC_PMOVZXWQ] = extend_lanes<false, 16, 64>;
  handlers[ZYDIS_MNEMONIC_PMOVZXDQ] = extend_lanes<false, 32, 64>;
}

}  // namespace perfpact::lift
