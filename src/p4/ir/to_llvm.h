// The core form as an LLVM module that keeps to program/ir/conventions.h: what is explored, exported, and
// compiled by the JIT.
//
// Slots are the fields of one struct, a local variable of the pass, which procedures get by pointer as
// second argument. A procedure is a function, a block a basic block (more where a pattern is tried or a
// failure ends the packet), a varbit its value and its length. Debug locations are the places in the P4
// source. Tested by tests/golden/dump/llvm.golden and by all that compares the engines.
#pragma once
#include <llvm/IR/Module.h>

#include <memory>
#include <vector>

#include "base/source.h"
#include "p4/core/core.h"

namespace perfpact::p4::ir {

/// A pass of the module: what it is called and which slots are its arguments, in their order.
struct Pass {
  core::ProcedureId procedure{};
  std::string function;
  std::vector<core::SlotId> arguments;
};

/// The passes that a packet can go through, the entry first. The arguments of each are the slots that any
/// instruction gives it; of the entry also those that the driver sets.
[[nodiscard]] std::vector<Pass> passes(const core::Program& program);

struct Lowered {
  std::unique_ptr<llvm::Module> module;
  std::vector<Span> places;  // by id: `perfpact.places`
};

/// `program` is verified (core/verify.h). The layout of data is that of x86-64.
[[nodiscard]] Lowered to_llvm(const core::Program& program, const SourceManager& sources,
                              llvm::LLVMContext& context);

}  // namespace perfpact::p4::ir
