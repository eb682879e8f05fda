// Where in memory an instruction loads and stores, by the registers before it.
// Tested by tests/x86, and tests/count against valgrind's lackey.
#pragma once
#include <vector>

#include "x86/decode.h"
#include "x86/registers.h"

namespace perfpact::x86 {

struct Access {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool is_store = false;
  friend bool operator==(const Access&, const Access&) = default;
};

/// Whether an operand is memory that counts as loads and stores do.
[[nodiscard]] bool is_access(const Instruction& instruction, const ZydisDecodedOperand& operand);

/// One for each that `loads` and `stores` count, loads first; of a string instruction under a prefix those of
/// its next iteration, whether there is one or not.
[[nodiscard]] std::vector<Access> accesses(const Instruction& instruction, const Registers& before);

}  // namespace perfpact::x86
