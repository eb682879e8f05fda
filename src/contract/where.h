// The `where` of a class, on one path: which outcomes its calls have is known, what it says of the packet's
// arguments is an expression. Tested by tests/contract/where_test.cpp.
#pragma once
#include "base/diagnostics.h"
#include "explore/native/explorer.h"
#include "formula/formula.h"

namespace perfpact::contract {

/// A truth value. `calls` has the label of every method that some path calls, with its outcomes: what a
/// comparison can name. A path that does not make a call has none of its outcomes.
[[nodiscard]] Result<smt::Expr> where(smt::Context& context, const formula::Formula& condition,
                                      const explore::NativeExplorer& explorer,
                                      const explore::NativePath& path,
                                      const std::map<std::string, const library::Method*>& calls,
                                      Diagnostics& diagnostics);

}  // namespace perfpact::contract
