// The LLVM module of a program, as every front end makes it and every engine reads it: plain LLVM IR for what
// computes and branches, and calls of `perfpact.*` functions for everything else: events, the packet, tables,
// objects with state, further passes. What these calls mean is up to the engine: the JIT replaces them by
// code, an explorer by handlers. Nothing else is called.
//
// A *pass* is a function `perfpact.pass.NAME(ptr %machine, iA, iB, ...)`: its parameters after the first are
// what a pass knows at its start. `%machine` is the engine's; the module only hands it on. Functions that a
// pass calls return i1, true where the packet has failed and everything ends.
//
// Lifted machine code has a function `i64 @perfpact.block.ADDRESS(ptr %machine)` a basic block; see
// lift/lifter.h.
//
// Events and decisions are calls with `nomerge` and constant ids, one for each time they happen: passes that
// move, merge or delete calls must not run on a module that is explored. `.W` in a name is a width in bits; a
// value of no bits is an i1 that is 0.
//
// Named metadata says what the ids stand for: `perfpact.sites` (event, texts, place), `perfpact.tables`,
// `perfpact.objects`, `perfpact.places` (where a loop begins, a pass is enqueued), each in the order of the
// ids.
// Tested by tests/program/ir and by everything that runs compiled programs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "program/event.h"

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class LLVMContext;
class Module;
class StructType;
}  // namespace llvm

namespace perfpact::program::ir {

// Signatures, `%machine` left out.
enum class Intrinsic : std::uint8_t {
  Event,             // void(i32 site, i64 numbers...)                              event.KIND
  Decide,            // void(i32 decision, i64 outcome)
  Loop,              // i1(i32 place, i64 blocks): at the head of a loop of so many; true when it is too much
  PacketLength,      // i32(): bytes
  PacketRemaining,   // i32(): bits behind the cursor
  PacketPeek,        // iW(i32 offset): bits at cursor + offset; zeros behind the end
  PacketReadVarbit,  // iW(i32 bits): that many, right-aligned; does not move the cursor
  PacketAdvance,     // void(i32 bits): at most to the end
  PacketEmit,        // void(iW value)
  PacketEmitVarbit,  // void(iW value, i32 bits): the low `bits`
  PacketCommit,      // void()
  PacketTruncate,    // void(i32 bytes)
  Lookup,         // {i1 hit, i32 action, i64 entries, i64 visited, i32 prefix_length, i64 entry}(i32 table,
                  //    keys...)
  LookupData,     // iW(i32 word): action data of the latest look-up, every parameter from a 64-bit word on
  Hash,           // i64(i32 algorithm, i1 payload, {value, i32 bits}...)
  RegisterRead,   // iW(i32 object, i64 index): the index is within the object
  RegisterWrite,  // void(i32 object, i64 index, iW value): the same
  Count,          // void(i32 object, i64 index): the same
  Meter,          // i32(i32 object, i64 index): the colour; the same
  Random,         // iW(iW low, iW high)
  Enqueue,        // void(i32 place, ptr pass, i32 kind, i1 original, arguments...)
  EnqueueGroup,   // i1(i32 place, ptr pass, i64 group, i32 port, i32 instance, arguments...)
  EnqueueClone,   // i1(i32 place, ptr pass, i64 session, i32 kind, i1 original, i32 port, i32 instance,
                  //    arguments...): port and instance are positions in the arguments
  Send,           // void(i64 port)
  Drop,           // void()
  Fail,           // void(ptr what): a C string
  Finish,         // void(i32 parser_error): the last call of a pass
  // Of lifted machine code (lift/lifter.h):
  Instruction,  // void(i32 site): the instruction begins
  MemoryLoad,   // iW(i64 address): little endian
  MemoryStore,  // void(i64 address, iW value)
  Trap,         // void(i32 trap): the instruction ends the program
  Time,         // i64(): the time-stamp counter
};
inline constexpr std::size_t kIntrinsics = static_cast<std::size_t>(Intrinsic::Time) + 1;
/// Those of P4 programs come first.
inline constexpr std::size_t kP4Intrinsics = static_cast<std::size_t>(Intrinsic::Instruction);

/// What a called function is; `width` where the name has one, `event` for events.
struct IntrinsicId {
  Intrinsic intrinsic{};
  std::uint32_t width = 0;
  EventKind event{};
};
[[nodiscard]] std::optional<IntrinsicId> find_intrinsic(std::string_view function_name);
[[nodiscard]] std::string name(const IntrinsicId& id);
[[nodiscard]] llvm::FunctionType* type(const IntrinsicId& id, llvm::LLVMContext& context);

/// The declaration in the module, made where it is missing.
[[nodiscard]] llvm::Function* declare(const IntrinsicId& id, llvm::Module& module);

/// The bits of an LLVM integer that holds a value of so many bits.
[[nodiscard]] constexpr std::uint32_t bits_of_value(std::uint32_t width) {
  return width == 0 ? 1 : width;
}

inline constexpr std::string_view kPassPrefix = "perfpact.pass.";
inline constexpr std::string_view kSitesMetadata = "perfpact.sites";
inline constexpr std::string_view kTablesMetadata = "perfpact.tables";
inline constexpr std::string_view kObjectsMetadata = "perfpact.objects";
inline constexpr std::string_view kPlacesMetadata = "perfpact.places";

/// Ends the program (PERFPACT_CHECK) where a module keeps not to the conventions or is no valid LLVM module.
void verify(const llvm::Module& module);

}  // namespace perfpact::program::ir
