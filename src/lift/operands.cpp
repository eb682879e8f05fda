#include "base/check.h"
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

struct Part {
  Field field{};
  unsigned bits = 0;
  unsigned shift = 0;
};

std::optional<Part> part_of(ZydisRegister name) {
  const auto number = static_cast<std::uint8_t>(ZydisRegisterGetId(name));
  switch (ZydisRegisterGetClass(name)) {
    case ZYDIS_REGCLASS_GPR8: {
      // al cl dl bl, ah ch dh bh, spl bpl sil dil, r8b ...: the high bytes stand in between.
      constexpr unsigned kHigh = 4;
      if (name >= ZYDIS_REGISTER_AH && name <= ZYDIS_REGISTER_BH)
        return Part{gpr(name - ZYDIS_REGISTER_AH), 8, 8};
      if (name >= ZYDIS_REGISTER_SPL) return Part{gpr(name - ZYDIS_REGISTER_SPL + kHigh), 8, 0};
      return Part{gpr(name - ZYDIS_REGISTER_AL), 8, 0};
    }
    case ZYDIS_REGCLASS_GPR16:
      return Part{gpr(number), 16, 0};
    case ZYDIS_REGCLASS_GPR32:
      return Part{gpr(number), 32, 0};
    case ZYDIS_REGCLASS_GPR64:
      return Part{gpr(number), 64, 0};
    case ZYDIS_REGCLASS_XMM:
      if (number >= x86::kXmms) return std::nullopt;
      return Part{xmm(number), 128, 0};
    default:
      return std::nullopt;
  }
}

// To another segment, or with an instruction pointer of 16 bits where the processor's maker has it so.
bool is_unusual_branch(const ZydisDecodedInstruction& decoded) {
  if (decoded.meta.branch_type == ZYDIS_BRANCH_TYPE_NONE) return false;
  const bool is_short = (decoded.attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE) != 0 && decoded.raw.rex.W == 0;
  return decoded.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR || is_short;
}

}  // namespace

const ZydisDecodedOperand& BlockLifter::operand(unsigned number) const {
  return instruction_->operands[number];
}

bool BlockLifter::is_memory(unsigned number) const {
  return operand(number).type == ZYDIS_OPERAND_TYPE_MEMORY;
}

bool BlockLifter::is_register(unsigned number) const {
  return operand(number).type == ZYDIS_OPERAND_TYPE_REGISTER;
}

bool BlockLifter::same_register(unsigned left, unsigned right) const {
  return is_register(left) && is_register(right) && operand(left).reg.value == operand(right).reg.value;
}

bool BlockLifter::lifts_operands() const {
  if (is_unusual_branch(instruction_->decoded)) return false;
  for (unsigned i = 0; i < instruction_->decoded.operand_count_visible; ++i) {
    if (is_register(i) && !part_of(operand(i).reg.value)) return false;
    if (operand(i).type == ZYDIS_OPERAND_TYPE_POINTER) return false;
    if (!is_memory(i)) continue;
    if (ZydisRegisterGetClass(operand(i).mem.index) != ZYDIS_REGCLASS_INVALID &&
        !part_of(operand(i).mem.index))
      return false;
  }
  return true;
}

Value BlockLifter::read(unsigned number) {
  return read(number, operand(number).type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? width(0) : width(number));
}

Value BlockLifter::read(unsigned number, unsigned wanted) {
  const ZydisDecodedOperand& source = operand(number);
  switch (source.type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
      return low(read_register(source.reg.value), wanted);
    case ZYDIS_OPERAND_TYPE_MEMORY:
      return load(address(number), wanted);
    default:
      return llvm::ConstantInt::get(
          integer(wanted), llvm::APInt(64, source.imm.value.u, source.imm.is_signed).sextOrTrunc(wanted));
  }
}

void BlockLifter::write(unsigned number, Value value) {
  if (is_memory(number))
    store(address(number), value);
  else
    write_register(operand(number).reg.value, value);
}

void BlockLifter::write_where(Value condition, unsigned number, Value value) {
  const ZydisRegister name = operand(number).reg.value;
  const Field whole = part_of(name).value().field;
  Value const before = field(whole);
  write_register(name, value);
  set_field(whole, ir_.CreateSelect(condition, field(whole), before));
}

Value BlockLifter::address(unsigned number) {
  if (addresses_[number] == nullptr) addresses_[number] = make_address(operand(number), nullptr);
  return addresses_[number];
}

Value BlockLifter::address(unsigned number, Value bytes_behind) {
  return make_address(operand(number), bytes_behind);
}

Value BlockLifter::make_address(const ZydisDecodedOperand& operand, Value bytes_behind) {
  const auto& memory = operand.mem;
  const unsigned bits = instruction_->decoded.address_width;
  const std::int64_t displacement = memory.disp.has_displacement ? memory.disp.value : 0;
  Value sum = nullptr;
  const auto add = [&](Value value) { sum = sum == nullptr ? value : ir_.CreateAdd(sum, value); };
  if (memory.base == ZYDIS_REGISTER_RIP || memory.base == ZYDIS_REGISTER_EIP)
    add(constant(bits, instruction_->next()));
  else if (memory.base != ZYDIS_REGISTER_NONE)
    add(read_register(memory.base));
  if (memory.index != ZYDIS_REGISTER_NONE) {
    Value const index = read_register(memory.index);
    add(memory.scale > 1 ? ir_.CreateMul(index, constant(bits, memory.scale)) : index);
  }
  if (displacement != 0 || sum == nullptr) add(constant(bits, static_cast<std::uint64_t>(displacement)));
  if (bytes_behind != nullptr) add(low(bytes_behind, bits));
  sum = ir_.CreateZExt(sum, integer(64));
  const bool reaches = memory.type == ZYDIS_MEMOP_TYPE_MEM;
  if (reaches && memory.segment == ZYDIS_REGISTER_FS) return ir_.CreateAdd(field(Field::FsBase), sum);
  if (reaches && memory.segment == ZYDIS_REGISTER_GS) return ir_.CreateAdd(field(Field::GsBase), sum);
  return sum;
}

Value BlockLifter::read_register(ZydisRegister name) {
  const std::optional<Part> part = part_of(name);
  PERFPACT_CHECK(part.has_value(), "{} is not lifted", ZydisRegisterGetString(name));
  Value const whole = field(part->field);
  return low(part->shift == 0 ? whole : ir_.CreateLShr(whole, part->shift), part->bits);
}

void BlockLifter::write_register(ZydisRegister name, Value value) {
  const std::optional<Part> part = part_of(name);
  PERFPACT_CHECK(part.has_value(), "{} is not lifted", ZydisRegisterGetString(name));
  write_part(part->field, part->shift, value);
}

void BlockLifter::write_part(Field to, unsigned shift, Value value) {
  const unsigned whole = lift::bits(to);
  if (bits(value) == whole) return set_field(to, value);
  if (to < Field::Xmm0 && bits(value) == 32) return set_field(to, ir_.CreateZExt(value, integer(whole)));
  set_field(to, replace(field(to), shift, value));
}

Value BlockLifter::read_gpr(x86::Gpr number, unsigned wanted) {
  return low(field(gpr(number)), wanted);
}

void BlockLifter::write_gpr(x86::Gpr number, Value value) {
  write_part(gpr(number), 0, value);
}

}  // namespace perfpact::lift
