// The tables of a program with what is installed in them: from the program itself, command files, P4Runtime
// JSON, tables YAML.
//
//   TableSet set(schemas);
//   read_tables(path, set, diagnostics);      // any number of files, any format
//   set.finish(diagnostics);                  // duplicates, capacity; builds the look-up structures
//   set.lookup(table, key) -> hit, action, rank
//
// Canonical order of a table's entries: falling priority, then insertion; in a table whose strongest key is
// lpm, falling prefix length, then insertion. The winner of a look-up is the first entry in canonical order
// that matches, its rank (1-based) is the PCV `visited`; on a miss `visited` is the number of entries.
// Look-up does not walk the entries: see lookup.h.
// Tested by tests/tables/.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "tables/action_profiles.h"
#include "tables/schema.h"

namespace perfpact::tables {

enum class TableId : std::uint32_t {};

inline constexpr std::uint64_t kNoEntry = ~std::uint64_t{0};

struct LookupResult {
  bool hit = false;
  const ActionCall* action = nullptr;  // of the entry, the member that a group chose, or the default action
  std::uint64_t entries = 0;
  std::uint64_t visited = 0;
  std::uint32_t prefix_length = 0;
  std::uint64_t entry = kNoEntry;  // the winner's number in the order in which entries were added
};

/// An entry as it is installed.
struct InstalledEntry {
  std::vector<Match> matches;           // one per key
  std::span<const ActionCall> actions;  // one, or those of a group's members, by rank
  std::uint32_t prefix_length = 0;      // as in LookupResult
  std::uint64_t number = 0;             // LookupResult::entry
};

/// The same in words, as compiled code reads it.
struct PackedResult {
  std::uint64_t hit = 0;
  std::uint64_t action = 0;  // index into TableSchema::actions
  std::uint64_t entries = 0;
  std::uint64_t visited = 0;
  std::uint64_t prefix_length = 0;
  std::uint64_t entry = kNoEntry;
};

/// `generate:` of a tables file, waiting for the keys that the workload looks up.
struct GenerateRequest {
  TableId table{};
  std::uint64_t entries = 0;
  std::uint64_t seed = 0;
  ActionCall action;
  std::int64_t priority = 0;
  bool match_none = true;  // `matching: none`: no generated entry matches a packet of the workload
  Span span;
};

/// Multicast groups, clone sessions, ...: what the control plane says beside table entries.
struct MulticastReplica {
  std::uint64_t port;
  std::uint64_t instance;  // egress_rid
};
struct ControlPlane {
  struct Group {
    std::uint64_t id;
    std::vector<MulticastReplica> replicas;
  };
  struct CloneSession {
    std::uint64_t id;
    std::vector<MulticastReplica> replicas;
    std::uint64_t truncate_to = 0;  // bytes; 0: whole
  };
  std::vector<Group> multicast_groups;
  std::vector<CloneSession> clone_sessions;

  /// Null where there is none.
  [[nodiscard]] const Group* find_group(std::uint64_t id) const;
  [[nodiscard]] const CloneSession* find_session(std::uint64_t id) const;
};

class TableSet {
 public:
  explicit TableSet(std::vector<TableSchema> schemas);
  ~TableSet();
  TableSet(TableSet&&) noexcept;
  TableSet& operator=(TableSet&&) noexcept;

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const TableSchema& schema(TableId table) const;
  /// By full name or any unique dotted suffix; reports unknown-table (with a suggestion) or ambiguous-name.
  [[nodiscard]] Result<TableId> find(std::string_view name, const Span& span, Diagnostics& diagnostics) const;
  /// The same for value sets, which find() does not find; reports unknown-value-set.
  [[nodiscard]] Result<TableId> find_value_set(std::string_view name, const Span& span,
                                               Diagnostics& diagnostics) const;

  void add_entry(TableId table, Entry entry);
  void set_default(TableId table, ActionCall action);
  void set_default(TableId table, Indirect indirect, const Span& span);
  [[nodiscard]] ActionProfiles& profiles();
  void request(GenerateRequest request);
  [[nodiscard]] ControlPlane& control_plane();
  [[nodiscard]] const ControlPlane& control_plane() const;

  /// Reports duplicate entries (two entries that match the same with the same priority), entries that a table
  /// cannot have, members and groups that are not there, capacity, and warns of empty value sets; generates
  /// what may match packets (`matching: any`); builds the look-up structures. To be called once, when all
  /// files are read. False when something was reported as an error. Without `warns` it reports errors only.
  bool finish(Diagnostics& diagnostics, bool warns = true);

  /// Whether `generate:` requests that must match no packet wait. While they do, their entries are not there
  /// (nor counted), and every key looked up in their tables is remembered, so that materialize() can keep
  /// clear of them. Look-ups are not thread-safe then.
  [[nodiscard]] bool has_pending() const;
  /// Makes the generated entries, distinct from all others of the table, none matching a remembered key, as
  /// if inserted after all others; reports impossible-generate. Look-ups from now on find them.
  bool materialize(Diagnostics& diagnostics);

  /// Key fields in the order of the schema, each below 2^width. Logically const (memory of pending keys).
  [[nodiscard]] LookupResult lookup(TableId table, std::span<const Integer> key) const;
  /// The same for a table with keys and no action profile; the key as KeyLayout::pack_key makes it. Gives the
  /// action's arguments as action_words.h has them, valid until the tables change.
  const std::uint64_t* lookup_packed(TableId table, const std::uint64_t* key, PackedResult& result) const;
  [[nodiscard]] std::uint64_t entry_count(TableId table) const;
  /// The entry of this rank, from 1 to entry_count(), in canonical order; after finish().
  [[nodiscard]] InstalledEntry entry(TableId table, std::uint64_t rank) const;
  /// The default action, or those of the members that a miss chooses from.
  [[nodiscard]] std::span<const ActionCall> default_actions(TableId table) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a tables YAML, a simple_switch_CLI command file or a P4Runtime JSON file, told apart by content
/// (first non-blank character '{': JSON; a `schema:` key: YAML; else commands).
bool read_tables(const std::string& path, TableSet& tables, Diagnostics& diagnostics);

}  // namespace perfpact::tables
