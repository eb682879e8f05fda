// Values and matches as people write them in tables files, command files and P4Runtime JSON.
#pragma once
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "tables/schema.h"

namespace perfpact::tables {

/// A piece of a file with its place.
struct Word {
  std::string_view text;
  Span span;

  /// The part from `from` on (`count` bytes), without white space at its ends; on the same line.
  [[nodiscard]] Word part(std::size_t from, std::size_t count = std::string_view::npos) const;
};

/// A number, MAC, IPv4 or IPv6 address (or true, false for one bit) below 2^width. `role` and `name` say in
/// messages what it is for: key 'x', parameter 'x'.
[[nodiscard]] Result<Integer> read_value(const Word& word, unsigned width, std::string_view role,
                                         std::string_view name, Diagnostics& diagnostics);

/// One match in text form, for the kind of the key:
///   exact     value
///   lpm       value/length, value (the full length), *
///   ternary   value&&&mask, value, *
///   optional  value, value&&&mask with a mask of zeros or all ones, *
///   range     low..high, low->high, value, *
///   selector  value (ignored)
[[nodiscard]] Result<Match> read_match(const Word& word, const KeySchema& key, Diagnostics& diagnostics);

/// The parts given one by one; `whole` is the place of all. The first serves every kind.
[[nodiscard]] Result<Match> match_value(const KeySchema& key, const Word& value, Diagnostics& diagnostics);
[[nodiscard]] Result<Match> match_prefix(const KeySchema& key, const Word& value, const Word& length,
                                         Diagnostics& diagnostics);
[[nodiscard]] Result<Match> match_masked(const KeySchema& key, const Word& value, const Word& mask,
                                         Diagnostics& diagnostics);
[[nodiscard]] Result<Match> match_range(const KeySchema& key, const Word& low, const Word& high,
                                        Diagnostics& diagnostics);

/// Matches the one value.
[[nodiscard]] Match exact_match(const KeySchema& key, Integer value);

/// The index of a key by its control-plane name or a unique suffix; `x.isValid()` is also `x.$valid$`.
[[nodiscard]] Result<std::size_t> find_key(const TableSchema& schema, const Word& name,
                                           Diagnostics& diagnostics);

/// The matches of an entry, with what is not given as a wildcard. Reports table-missing-match where a key has
/// none (exact).
[[nodiscard]] Result<std::vector<Match>> complete_matches(const TableSchema& schema,
                                                          std::vector<std::optional<Match>> given,
                                                          const Span& entry, Diagnostics& diagnostics);

inline constexpr std::int64_t kMaxPriority =
    std::numeric_limits<std::int32_t>::max();  // of P4Runtime and BMv2

/// `priority` as written, from `low` to `high`. Reports bad-priority.
[[nodiscard]] Result<std::int64_t> read_priority(const Word& word, std::int64_t low, std::int64_t high,
                                                 Diagnostics& diagnostics);

}  // namespace perfpact::tables
