// The functions of an LLVM module, decoded for exploration: values are numbered registers, constants are
// expressions, calls of `perfpact.*` are told from calls of functions.
//
// Registers hold bit vectors; a pointer is one of 64 bits, region in the high and offset in the low half
// (engine.h); the fields of a struct that a call gives have a register each.
//
// What the conventions (program/ir/conventions.h) do not need is not decoded: floating point, vectors,
// exceptions, pointers that are compared. Such an instruction is a gap of the paths that reach it.
#pragma once
#include <llvm/IR/Module.h>

#include <deque>
#include <unordered_map>
#include <vector>

#include "program/ir/conventions.h"
#include "smt/context.h"

namespace perfpact::explore {

inline constexpr std::uint32_t kPointerBits = 64;

enum class Kind : std::uint8_t {
  Compute,    // to = build(operands)
  Alloca,     // to = a new region of `layout`
  Fill,       // zeros in the whole region at operand 0
  Load,       // to = memory at operand 0
  Store,      // operand 0 to memory at operand 1
  Copy,       // to = operand 0
  Call,       // of `callee`
  Intrinsic,  // of `intrinsic`
  Jump,       // to targets[0]
  Branch,     // operand 0 ? targets[0] : targets[1]
  Return,     // operand 0, if there is one
  Unknown,    // what is not decoded
};

struct Operand {
  smt::Expr constant;  // null: the register
  std::uint32_t reg = 0;
};

/// The pieces of a region, by offset.
struct Layout {
  struct Cell {
    std::uint64_t offset;
    std::uint32_t width;  // bits
  };
  std::vector<Cell> cells;  // by rising offset
};

struct Function;
struct Instruction {
  using Build = smt::Expr (*)(smt::Context&, const Instruction&, const smt::Expr* operands);

  Kind kind{};
  std::uint32_t to = 0;     // register, the first of several
  std::uint32_t width = 0;  // of the result
  std::vector<Operand> operands;
  const llvm::Instruction* source = nullptr;
  Build build = nullptr;             // Compute
  const Layout* layout = nullptr;    // Alloca
  const Function* callee = nullptr;  // Call
  program::ir::IntrinsicId intrinsic;
  std::array<std::uint32_t, 2> targets{};  // blocks
};

/// Phi nodes are copies on the way to the block.
struct Block {
  std::vector<Instruction> instructions;
};

struct Function {
  const llvm::Function* source = nullptr;
  std::vector<Block> blocks;
  std::uint32_t registers = 0;  // the first are the parameters
};

/// Decodes functions when they are first asked for. The module outlives it; expressions are those of the
/// context.
class Code {
 public:
  explicit Code(smt::Context& context) : context_(context) {}

  [[nodiscard]] const Function& function(const llvm::Function& source);
  /// Of a struct of integers; made anew each time.
  [[nodiscard]] const Layout& layout(llvm::StructType& type, const llvm::DataLayout& data);

 private:
  class Decoder;
  smt::Context& context_;
  std::deque<Layout> layouts_;
  std::unordered_map<const llvm::Function*, std::unique_ptr<Function>> functions_;
};

}  // namespace perfpact::explore
