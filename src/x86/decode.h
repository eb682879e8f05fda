// One x86-64 machine instruction: what Zydis decodes, and what it counts (docs/formats.md, "Counting native
// instructions"). The only stage, with lift, that includes Zydis.
// Tested by tests/x86.
#pragma once
#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace perfpact::x86 {

inline constexpr std::size_t kLongestInstruction = 15;  // bytes

struct Instruction {
  std::uint64_t address = 0;
  ZydisDecodedInstruction decoded{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands{};
  /// Memory operands read and written by one execution, implicit stack operands too; of a `rep` string
  /// instruction by one iteration. Prefetches, `lea` and `nop` have none.
  std::uint32_t loads = 0;
  std::uint32_t stores = 0;

  [[nodiscard]] std::uint64_t next() const { return address + decoded.length; }
  /// A string instruction under `rep`, `repe` or `repne`.
  [[nodiscard]] bool repeats() const;
};

/// The instruction at the beginning of `bytes`; nothing where that is none, or cut short.
[[nodiscard]] std::optional<Instruction> decode(std::span<const std::uint8_t> bytes, std::uint64_t address);

/// "add", "rep movsb".
[[nodiscard]] std::string mnemonic(const Instruction& instruction);
/// Intel syntax: "mov rax, [rbx+0x10]".
[[nodiscard]] std::string to_string(const Instruction& instruction);

}  // namespace perfpact::x86
