// The guest's registers as lifted code sees them: `%machine` points to this LLVM struct, and a block loads
// the fields that it reads and stores those that it changed.
#pragma once
#include <cstdint>

#include "x86/registers.h"

namespace llvm {
class LLVMContext;
class StructType;
}  // namespace llvm

namespace perfpact::lift {

/// Index of a field. 64 bits for general registers and segment bases, 128 for xmm registers; 1 for flags,
/// but for Parity: the byte of whose bits the parity flag is the (even) parity.
enum class Field : std::uint8_t {
  Gpr0 = 0,
  Xmm0 = x86::kGprs,
  Cf = x86::kGprs + x86::kXmms,
  Parity,
  Af,
  Zf,
  Sf,
  Of,
  Df,
  FsBase,
  GsBase,
};
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::GsBase) + 1;

[[nodiscard]] constexpr Field gpr(std::size_t number) {
  return static_cast<Field>(number);
}
[[nodiscard]] constexpr Field xmm(std::size_t number) {
  return static_cast<Field>(x86::kGprs + number);
}
[[nodiscard]] std::uint32_t bits(Field field);
[[nodiscard]] llvm::StructType* state_type(llvm::LLVMContext& context);

}  // namespace perfpact::lift
