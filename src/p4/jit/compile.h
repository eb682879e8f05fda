// Core form to machine code: lowered to LLVM IR, expanded, optimised, compiled by ORC.
#pragma once
#include <memory>

#include "base/diagnostics.h"
#include "p4/jit/runtime.h"

namespace perfpact::p4::jit {

/// Owns the machine code that `code` points to.
class Compiled {
 public:
  Compiled(const core::Program& program, const SourceManager& sources);
  ~Compiled();
  [[nodiscard]] const Code& code() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfpact::p4::jit
