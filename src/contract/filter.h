// Filters on packets of symbols.
#pragma once
#include <functional>

#include "base/diagnostics.h"
#include "packet/filter.h"
#include "smt/context.h"

namespace perfpact::contract {

/// A packet whose bytes and length are expressions.
struct SymbolicPacket {
  std::function<smt::Expr(std::uint32_t)> byte;  // the i-th, 8 bits
  smt::Expr length;                              // 16 bits
  std::uint32_t longest = 0;                     // bytes
};

/// When the packet passes; nothing where the filter has something that is not supported.
[[nodiscard]] std::optional<smt::Expr> passes(smt::Context& context, const packet::Filter& filter,
                                              const SymbolicPacket& packet);

}  // namespace perfpact::contract
