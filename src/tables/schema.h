// What the tables stage needs to know of a program: its tables, keys and actions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/number.h"
#include "base/source.h"
#include "packet/hash.h"

namespace perfpact::tables {

/// In falling strength (docs/formats.md, section 2: the kind of a table is its strongest key).
enum class MatchKind : std::uint8_t { Range, Ternary, Optional, Lpm, Exact, Selector };
[[nodiscard]] std::string_view to_string(MatchKind kind);
[[nodiscard]] std::optional<MatchKind> find_match_kind(std::string_view name);

struct KeySchema {
  std::string name;    // control-plane name: @name, else the expression's text: "hdr.ipv4.dstAddr"
  unsigned width = 0;  // bits
  MatchKind kind = MatchKind::Exact;
  Span span;
};

struct ParameterSchema {
  std::string name;
  unsigned width = 0;
};

struct ActionSchema {
  std::string name;                         // fully qualified: "ingress.set_bd"
  std::vector<ParameterSchema> parameters;  // the control plane's (directionless, unbound) only
  bool default_only = false;                // @defaultonly
  bool table_only = false;                  // @tableonly
  Span span;
};

/// An action of a table with its data.
struct ActionCall {
  std::uint32_t action = 0;  // index into TableSchema::actions
  std::vector<Integer> arguments;
  friend bool operator==(const ActionCall&, const ActionCall&) = default;
};

/// How one key field of an entry matches.
///   exact     value
///   optional  value with mask all ones, or mask 0 (any)
///   ternary   (key & mask) == value, value has no bit outside mask
///   lpm       the same with mask = prefix_length ones at the top
///   range     value <= key <= mask (the upper end)
///   selector  ignored
struct Match {
  Integer value;
  Integer mask;
  std::uint32_t prefix_length = 0;  // lpm only
};

/// What an entry, or the default, of a table with an action profile has instead of an action: a member or a
/// group of the profile, or a group of its own.
struct Indirect {
  std::optional<std::uint64_t> member, group;
  std::vector<ActionCall> actions;  // of the members, by rank; TableSet::finish() fills it in for the former

  [[nodiscard]] bool refers() const { return member || group; }
  [[nodiscard]] bool is_empty() const { return !refers() && actions.empty(); }
};

struct Entry {
  std::vector<Match> matches;  // one per key
  /// Larger wins; only for tables with a ternary, range or optional key. Command files are converted.
  std::int64_t priority = 0;
  ActionCall action;
  Span span;
  Indirect indirect;  // empty: `action` counts
};

/// `implementation` of a table.
struct ProfileSchema {
  std::string name;  // fully qualified: "ingress.ecmp"
  std::optional<packet::HashAlgorithm>
      selector;  // how an action_selector chooses a member; else action_profile
  Span span;
};

/// A value_set is a table too, one without events: its keys are the values' fields, its one action does
/// nothing, and only whether it hits counts.
enum class TableRole : std::uint8_t { Table, ValueSet };

struct TableSchema {
  std::string name;  // fully qualified: "ingress.ipv4_fib"
  TableRole role = TableRole::Table;
  std::vector<KeySchema> keys;
  std::vector<ActionSchema> actions;
  ActionCall default_action;
  bool default_is_const = false;
  std::vector<Entry> initial_entries;  // `entries` of the program
  bool entries_are_const = false;
  std::optional<std::uint64_t> size;  // `size`; a warning when more entries are installed
  std::optional<ProfileSchema> implementation;
  Span span;

  [[nodiscard]] unsigned key_bits() const;
  /// "range", ..., "exact", "selector", or "none" for a table without keys.
  [[nodiscard]] std::string_view kind() const;
  /// Whether entries are ranked by priority (a ternary, range or optional key).
  [[nodiscard]] bool has_priorities() const;
};

}  // namespace perfpact::tables
