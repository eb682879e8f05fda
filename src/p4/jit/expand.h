// Replaces the calls of the conventions (program/ir/conventions.h) by code: what is short is written out on
// the fields of the frame, the rest becomes calls of the runtime (runtime_calls.h).
#pragma once
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "p4/core/core.h"
#include "p4/ir/to_llvm.h"

namespace perfpact::p4::jit {

/// Expands every call, and adds for each of the passes, in their order, a function
/// `void enter_name(i)(ptr frame, ptr arguments)` that reads the arguments from words and enters the pass.
void expand(llvm::Module& module, const core::Program& program, const std::vector<ir::Pass>& passes);
[[nodiscard]] std::string enter_name(std::size_t pass);

/// Whether the key of a look-up is handed over packed as the table keeps it; else field by field.
[[nodiscard]] bool has_packed_key(const tables::TableSchema& table);

}  // namespace perfpact::p4::jit
