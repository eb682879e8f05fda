// An instruction as a processor executed it.
#pragma once
#include <array>
#include <span>

#include "x86/accesses.h"

namespace perfpact::x86 {

struct Executed {
  std::uint64_t address = 0;
  std::array<std::uint8_t, kLongestInstruction> bytes{};
  std::uint32_t length = 0;
  bool is_further_iteration = false;  // of one that repeats: not the first
  std::vector<Access> accesses;       // none of an iteration that did not take place
  [[nodiscard]] std::span<const std::uint8_t> code() const { return std::span(bytes).first(length); }
};

}  // namespace perfpact::x86
