// Most flags that a block leaves are never read: the code behind it writes all of them first. Such a block
// stores zeros, which costs nothing and makes states equal that differ in nothing that matters.
#include <algorithm>

#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

constexpr std::size_t kLookAhead = 16;  // instructions
constexpr std::uint64_t kArithmeticFlags = x86::kCf | x86::kPf | x86::kAf | x86::kZf | x86::kSf | x86::kOf;

// Those that write all six whatever their operands are.
bool writes_all_flags(ZydisMnemonic mnemonic) {
  constexpr std::array kWriters{ZYDIS_MNEMONIC_ADD, ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_CMP,
                                ZYDIS_MNEMONIC_AND, ZYDIS_MNEMONIC_OR,  ZYDIS_MNEMONIC_XOR,
                                ZYDIS_MNEMONIC_NEG, ZYDIS_MNEMONIC_TEST};
  return std::ranges::find(kWriters, mnemonic) != kWriters.end();
}

// Where it goes on, if that is sure.
std::optional<std::uint64_t> successor(const x86::Instruction& instruction) {
  if (instruction.decoded.meta.branch_type == ZYDIS_BRANCH_TYPE_NONE) return instruction.next();
  const ZydisMnemonic mnemonic = instruction.decoded.mnemonic;
  const ZydisDecodedOperand& target = instruction.operands[0];
  const bool is_direct = target.type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  if ((mnemonic != ZYDIS_MNEMONIC_JMP && mnemonic != ZYDIS_MNEMONIC_CALL) || !is_direct) return std::nullopt;
  return instruction.next() + target.imm.value.u;
}

}  // namespace

bool may_read_flags(const CodeSource& source, std::uint64_t address) {
  for (std::size_t i = 0; i < kLookAhead; ++i) {
    const std::optional<x86::Instruction> instruction = decode_at(source, address);
    if (!instruction || handlers()[instruction->decoded.mnemonic] == nullptr) return true;
    const ZydisAccessedFlags* flags = instruction->decoded.cpu_flags;
    if (flags != nullptr && (flags->tested & kArithmeticFlags) != 0) return true;
    if (writes_all_flags(instruction->decoded.mnemonic)) return false;
    const std::optional<std::uint64_t> next = successor(*instruction);
    if (!next) return true;
    address = *next;
  }
  return true;
}

}  // namespace perfpact::lift
