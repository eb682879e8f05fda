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

}  // namespace

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
  const std::uint16_t bits = left.size;
  const ZydisMnemonic mnemonic = instruction.decoded.mnemonic;
  const bool is_same = is_same_register(left, right);
  if ((mnemonic == ZYDIS_MNEMONIC_XOR || mnemonic == ZYDIS_MNEMONIC_SUB) && is_same)
    return Compared{.left = 0, .bits = bits};
  const std::optional<std::uint64_t> a = value(left);
  const std::optional<std::uint64_t> b = value(right);
  if (mnemonic == ZYDIS_MNEMONIC_TEST && !is_same)
    return a && b ? std::optional(Compared{.left = low_bits(*a & *b, bits), .bits = bits}) : std::nullopt;
  const bool is_test = mnemonic == ZYDIS_MNEMONIC_TEST;  // of a register with itself: as compared with 0
  if (!is_test && (mnemonic != ZYDIS_MNEMONIC_CMP || !b)) return std::nullopt;
  Compared compared{.left = a, .right = is_test ? 0 : low_bits(*b, bits), .bits = bits};
  if (compared.left) compared.left = low_bits(*a, bits);
  if (const auto gpr = low_gpr_of(left)) compared.gpr = *gpr;
  return compared;
}

void Constants::forget_written(const x86::Instruction& instruction) {
  const auto forget = [this](std::uint8_t gpr) {
    gprs_[gpr].reset();
    if (compared_ && compared_->gpr == gpr) compared_->gpr = x86::kGprs;
  };
  for (std::size_t i = 0; i < instruction.decoded.operand_count; ++i)
    if (const auto gpr = gpr_of(instruction.operands[i]); gpr && is_written(instruction.operands[i]))
      forget(*gpr);
  if (instruction.decoded.mnemonic == ZYDIS_MNEMONIC_SYSCALL) forget(x86::Rax);
}

// Of a conditional jump or a setcc.
std::optional<bool> Constants::condition(ZydisMnemonic mnemonic) const {
  if (!compared_ || !compared_->left) return std::nullopt;
  const std::uint64_t a = *compared_->left, b = compared_->right;
  const std::int64_t x = as_signed(a, compared_->bits), y = as_signed(b, compared_->bits);
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_JZ:
    case ZYDIS_MNEMONIC_SETZ:
      return a == b;
    case ZYDIS_MNEMONIC_JNZ:
    case ZYDIS_MNEMONIC_SETNZ:
      return a != b;
    case ZYDIS_MNEMONIC_JB:
    case ZYDIS_MNEMONIC_SETB:
      return a < b;
    case ZYDIS_MNEMONIC_JNB:
    case ZYDIS_MNEMONIC_SETNB:
      return a >= b;
    case ZYDIS_MNEMONIC_JBE:
    case ZYDIS_MNEMONIC_SETBE:
      return a <= b;
    case ZYDIS_MNEMONIC_JNBE:
    case ZYDIS_MNEMONIC_SETNBE:
      return a > b;
    case ZYDIS_MNEMONIC_JL:
    case ZYDIS_MNEMONIC_SETL:
      return x < y;
    case ZYDIS_MNEMONIC_JNL:
    case ZYDIS_MNEMONIC_SETNL:
      return x >= y;
    case ZYDIS_MNEMONIC_JLE:
    case ZYDIS_MNEMONIC_SETLE:
      return x <= y;
    case ZYDIS_MNEMONIC_JNLE:
    case ZYDIS_MNEMONIC_SETNLE:
      return x > y;
    default:
      return std::nullopt;
  }
}

std::optional<bool> Constants::is_taken(const x86::Instruction& jump) const {
  return condition(jump.decoded.mnemonic);
}

void Constants::went(const x86::Instruction& jump, bool taken) {
  const bool is_equal = (jump.decoded.mnemonic == ZYDIS_MNEMONIC_JZ && taken) ||
                        (jump.decoded.mnemonic == ZYDIS_MNEMONIC_JNZ && !taken);
  if (!is_equal || !compared_) return;
  compared_->left = compared_->right;
  if (compared_->gpr == x86::kGprs) return;
  std::optional<Known>& known = gprs_[compared_->gpr];
  if (!known || known->bits < compared_->bits) known = Known{compared_->right, compared_->bits};
}

}  // namespace perfpact::derive
