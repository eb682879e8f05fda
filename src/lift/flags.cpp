#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

struct FlagBit {
  Field field;
  unsigned position;
};
// Parity is the byte of the state, and has its own code.
constexpr std::array<FlagBit, 4> kLowFlags{{{Field::Cf, 0}, {Field::Af, 4}, {Field::Zf, 6}, {Field::Sf, 7}}};
constexpr std::array<FlagBit, 2> kHighFlags{{{Field::Df, 10}, {Field::Of, 11}}};
constexpr unsigned kParityPosition = 2;
// Bit 1 is always set; interrupts are on in a user's program.
constexpr std::uint64_t kAlwaysSet = 1U << 1 | 1U << 9;
constexpr unsigned kNibble = 4;

}  // namespace

Value BlockLifter::flag(Field field) {
  LazyValue& later = state_.later[static_cast<std::size_t>(field)];
  if (later) {
    // It may ask for other flags, not for itself.
    const LazyValue make = std::exchange(later, nullptr);
    Value const made = make();
    state_.values[static_cast<std::size_t>(field)] = made;
  }
  return this->field(field);
}

LazyValue BlockLifter::lazy_flag(Field field) {
  const std::size_t i = static_cast<std::size_t>(field);
  if (state_.later[i]) return state_.later[i];
  if (Value const value = state_.values[i]) return [value] { return value; };
  return [this, field] { return load_field(field); };
}

void BlockLifter::set_flag(Field field, Value value) {
  state_.later[static_cast<std::size_t>(field)] = nullptr;
  state_.compared.reset();
  set_field(field, value);
}

void BlockLifter::set_flag(Field field, LazyValue value) {
  state_.later[static_cast<std::size_t>(field)] = std::move(value);
  state_.changed.set(static_cast<std::size_t>(field));
  state_.compared.reset();
}

void BlockLifter::set_flag(Field field, bool value) {
  set_flag(field, static_cast<Value>(ir_.getInt1(value)));
}

void BlockLifter::set_parity(Value even) {
  set_flag(Field::Parity, ir_.CreateZExt(ir_.CreateNot(even), integer(lift::bits(Field::Parity))));
}

void BlockLifter::set_result_flags(Value result) {
  set_flag(Field::Zf, [this, result] { return is_zero(result); });
  set_flag(Field::Sf, [this, result] { return is_negative(result); });
  set_flag(Field::Parity, [this, result] { return low(result, lift::bits(Field::Parity)); });
}

void BlockLifter::set_logic_flags(Value result) {
  set_result_flags(result);
  set_flag(Field::Cf, false);
  set_flag(Field::Of, false);
  set_flag(Field::Af, false);
  set_compared(result, constant_like(result, 0), true);
}

void BlockLifter::set_add_flags(Value left, Value right, Value result, Value carry) {
  set_result_flags(result);
  set_flag(Field::Cf, [=, this] {
    Value const wrapped = ir_.CreateICmpULT(result, left);
    if (carry == nullptr) return wrapped;
    return ir_.CreateOr(wrapped, ir_.CreateAnd(carry, ir_.CreateICmpEQ(result, left)));
  });
  set_flag(Field::Of, [=, this] {
    return is_negative(ir_.CreateAnd(ir_.CreateXor(left, result), ir_.CreateXor(right, result)));
  });
  set_flag(Field::Af, [=, this] { return bit(ir_.CreateXor(ir_.CreateXor(left, right), result), kNibble); });
}

void BlockLifter::set_sub_flags(Value left, Value right, Value result, Value carry) {
  set_result_flags(result);
  set_flag(Field::Cf, [=, this] {
    Value const below = ir_.CreateICmpULT(left, right);
    if (carry == nullptr) return below;
    return ir_.CreateOr(below, ir_.CreateAnd(carry, ir_.CreateICmpEQ(left, right)));
  });
  set_flag(Field::Of, [=, this] {
    return is_negative(ir_.CreateAnd(ir_.CreateXor(left, right), ir_.CreateXor(left, result)));
  });
  set_flag(Field::Af, [=, this] { return bit(ir_.CreateXor(ir_.CreateXor(left, right), result), kNibble); });
  if (carry == nullptr) set_compared(left, right, true);
}

void BlockLifter::set_compared(Value left, Value right, bool carries) {
  state_.compared = {left, right, carries};
}

Value BlockLifter::condition(Condition condition) {
  const bool negated = (static_cast<unsigned>(condition) & 1U) != 0;
  const auto base = static_cast<Condition>(static_cast<unsigned>(condition) & ~1U);
  if (Value const made = compared_condition(base, negated)) return made;
  Value const plain = plain_condition(base);
  return negated ? ir_.CreateNot(plain) : plain;
}

Value BlockLifter::compared_condition(Condition base, bool negated) {
  if (!state_.compared) return nullptr;
  using Predicate = llvm::CmpInst::Predicate;
  const auto [left, right, carries] = *state_.compared;
  const bool needs_carry = base == Condition::B || base == Condition::BE;
  if (needs_carry && !carries) return nullptr;
  Predicate predicate{};
  switch (base) {
    case Condition::B:
      predicate = Predicate::ICMP_ULT;
      break;
    case Condition::BE:
      predicate = Predicate::ICMP_ULE;
      break;
    case Condition::Z:
      predicate = Predicate::ICMP_EQ;
      break;
    case Condition::L:
      predicate = Predicate::ICMP_SLT;
      break;
    case Condition::LE:
      predicate = Predicate::ICMP_SLE;
      break;
    default:
      return nullptr;
  }
  return ir_.CreateICmp(negated ? llvm::CmpInst::getInversePredicate(predicate) : predicate, left, right);
}

Value BlockLifter::plain_condition(Condition base) {
  switch (base) {
    case Condition::O:
      return flag(Field::Of);
    case Condition::B:
      return flag(Field::Cf);
    case Condition::Z:
      return flag(Field::Zf);
    case Condition::BE:
      return ir_.CreateOr(flag(Field::Cf), flag(Field::Zf));
    case Condition::S:
      return flag(Field::Sf);
    case Condition::P:
      return ir_.CreateNot(bit(unary(llvm::Intrinsic::ctpop, flag(Field::Parity)), 0U));
    case Condition::L:
      return ir_.CreateXor(flag(Field::Sf), flag(Field::Of));
    default:  // LE
      return ir_.CreateOr(flag(Field::Zf), ir_.CreateXor(flag(Field::Sf), flag(Field::Of)));
  }
}

Value BlockLifter::pack_flags() {
  Value packed = constant(64, kAlwaysSet);
  const auto add = [&](Value value, unsigned position) {
    packed = ir_.CreateOr(packed, ir_.CreateShl(ir_.CreateZExt(value, integer(64)), position));
  };
  for (const FlagBit& each : kLowFlags) add(flag(each.field), each.position);
  for (const FlagBit& each : kHighFlags) add(flag(each.field), each.position);
  add(plain_condition(Condition::P), kParityPosition);
  return packed;
}

void BlockLifter::unpack_flags(Value value, bool low_byte_only) {
  for (const FlagBit& each : kLowFlags) set_flag(each.field, bit(value, each.position));
  set_parity(bit(value, kParityPosition));
  if (low_byte_only) return;
  for (const FlagBit& each : kHighFlags) set_flag(each.field, bit(value, each.position));
}

}  // namespace perfpact::lift
