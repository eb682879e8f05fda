// Products of lanes, and sums of them.
#include "lift/vector.h"

namespace perfpact::lift {
namespace {

template <bool is_left_signed, bool is_right_signed>
Value product(BlockLifter& block, Value left, Value right) {
  const unsigned wide = 2 * BlockLifter::bits(left);
  return block.ir().CreateMul(extend<is_left_signed>(block, left, wide),
                              extend<is_right_signed>(block, right, wide));
}

Value low_product(BlockLifter& block, Value left, Value right) {
  return block.ir().CreateMul(left, right);
}

template <bool is_signed>
Value high_product(BlockLifter& block, Value left, Value right) {
  const unsigned bits = BlockLifter::bits(left);
  return block.part(product<is_signed, is_signed>(block, left, right), bits, bits);
}

// pmulhrsw: the high bits, rounded.
Value rounded_product(BlockLifter& block, Value left, Value right) {
  auto& ir = block.ir();
  Value const fraction = ir.CreateLShr(product<true, true>(block, left, right), 14);
  return block.part(ir.CreateAdd(fraction, block.constant_like(fraction, 1)), 1, 16);
}

// pmuludq, pmuldq: the even lanes.
template <bool is_signed>
Value product_of_low_half(BlockLifter& block, Value left, Value right) {
  const unsigned half = BlockLifter::bits(left) / 2;
  return product<is_signed, is_signed>(block, block.low(left, half), block.low(right, half));
}

// pmaddwd, pmaddubsw: products of neighbours.
template <unsigned bits, bool is_left_signed, bool is_saturated>
void add_products(BlockLifter& block) {
  auto& ir = block.ir();
  const Lanes left = read_lanes(block, 0, bits);
  const Lanes right = read_lanes(block, 1, bits);
  const auto at = [&](std::size_t i) { return product<is_left_signed, true>(block, left[i], right[i]); };
  Lanes sums;
  for (std::size_t i = 0; i < left.size(); i += 2) {
    Value const first = at(i);
    Value const second = at(i + 1);
    sums.push_back(is_saturated ? ir.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, first, second)
                                : ir.CreateAdd(first, second));
  }
  write_lanes(block, sums);
}

}  // namespace

void add_vector_multiplication(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_PMULLW] = lanewise<16, low_product>;
  handlers[ZYDIS_MNEMONIC_PMULLD] = lanewise<32, low_product>;
  handlers[ZYDIS_MNEMONIC_PMULHW] = lanewise<16, high_product<true>>;
  handlers[ZYDIS_MNEMONIC_PMULHUW] = lanewise<16, high_product<false>>;
  handlers[ZYDIS_MNEMONIC_PMULHRSW] = lanewise<16, rounded_product>;
  handlers[ZYDIS_MNEMONIC_PMULUDQ] = lanewise<64, product_of_low_half<false>>;
  handlers[ZYDIS_MNEMONIC_PMULDQ] = lanewise<64, product_of_low_half<true>>;
  handlers[ZYDIS_MNEMONIC_PMADDWD] = add_products<16, true, false>;
  handlers[ZYDIS_MNEMONIC_PMADDUBSW] = add_products<8, false, true>;
}

}  // namespace perfpact::lift
