// An action with its data as compiled code reads it.
#pragma once
#include "tables/schema.h"

namespace perfpact::tables {

/// The action's number, then its arguments, every one from a word on, the least significant word first; one
/// of no bits has none.
[[nodiscard]] std::vector<std::uint64_t> action_words(const TableSchema& schema, const ActionCall& action);

}  // namespace perfpact::tables
