#include "x86/accesses.h"

#include <algorithm>
#include <bit>

namespace perfpact::x86 {
namespace {

constexpr std::uint64_t kLow32 = 0xffff'ffff;
constexpr std::uint32_t kByte = 8;  // bits

std::uint64_t value_of(ZydisRegister name, const Instruction& instruction, const Registers& before) {
  if (name == ZYDIS_REGISTER_NONE) return 0;
  if (name == ZYDIS_REGISTER_RIP || name == ZYDIS_REGISTER_EIP) return instruction.next();
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  const std::uint64_t value = before.gpr.at(static_cast<std::size_t>(ZydisRegisterGetId(whole)));
  const std::uint32_t bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, name);
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

// `bt [rax], rbx` and its like reach for the bit as of a string of them, before or behind the operand.
std::uint64_t bit_offset(const Instruction& instruction, const ZydisDecodedOperand& operand,
                         const Registers& before) {
  const ZydisDecodedOperand& position = instruction.operands[1];
  const auto is_one_of = [&](auto... mnemonics) {
    return ((instruction.decoded.mnemonic == mnemonics) || ...);
  };
  if (position.type != ZYDIS_OPERAND_TYPE_REGISTER ||
      !is_one_of(ZYDIS_MNEMONIC_BT, ZYDIS_MNEMONIC_BTS, ZYDIS_MNEMONIC_BTR, ZYDIS_MNEMONIC_BTC))
    return 0;
  const std::uint64_t bits = value_of(position.reg.value, instruction, before);
  const int unused = 64 - position.size;
  const std::int64_t bit = static_cast<std::int64_t>(bits << unused) >> unused;
  const std::int64_t words = bit >> std::countr_zero(static_cast<std::uint32_t>(operand.size));
  return static_cast<std::uint64_t>(words) * (operand.size / kByte);
}

bool is_on_stack(const ZydisDecodedOperand& operand) {
  return operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && operand.mem.base == ZYDIS_REGISTER_RSP;
}

std::uint64_t address_of(const Instruction& instruction, const ZydisDecodedOperand& operand,
                         const Registers& before) {
  const ZydisDecodedOperandMem& memory = operand.mem;
  const std::uint32_t bytes = operand.size / kByte;
  if (is_on_stack(operand) && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
    return before.gpr[Rsp] - bytes;
  std::uint64_t address = value_of(memory.base, instruction, before) +
                          value_of(memory.index, instruction, before) * memory.scale +
                          (memory.disp.has_displacement ? static_cast<std::uint64_t>(memory.disp.value) : 0) +
                          bit_offset(instruction, operand, before);
  // Where it pops to is told by the register as it is behind the load.
  if (instruction.decoded.mnemonic == ZYDIS_MNEMONIC_POP && memory.base == ZYDIS_REGISTER_RSP &&
      !is_on_stack(operand))
    address += bytes;
  if (instruction.decoded.address_width == 32 && !is_on_stack(operand)) address &= kLow32;
  if (memory.segment == ZYDIS_REGISTER_FS) address += before.fs_base;
  if (memory.segment == ZYDIS_REGISTER_GS) address += before.gs_base;
  return address;
}

}  // namespace

std::vector<Access> accesses(const Instruction& instruction, const Registers& before) {
  std::vector<Access> loads, stores;
  for (std::size_t i = 0; i < instruction.decoded.operand_count; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[i];
    if (!is_access(instruction, operand)) continue;
    const std::uint64_t address = address_of(instruction, operand, before);
    const std::uint32_t bytes = operand.size / kByte;
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) loads.push_back({address, bytes, false});
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) stores.push_back({address, bytes, true});
  }
  loads.insert(loads.end(), stores.begin(), stores.end());
  return loads;
}

}  // namespace perfpact::x86
