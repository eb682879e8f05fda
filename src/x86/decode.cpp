#include "x86/decode.h"

#include <algorithm>

#include "base/check.h"
#include "x86/accesses.h"

namespace perfpact::x86 {
namespace {

ZydisDecoder make_decoder() {
  ZydisDecoder decoder;
  const ZyanStatus status = ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  PERFPACT_CHECK(ZYAN_SUCCESS(status), "Zydis does not start");
  return decoder;
}

// What names memory without reaching it.
bool is_hint(const ZydisDecodedInstruction& decoded) {
  const ZydisInstructionCategory category = decoded.meta.category;
  return category == ZYDIS_CATEGORY_PREFETCH || category == ZYDIS_CATEGORY_NOP ||
         category == ZYDIS_CATEGORY_WIDENOP;
}

void count_accesses(Instruction& instruction) {
  for (std::size_t i = 0; i < instruction.decoded.operand_count; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[i];
    if (!is_access(instruction, operand)) continue;
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) ++instruction.loads;
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) ++instruction.stores;
  }
}

}  // namespace

bool is_access(const Instruction& instruction, const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type == ZYDIS_MEMOP_TYPE_MEM &&
         !is_hint(instruction.decoded);
}

bool Instruction::repeats() const {
  constexpr ZydisInstructionAttributes kRepeats =
      ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
  return (decoded.attributes & kRepeats) != 0;
}

std::optional<Instruction> decode(std::span<const std::uint8_t> bytes, std::uint64_t address) {
  static const ZydisDecoder kDecoder = make_decoder();
  Instruction instruction;
  instruction.address = address;
  const ZyanStatus status = ZydisDecoderDecodeFull(&kDecoder, bytes.data(), bytes.size(),
                                                   &instruction.decoded, instruction.operands.data());
  if (!ZYAN_SUCCESS(status)) return std::nullopt;
  count_accesses(instruction);
  return instruction;
}

std::string mnemonic(const Instruction& instruction) {
  const std::string name = ZydisMnemonicGetString(instruction.decoded.mnemonic);
  const ZydisInstructionAttributes attributes = instruction.decoded.attributes;
  if ((attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0) return "lock " + name;
  if ((attributes & ZYDIS_ATTRIB_HAS_REPNE) != 0) return "repne " + name;
  if ((attributes & ZYDIS_ATTRIB_HAS_REPE) != 0) return "repe " + name;
  if ((attributes & ZYDIS_ATTRIB_HAS_REP) != 0) return "rep " + name;
  return name;
}

std::string to_string(const Instruction& instruction) {
  ZydisFormatter formatter;
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
  std::array<char, 128> text{};
  const ZyanStatus status = ZydisFormatterFormatInstruction(
      &formatter, &instruction.decoded, instruction.operands.data(),
      instruction.decoded.operand_count_visible, text.data(), text.size(), instruction.address, nullptr);
  return ZYAN_SUCCESS(status) ? text.data() : mnemonic(instruction);
}

}  // namespace perfpact::x86
