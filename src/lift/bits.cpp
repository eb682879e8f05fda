// Single bits, counts of bits, checksums.
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

enum class BitChange : std::uint8_t { None, Set, Reset, Complement };

template <BitChange change>
Value changed(BlockLifter& block, Value value, Value mask) {
  auto& ir = block.ir();
  switch (change) {
    case BitChange::Set:
      return ir.CreateOr(value, mask);
    case BitChange::Reset:
      return ir.CreateAnd(value, ir.CreateNot(mask));
    case BitChange::Complement:
      return ir.CreateXor(value, mask);
    default:
      return value;
  }
}

// A register's bit offset reaches beyond a memory operand, in units of its width.
Value address_of_bit(BlockLifter& block, Value offset) {
  if (!block.is_register(1)) return block.address(0);
  auto& ir = block.ir();
  const unsigned width = block.width();
  Value const units = ir.CreateAShr(offset, std::countr_zero(width));
  Value const bytes = ir.CreateMul(ir.CreateSExt(units, block.integer(64)), block.constant(64, width / 8));
  return block.address(0, bytes);
}

template <BitChange change>
void bit_test(BlockLifter& block) {
  auto& ir = block.ir();
  Value const offset = block.read(1);
  Value const place = block.is_memory(0) ? address_of_bit(block, offset) : nullptr;
  Value const old = place != nullptr ? block.load(place, block.width()) : block.read(0);
  Value const position = ir.CreateAnd(offset, block.constant_like(offset, block.width() - 1));
  Value const result = changed<change>(block, old, ir.CreateShl(block.constant_like(old, 1), position));
  block.set_flag(Field::Cf, block.bit(old, position));
  if (change == BitChange::None) return;
  if (place != nullptr)
    block.store(place, result);
  else
    block.write(0, result);
}

Value count_zeros(BlockLifter& block, llvm::Intrinsic::ID id, Value value) {
  return block.ir().CreateBinaryIntrinsic(id, value, block.ir().getFalse());
}

// Of 0 the destination stays, upper half included.
template <bool is_forward>
void scan(BlockLifter& block) {
  auto& ir = block.ir();
  Value const source = block.read(1);
  Value const is_zero = block.is_zero(source);
  Value place = count_zeros(block, is_forward ? llvm::Intrinsic::cttz : llvm::Intrinsic::ctlz, source);
  if (!is_forward) place = ir.CreateXor(place, block.constant_like(place, block.width() - 1));
  block.set_logic_flags(ir.CreateSelect(is_zero, block.constant_like(place, 0), place));
  block.set_flag(Field::Zf, is_zero);
  block.set_flag(Field::Sf, false);
  block.write_where(ir.CreateNot(is_zero), 0, place);
}

template <llvm::Intrinsic::ID id>
void count(BlockLifter& block) {
  Value const source = block.read(1);
  Value const result = count_zeros(block, id, source);
  block.set_flag(Field::Cf, block.is_zero(source));
  block.set_flag(Field::Zf, block.is_zero(result));
  block.set_flag(Field::Sf, false);
  block.set_flag(Field::Af, false);
  block.set_parity(block.ir().getFalse());
  block.write(0, result);
}

void popcnt(BlockLifter& block) {
  Value const source = block.read(1);
  block.set_logic_flags(source);
  block.set_flag(Field::Sf, false);
  block.set_parity(block.ir().getFalse());
  block.write(0, block.unary(llvm::Intrinsic::ctpop, source));
}

Value minus_one(BlockLifter& block, Value value) {
  return block.ir().CreateSub(value, block.constant_like(value, 1));
}

// The lowest set bit: alone, up to it, without it.
enum class Lowest : std::uint8_t { Isolate, Mask, Reset };

template <Lowest kind>
void lowest(BlockLifter& block) {
  auto& ir = block.ir();
  Value const source = block.read(1);
  Value result = nullptr;
  if (kind == Lowest::Isolate) result = ir.CreateAnd(source, ir.CreateNeg(source));
  if (kind == Lowest::Mask) result = ir.CreateXor(source, minus_one(block, source));
  if (kind == Lowest::Reset) result = ir.CreateAnd(source, minus_one(block, source));
  block.set_logic_flags(result);
  block.set_flag(Field::Cf,
                 kind == Lowest::Isolate ? ir.CreateNot(block.is_zero(source)) : block.is_zero(source));
  block.write(0, result);
}

// All ones below the position; all of them where it is beyond the width.
Value ones_below(BlockLifter& block, Value position) {
  auto& ir = block.ir();
  const unsigned width = BlockLifter::bits(position);
  Value const inside = ir.CreateICmpULT(position, block.constant_like(position, width));
  Value const mask = ir.CreateNot(ir.CreateShl(block.constant_like(position, -1), position));
  return ir.CreateSelect(inside, mask, block.constant_like(position, -1));
}

void bzhi(BlockLifter& block) {
  auto& ir = block.ir();
  Value const source = block.read(1);
  Value const position = ir.CreateZExt(block.low(block.read(2), 8), source->getType());
  Value const result = ir.CreateAnd(source, ones_below(block, position));
  block.set_logic_flags(result);
  block.set_flag(Field::Cf, ir.CreateICmpUGE(position, block.constant_like(position, block.width())));
  block.write(0, result);
}

void bextr(BlockLifter& block) {
  auto& ir = block.ir();
  Value const source = block.read(1);
  Value const control = block.read(2);
  constexpr unsigned kByte = 8;
  const auto byte = [&](std::uint64_t number) {
    return ir.CreateZExt(block.low(ir.CreateLShr(control, number * kByte), kByte), source->getType());
  };
  Value const start = byte(0);
  Value const inside = ir.CreateICmpULT(start, block.constant_like(start, block.width()));
  Value const rest = ir.CreateSelect(inside, ir.CreateLShr(source, start), block.constant_like(source, 0));
  Value const result = ir.CreateAnd(rest, ones_below(block, byte(1)));
  block.set_logic_flags(result);
  block.set_flag(Field::Af, true);
  block.set_flag(Field::Sf, false);
  block.write(0, result);
}

// CRC-32C, reflected (Intel SDM, CRC32).
void crc32(BlockLifter& block) {
  auto& ir = block.ir();
  constexpr std::uint64_t kPolynomial = 0x82f63b78;
  const unsigned data_bits = block.width(1);
  const unsigned working = std::max(data_bits, 32U);
  Value rest = ir.CreateXor(ir.CreateZExt(block.read(0, 32), block.integer(working)),
                            ir.CreateZExt(block.read(1), block.integer(working)));
  Value const polynomial = block.constant(working, kPolynomial);
  for (unsigned i = 0; i < data_bits; ++i) {
    Value const is_odd = block.low(rest, 1);
    Value const half = ir.CreateLShr(rest, 1);
    rest = ir.CreateSelect(is_odd, ir.CreateXor(half, polynomial), half);
  }
  block.write(0, ir.CreateZExt(block.low(rest, 32), block.integer(block.width())));
}

}  // namespace

void add_bits(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_BT] = bit_test<BitChange::None>;
  handlers[ZYDIS_MNEMONIC_BTS] = bit_test<BitChange::Set>;
  handlers[ZYDIS_MNEMONIC_BTR] = bit_test<BitChange::Reset>;
  handlers[ZYDIS_MNEMONIC_BTC] = bit_test<BitChange::Complement>;
  handlers[ZYDIS_MNEMONIC_BSF] = scan<true>;
  handlers[ZYDIS_MNEMONIC_BSR] = scan<false>;
  handlers[ZYDIS_MNEMONIC_LZCNT] = count<llvm::Intrinsic::ctlz>;
  handlers[ZYDIS_MNEMONIC_TZCNT] = count<llvm::Intrinsic::cttz>;
  handlers[ZYDIS_MNEMONIC_POPCNT] = popcnt;
  handlers[ZYDIS_MNEMONIC_BLSI] = lowest<Lowest::Isolate>;
  handlers[ZYDIS_MNEMONIC_BLSMSK] = lowest<Lowest::Mask>;
  handlers[ZYDIS_MNEMONIC_BLSR] = lowest<Lowest::Reset>;
  handlers[ZYDIS_MNEMONIC_BZHI] = bzhi;
  handlers[ZYDIS_MNEMONIC_BEXTR] = bextr;
  handlers[ZYDIS_MNEMONIC_CRC32] = crc32;
}

}  // namespace perfpact::lift
