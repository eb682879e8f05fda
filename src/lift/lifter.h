// Machine code to LLVM IR, a basic block at a time, when it is first reached.
//
// A block is a function `i64 @perfpact.block.ADDRESS(ptr %machine)` in the conventions of program/ir: it
// reads and writes registers through `%machine` (state.h), memory and everything else through `perfpact.*`
// calls, and returns the address of the next instruction; a conditional jump branches to two returns.
//
//   define i64 @perfpact.block.401136(ptr %machine) {
//     call void @perfpact.instruction(ptr %machine, i32 0)            ; mov rax, [rdi]
//     %1 = load i64, ptr (rdi's field)
//     %2 = call i64 @perfpact.memory.load.64(ptr %machine, i64 %1)
//     ...
//
// Every instruction begins with a call of `perfpact.instruction` with the number of its site. What is not
// lifted is a call of `perfpact.trap` and a return of its own address. A block ends behind a jump, call or
// return, before an instruction for which `begins_block` holds, behind kLongestBlock instructions; a `rep`
// string instruction is a block of its own that executes one iteration and returns its own address while it
// goes on. It is one event per iteration, and one for none: of another site, without loads and stores.
//
// Flags: computed when a block reads them or ends; zeros where the code behind the block surely writes all of
// them before it reads one (and so not what a debugger shows in between). Those that an instruction leaves
// undefined are as the processors seen so far leave them or, where these differ, unchanged; see
// docs/lift-x86.md. Tested by tests/lift: every form against the processor.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "lift/state.h"
#include "x86/decode.h"

namespace llvm {
class Function;
class LLVMContext;
class Module;
}  // namespace llvm

namespace perfpact::lift {

inline constexpr std::size_t kLongestBlock = 64;  // instructions

enum class Trap : std::uint8_t {
  NotLifted,      // the instruction at the site
  NoCode,         // no readable or no valid instruction there
  DivideError,    // division by zero or overflow (SIGFPE)
  InvalidOpcode,  // ud2 and its like (SIGILL)
  Breakpoint,     // int3 (SIGTRAP)
  Halt,           // hlt and other privileged instructions (SIGSEGV)
  Misaligned,     // an aligned vector access to an odd address (SIGSEGV)
  Syscall,
};

/// How a block ends, as far as its last instruction tells.
enum class Flow : std::uint8_t { Next, Jump, Branch, Call, Return, Trap };

struct Site {
  std::uint64_t address = 0;
  std::uint32_t loads = 0;  // of one iteration where it repeats
  std::uint32_t stores = 0;
  bool repeats = false;
  std::string mnemonic;
};

struct Block {
  std::uint64_t address = 0;
  std::uint64_t end = 0;  // behind its last instruction
  Flow flow{};
  llvm::Function* function = nullptr;
};

struct CodeSource {
  /// Fills as much of `bytes` as is executable and readable from `address` on; gives how much.
  std::function<std::size_t(std::uint64_t address, std::span<std::uint8_t> bytes)> read;
  /// Whether a block ends before this address.
  std::function<bool(std::uint64_t address)> begins_block;
};

class Lifter {
 public:
  /// The context outlives the lifter.
  Lifter(llvm::LLVMContext& context, CodeSource source);
  ~Lifter();

  /// Lifted when first asked for; the reference stays good.
  [[nodiscard]] const Block& block(std::uint64_t address);

  [[nodiscard]] const Site& site(std::uint32_t number) const { return sites_[number]; }
  [[nodiscard]] std::size_t sites() const { return sites_.size(); }
  [[nodiscard]] const llvm::Module& module() const { return *module_; }

 private:
  [[nodiscard]] std::uint32_t add_sites(const x86::Instruction& instruction);

  CodeSource source_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<Site> sites_;
  std::unordered_map<std::uint64_t, Block> blocks_;
};

}  // namespace perfpact::lift
