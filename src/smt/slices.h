// Which symbols an expression speaks of, and which constraints a query depends on.
//
// Constraints that share no symbol, directly or through others, do not bear on each other: the answer to a
// query needs only its own slice, provided that the rest can be satisfied.
// Tested by tests/smt/slices_test.cpp.
#pragma once
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "smt/node_map.h"

namespace perfpact::smt {

/// Numbers of symbols, ascending.
using SymbolSet = std::vector<std::uint32_t>;

class Slices {
 public:
  [[nodiscard]] const SymbolSet& symbols(Expr expr);

  struct Slice {
    std::vector<Expr> constraints;  // in the order given, each once
    SymbolSet symbols;              // theirs and the query's
  };
  /// The constraints that bear on the query.
  [[nodiscard]] Slice of(std::span<const Expr> constraints, Expr query);

 private:
  const SymbolSet* shared(SymbolSet set);

  std::set<SymbolSet> sets_;
  NodeMap<const SymbolSet*> of_node_;
  NodeMap<bool> seen_;  // by one call of of()
};

}  // namespace perfpact::smt
