// A look-up in a large table that is installed: the solver does not know its entries (machine_installed.cpp).
#pragma once
#include <vector>

#include "smt/expr.h"
#include "tables/table_set.h"

namespace perfpact::explore {

struct InstalledLookup {
  tables::TableId table{};
  std::vector<smt::Expr> keys;  // by key of the schema
  bool hit = false;
  std::uint32_t action = 0;
  std::vector<smt::Expr> data;     // symbols, by parameter; null where it has no bits
  std::uint64_t likely_entry = 0;  // rank: the one that agreed last
};

}  // namespace perfpact::explore
