// `generate:` - entries made up by the number of a seed, distinct from each other and from all others of the
// table. Values fill the most specific shapes first (exact values, full prefixes, masks of all ones, ranges
// of one value) and go on to shapes with more wildcards only when those are used up; so a request that is
// possible at all is met. Deterministic on every machine.
// Tested by tests/tables/generate_test.cpp.
#pragma once
#include "tables/entry_store.h"
#include "tables/table_set.h"
#include "tables/word_set.h"

namespace perfpact::tables {

/// Adds request.entries entries at the end of `store`; none matches a key of `avoid` (packed keys). Otherwise
/// adds nothing and gives the largest number that is possible, exactly.
[[nodiscard]] std::expected<void, std::uint64_t> generate_entries(const GenerateRequest& request,
                                                                  const WordSet& avoid, EntryStore& store);

}  // namespace perfpact::tables
