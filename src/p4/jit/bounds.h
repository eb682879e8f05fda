// How much room compiled code needs between two points where the runtime can make more: the start of a pass
// and the heads of loops. Between them every instruction is executed at most once for each way that calls
// lead to it.
#pragma once
#include <llvm/IR/Module.h>

#include <cstdint>

namespace perfpact::p4::jit {

struct Bounds {
  std::uint64_t log_words = 0;
  std::uint64_t output_bits = 0;
  std::uint64_t argument_words = 0;  // Frame::words
  std::uint64_t hash_bits = 0;       // Frame::bytes
  std::uint64_t ahead_bits = 0;      // read from the cursor on, wherever it is
  std::uint64_t instructions = 0;    // of LLVM, as if every call were inlined
};

/// Of a module that keeps to the conventions (program/ir/conventions.h), over all passes.
[[nodiscard]] Bounds bounds(const llvm::Module& module);

}  // namespace perfpact::p4::jit
