#include "derive/constants.h"

namespace perfpact::derive {
namespace {

constexpr std::uint16_t kWord = 64;  // bits

std::uint64_t low_bits(std::uint64_t value, std::uint16_t bits) {
  return bits >= kWord ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t as_signed(std::uint64_t value, std::uint16_t bits) {
  return static_cast<std::int64_t>(value << (kWord - bits)) >> (kWord - bits);
}

// The general register that the operand is, or is part of.
std::optional<std::uint8_t> gpr_of(const ZydisDecodedOperand& operand) {
  if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return std::nullopt;
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, operand.reg.value);
  if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15) return std::nullopt;
  return static_cast<std::uint8_t>(whole - ZYDIS_REGISTER_RAX);
}

// The general register whose low bits the operand is.
std::optional<std::uint8_t> low_gpr_of(const ZydisDecodedOperand& operand) {
  const std::optional<std::uint8_t> gpr = gpr_of(operand);
  const bool is_high_byte =
      gpr && operand.reg.value >= ZYDIS_REGISTER_AH && operand.reg.value <= ZYDIS_REGISTER_BH;
  return is_high_byte ? std::nullopt : gpr;
}

bool is_written(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

bool is_same_register(const ZydisDecodedOperand& left, const ZydisDecodedOperand& right) {
  return left.type == ZYDIS_OPERAND_TYPE_REGISTER && right.type == ZYDIS_OPERAND_TYPE_REGISTER &&
         left.reg.value == right.reg.value;
}

bool changes_flags(const ZydisDecodedInstruction& decoded) {
  const ZydisAccessedFlags* flags = decoded.cpu_flags;
  return flags != nullptr && (flags->modified | flags->set_0 | flags->set_1 | flags->undefined) != 0;
}

enum Relation : std::uint8_t { kLess = 1, kEqual = 2, kGreater = 4 };

// For which of them a conditional jump is taken, or a setcc gives 1.
struct Condition {
  bool is_signed = false;
  bool is_of_sign = false;  // of the result, which tells where the right side is 0
  std::uint8_t relations = 0;
};

std::optional<Condition> condition_of(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_JZ:
    case ZYDIS_MNEMONIC_SETZ:
      return Condition{.relations = kEqual};
    case ZYDIS_MNEMONIC_JNZ:
    case ZYDIS_MNEMONIC_SETNZ:
      return Condition{.relations = kLess | kGreater};
    case ZYDIS_MNEMONIC_JB:
    case ZYDIS_MNEMONIC_SETB:
      return Condition{.relations = kLess};
    case ZYDIS_MNEMONIC_JNB:
    case ZYDIS_MNEMONIC_SETNB:
      return Condition{.relations = kEqual | kGreater};
    case ZYDIS_MNEMONIC_JBE:
    case ZYDIS_MNEMONIC_SETBE:
      return Condition{.relations = kLess | kEqual};
    case ZYDIS_MNEMONIC_JNBE:
    case ZYDIS_MNEMONIC_SETNBE:
      return Condition{.relations = kGreater};
    case ZYDIS_MNEMONIC_JL:
    case ZYDIS_MNEMONIC_SETL:
      return Condition{.is_signed = true, .relations = kLess};
    case ZYDIS_MNEMONIC_JNL:
    case ZYDIS_MNEMONIC_SETNL:
      return Condition{.is_signed = true, .relations = kEqual | kGreater};
    case ZYDIS_MNEMONIC_JLE:
    case ZYDIS_MNEMONIC_SETLE:
      return Condition{.is_signed = true, .relations = kLess | kEqual};
    case ZYDIS_MNEMONIC_JNLE:
    case ZYDIS_MNEMONIC_SETNLE:
      return Condition{.is_signed = true, .relations = kGreater};
    case ZYDIS_MNEMONIC_JS:
    case ZYDIS_MNEMONIC_SETS:
      return Condition{.is_signed = true, .is_of_sign = true, .relations = kLess};
    case ZYDIS_MNEMONIC_JNS:
    case ZYDIS_MNEMONIC_SETNS:
      return Condition{.is_signed = true, .is_of_sign = true, .relations = kEqual | kGreater};
    default:
      return std::nullopt;
  }
}

template <class Value>
std::uint8_t relation(Value a, Value b) {
  return a < b ? kLess : a == b ? kEqual : kGreater;
}

}  // namespace

bool Constants::Compared::is_of_same(const Compared& other) const {
  const bool is_known = left != x86::kGprs && (right != x86::kGprs || constant);
  return is_known && std::tie(left, right, constant, bits) ==
                         std::tie(other.left, other.right, other.constant, other.bits);
}

std::optional<std::uint64_t> Constants::value(x86::Gpr gpr, std::uint16_t bits) const {
  const std::optional<Known>& known = gprs_[gpr];
  if (!known || known->bits < bits) return std::nullopt;
  return low_bits(known->value, bits);
}

std::optional<std::uint64_t> Constants::value(const ZydisDecodedOperand& operand) const {
  if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) return operand.imm.value.u;
  const std::optional<std::uint8_t> gpr = low_gpr_of(operand);
  return gpr ? value(static_cast<x86::Gpr>(*gpr), operand.size) : std::nullopt;
}

void Constants::execute(const x86::Instruction& instruction) {
  const std::optional<Known> written = result(instruction);
  if (changes_flags(instruction.decoded)) compared_ = compared_by(instruction);
  forget_written(instruction);
  if (written) gprs_[*low_gpr_of(instruction.operands[0])] = written;
}

// What the register that is its first operand holds afterwards.
std::optional<Known> Constants::result(const x86::Instruction& instruction) const {
  const auto& [to, from] = std::tie(instruction.operands[0], instruction.operands[1]);
  if (!low_gpr_of(to) || !is_written(to)) return std::nullopt;
  // Writing 32 bits clears the others.
  const std::uint16_t bits = to.size == 32 ? kWord : to.size;
  std::optional<std::uint64_t> value;
  switch (instruction.decoded.mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
      value = this->value(from);
      // Of a register some low bits may be known.
      if (const auto gpr = low_gpr_of(from); !value && gpr && gprs_[*gpr]) return gprs_[*gpr];
      break;
    case ZYDIS_MNEMONIC_MOVZX:
      value = this->value(from);
      break;
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SUB:
      if (is_same_register(to, from)) value = 0;
      break;
    default:
      if (instruction.decoded.meta.category == ZYDIS_CATEGORY_SETCC)
        if (const std::optional<bool> holds = condition(instruction.decoded.mnemonic)) value = *holds ? 1 : 0;
      break;
  }
  if (!value) return std::nullopt;
  return Known{low_bits(*value, to.size), bits};
}

std::optional<Constants::Compared> Constants::compared_by(const x86::Instruction& instruction) const {
  const auto& [left, right] = std::tie(instruction.operands[0], instruction.operands[1]);
  const ZydisMnemonic mnemonic = instruction.decoded.mnemonic;
  const bool is_same = is_same_register(left, right);
  Compared compared{.bits = left.size};
  std::optional<std::uint64_t> a = value(left), b = value(right);
  if ((mnemonic == ZYDIS_MNEMONIC_XOR || mnemonic == ZYDIS_MNEMONIC_SUB) && is_same) {
    a = b = 0;
  } else if (mnemonic == ZYDIS_MNEMONIC_TEST) {
    // Of a register with itself: as if it were compared with 0.
    if (!is_same) a = a && b ? std::optional(*a & *b) : std::nullopt;
    b = 0;
  } else if (mnemonic != ZYDIS_MNEMONIC_CMP) {
    return std::nullopt;
  }
  if (b) compared.constant = low_bits(*b, compared.bits);
  if (a && b) {
    const std::uint64_t low = low_bits(*a, compared.bits);
    compared.as_unsigned = relation(low, *compared.constant);
    compared.as_signed =
        relation(as_signed(low, compared.bits), as_signed(*compared.constant, compared.bits));
  }
  if (mnemonic == ZYDIS_MNEMONIC_TEST && !is_same) return compared;
  if (const auto gpr = low_gpr_of(left)) compared.left = *gpr;
  if (const auto gpr = low_gpr_of(right); gpr && !b) compared.right = *gpr;
  if (!(a && b) && remembered_ && compared.is_of_same(*remembered_)) return remembered_;
  return compared;
}

void Constants::forget(std::uint8_t gpr) {
  gprs_[gpr].reset();
  if (compared_ && compared_->left == gpr) compared_->left = x86::kGprs;
  if (compared_ && compared_->right == gpr) compared_->right = x86::kGprs;
  if (remembered_ && (remembered_->left == gpr || remembered_->right == gpr)) remembered_.reset();
}

void Constants::forget_written(const x86::Instruction& instruction) {
  for (std::size_t i = 0; i < instruction.decoded.operand_count; ++i)
    if (const auto gpr = gpr_of(instruction.operands[i]); gpr && is_written(instruction.operands[i]))
      forget(*gpr);
  if (instruction.decoded.mnemonic == ZYDIS_MNEMONIC_SYSCALL) forget(x86::Rax);
}

// Of a conditional jump or a setcc.
std::optional<bool> Constants::condition(ZydisMnemonic mnemonic) const {
  const std::optional<Condition> condition = condition_of(mnemonic);
  if (!condition || !compared_ || (condition->is_of_sign && compared_->constant != 0)) return std::nullopt;
  const std::uint8_t possible = condition->is_signed ? compared_->as_signed : compared_->as_unsigned;
  if ((possible & ~condition->relations) == 0) return true;
  return (possible & condition->relations) == 0 ? std::optional(false) : std::nullopt;
}

std::optional<bool> Constants::is_taken(const x86::Instruction& jump) const {
  return condition(jump.decoded.mnemonic);
}

void Constants::went(const x86::Instruction& jump, bool taken) {
  const std::optional<Condition> condition = condition_of(jump.decoded.mnemonic);
  if (!condition || !compared_ || (condition->is_of_sign && compared_->constant != 0)) return;
  Compared& compared = *compared_;
  std::uint8_t& possible = condition->is_signed ? compared.as_signed : compared.as_unsigned;
  std::uint8_t& other = condition->is_signed ? compared.as_unsigned : compared.as_signed;
  possible &= taken ? condition->relations : static_cast<std::uint8_t>(~condition->relations);
  if (possible == kEqual) other = kEqual;
  if ((possible & kEqual) == 0) other &= static_cast<std::uint8_t>(~kEqual);
  if (compared.is_of_same(compared)) remembered_ = compared;
  if (possible != kEqual || compared.left == x86::kGprs || !compared.constant) return;
  std::optional<Known>& known = gprs_[compared.left];
  if (!known || known->bits < compared.bits) known = Known{*compared.constant, compared.bits};
}

}  // namespace perfpact::derive
