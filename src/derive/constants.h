// What is known of the registers on one way through code: the constants that were put into them, and how
// what was compared last compares. It tells ways apart that no call can take: a function that has put 1 into
// eax and returned does not return false. Nothing is calculated, so that ways through loops come to the same
// again. Tested by tests/derive.
#pragma once
#include <compare>

#include "x86/decode.h"
#include "x86/registers.h"

namespace perfpact::derive {

/// The low `bits` bits of a register.
struct Known {
  std::uint64_t value = 0;
  std::uint16_t bits = 0;
  auto operator<=>(const Known&) const = default;
};

class Constants {
 public:
  [[nodiscard]] const std::optional<Known>& gpr(x86::Gpr gpr) const { return gprs_[gpr]; }
  /// The value of so many bits of a register, where they are known.
  [[nodiscard]] std::optional<std::uint64_t> value(x86::Gpr gpr, std::uint16_t bits) const;

  /// The effect of any instruction.
  void execute(const x86::Instruction& instruction);
  /// Whether a conditional jump is taken, where that is known.
  [[nodiscard]] std::optional<bool> is_taken(const x86::Instruction& jump) const;
  /// What follows from which way a conditional jump went.
  void went(const x86::Instruction& jump, bool taken);

  auto operator<=>(const Constants&) const = default;

 private:
  // A comparison, and how its sides can compare: sets of kLess, kEqual, kGreater.
  struct Compared {
    std::uint8_t left = x86::kGprs, right = x86::kGprs;  // registers, as long as they keep their values
    std::optional<std::uint64_t> constant;               // on the right, in the place of a register
    std::uint16_t bits = 0;
    std::uint8_t as_unsigned = 7, as_signed = 7;

    [[nodiscard]] bool is_of_same(const Compared& other) const;
    auto operator<=>(const Compared&) const = default;
  };

  [[nodiscard]] std::optional<std::uint64_t> value(const ZydisDecodedOperand& operand) const;
  [[nodiscard]] std::optional<Known> result(const x86::Instruction& instruction) const;
  [[nodiscard]] std::optional<bool> condition(ZydisMnemonic mnemonic) const;
  [[nodiscard]] std::optional<Compared> compared_by(const x86::Instruction& instruction) const;
  void forget(std::uint8_t gpr);
  void forget_written(const x86::Instruction& instruction);

  std::array<std::optional<Known>, x86::kGprs> gprs_;
  std::optional<Compared> compared_;    // what the flags are of
  std::optional<Compared> remembered_;  // the last that a jump decided by: the same again compares the same
};

}  // namespace perfpact::derive
