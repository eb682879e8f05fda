#include "tables/table_set.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "base/check.h"
#include "tables/action_words.h"
#include "tables/generate.h"
#include "tables/lookup.h"
#include "tables/names.h"

namespace perfpact::tables {
namespace {

struct Table {
  explicit Table(TableSchema table_schema)
      : name(table_schema.name),
        schema(std::move(table_schema)),
        entries(schema),
        looked_up(entries.layout().words()) {
    set_default(schema.default_action);
    for (const Entry& entry : schema.initial_entries) entries.add(entry);
  }

  void set_default(ActionCall action) {
    default_action = std::move(action);
    default_indirect = {};
    if (!schema.implementation) default_words = action_words(schema, default_action);
  }
  /// All entries are there.
  void build() {
    entries.sort();
    if (!schema.implementation) entries.pack_actions(schema);
    index.build(entries);
  }

  /// What a packed key hits.
  Found find(std::span<const std::uint64_t> packed) {
    if (!requests.empty()) looked_up.insert(packed);
    return index.find(entries, packed);
  }
  /// All of a result but the action.
  [[nodiscard]] LookupResult result(std::uint32_t entry) const {
    if (entry == LookupIndex::kMiss) return {.entries = entries.size(), .visited = entries.size()};
    return {.hit = true,
            .entries = entries.size(),
            .visited = entry + std::uint64_t{1},
            .prefix_length = entries.prefix_length(entry),
            .entry = entries.number(entry)};
  }

  std::string name;
  TableSchema schema;
  ActionCall default_action;
  std::vector<std::uint64_t> default_words;  // action_words of it, without an action profile
  Indirect default_indirect;
  Span default_span;
  EntryStore entries;
  LookupIndex index;
  std::vector<GenerateRequest> requests;  // waiting
  WordSet looked_up;                      // packed keys, while requests wait
};

// Two entries that match the same with the same priority; the second can never win.
bool check_duplicates(const Table& table, Diagnostics& diagnostics) {
  const EntryStore& entries = table.entries;
  HashSlots seen(entries.size());
  bool ok = true;
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const auto same = [&](std::uint32_t other) {
      return entries.priority(other) == entries.priority(i) &&
             std::ranges::equal(entries.first(other), entries.first(i)) &&
             std::ranges::equal(entries.second(other), entries.second(i));
    };
    const std::uint64_t masks =
        hash_words(entries.second(i), static_cast<std::uint64_t>(entries.priority(i)));
    const std::uint32_t earlier = seen.find_or_insert(hash_words(entries.first(i), masks), i, same);
    if (earlier == HashSlots::kNone) continue;
    diagnostics.report(diag::kDuplicateEntry, entries.span(i), table.name,
                       table.schema.has_priorities() ? fmt::format(" with priority {}", entries.priority(i))
                                                     : std::string());
    diagnostics.note(entries.span(earlier), "the earlier entry");
    ok = false;
  }
  return ok;
}

bool resolve_profile(Table& table, const ActionProfiles& profiles, Diagnostics& diagnostics) {
  bool ok = profiles.resolve(table.schema, table.default_indirect, table.default_span, diagnostics);
  table.entries.resolve([&](Indirect& indirect, const Span& span) {
    ok &= profiles.resolve(table.schema, indirect, span, diagnostics);
  });
  return ok;
}

const ActionCall& chosen(const Table& table, const ActionCall& action, const Indirect& indirect,
                         std::span<const Integer> key) {
  if (indirect.actions.empty()) return action;
  return indirect.actions[choose_member(table.schema, key, indirect.actions.size())];
}

bool check_allowed(const Table& table, Diagnostics& diagnostics) {
  const std::size_t initial = table.schema.initial_entries.size();
  std::optional<Span> first_added;
  if (table.entries.size() > initial)
    first_added = table.entries.span(initial);
  else if (!table.requests.empty())
    first_added = table.requests.front().span;
  if (table.schema.keys.empty() && (first_added || initial > 0)) {
    diagnostics.report(diag::kKeylessEntry, initial > 0 ? table.entries.span(0) : *first_added, table.name);
    return false;
  }
  if (table.schema.entries_are_const && first_added) {
    diagnostics.report(diag::kConstEntries, *first_added, table.name);
    diagnostics.note(table.schema.span, "the table");
    return false;
  }
  return true;
}

void warn(const Table& table, Diagnostics& diagnostics) {
  if (table.schema.role == TableRole::ValueSet && table.entries.size() == 0)
    diagnostics.report(diag::kEmptyValueSet, table.schema.span, table.name);
  std::uint64_t installed = table.entries.size();
  for (const GenerateRequest& request : table.requests) installed += request.entries;
  if (!table.schema.size || installed <= *table.schema.size) return;
  const Span& place = *table.schema.size < table.entries.size() ? table.entries.span(*table.schema.size)
                                                                : table.requests.front().span;
  diagnostics.report(diag::kCapacity, place, table.name, *table.schema.size, installed);
  diagnostics.note(table.schema.span, "the table");
}

struct Candidate {
  std::string name;
  std::size_t index;
};

// The table of a role by its name or a suffix.
Result<TableId> find_table(const std::vector<Table>& tables, TableRole role, std::string_view name,
                           const Span& span, Diagnostics& diagnostics, const DiagnosticKind& unknown) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (tables[i].schema.role == role) candidates.push_back({tables[i].name, i});
  const auto found = resolve_name(candidates, name, span, diagnostics, unknown);
  if (!found) return std::unexpected(found.error());
  return static_cast<TableId>(candidates[*found].index);
}

bool generate(Table& table, const GenerateRequest& request, Diagnostics& diagnostics) {
  static const WordSet kNothing(0);
  const std::size_t installed = table.entries.size();
  const auto done = generate_entries(request, request.match_none ? table.looked_up : kNothing, table.entries);
  if (done) return true;
  diagnostics.report(
      diag::kImpossibleGenerate, request.span, request.entries, table.name, done.error(),
      installed > 0 ? fmt::format(" from each other and from the {} installed before", installed) : "",
      request.match_none ? " and match no packet of the workload" : "");
  return false;
}

}  // namespace

struct TableSet::State {
  std::vector<Table> tables;
  ActionProfiles profiles;
  ControlPlane control_plane;
  bool is_finished = false;

  Table& at(TableId id) {
    PERFPACT_CHECK(static_cast<std::size_t>(id) < tables.size(), "no table {}",
                   static_cast<std::uint32_t>(id));
    return tables[static_cast<std::size_t>(id)];
  }
};

TableSet::TableSet(std::vector<TableSchema> schemas) : state_(std::make_unique<State>()) {
  state_->tables.reserve(schemas.size());
  for (TableSchema& schema : schemas) state_->tables.emplace_back(std::move(schema));
  for (const Table& table : state_->tables) state_->profiles.declare(table.schema);
}

TableSet::~TableSet() = default;
TableSet::TableSet(TableSet&&) noexcept = default;
TableSet& TableSet::operator=(TableSet&&) noexcept = default;

std::size_t TableSet::size() const {
  return state_->tables.size();
}
const TableSchema& TableSet::schema(TableId table) const {
  return state_->at(table).schema;
}

Result<TableId> TableSet::find(std::string_view name, const Span& span, Diagnostics& diagnostics) const {
  return find_table(state_->tables, TableRole::Table, name, span, diagnostics, diag::kUnknownTable);
}

Result<TableId> TableSet::find_value_set(std::string_view name, const Span& span,
                                         Diagnostics& diagnostics) const {
  return find_table(state_->tables, TableRole::ValueSet, name, span, diagnostics, diag::kUnknownValueSet);
}

void TableSet::add_entry(TableId table, Entry entry) {
  PERFPACT_CHECK(!state_->is_finished, "an entry added after finish()");
  state_->at(table).entries.add(entry);
}

void TableSet::set_default(TableId table, ActionCall action) {
  state_->at(table).set_default(std::move(action));
}

void TableSet::set_default(TableId id, Indirect indirect, const Span& span) {
  Table& table = state_->at(id);
  table.default_indirect = std::move(indirect);
  table.default_span = span;
}

ActionProfiles& TableSet::profiles() {
  return state_->profiles;
}

void TableSet::request(GenerateRequest request) {
  PERFPACT_CHECK(!state_->is_finished, "entries requested after finish()");
  state_->at(request.table).requests.push_back(std::move(request));
}

const ControlPlane::Group* ControlPlane::find_group(std::uint64_t id) const {
  const auto found = std::ranges::find(multicast_groups, id, &Group::id);
  return found == multicast_groups.end() ? nullptr : &*found;
}
const ControlPlane::CloneSession* ControlPlane::find_session(std::uint64_t id) const {
  const auto found = std::ranges::find(clone_sessions, id, &CloneSession::id);
  return found == clone_sessions.end() ? nullptr : &*found;
}

ControlPlane& TableSet::control_plane() {
  return state_->control_plane;
}
const ControlPlane& TableSet::control_plane() const {
  return state_->control_plane;
}

bool TableSet::finish(Diagnostics& diagnostics, bool warns) {
  PERFPACT_CHECK(!state_->is_finished, "finish() called twice");
  state_->is_finished = true;
  bool ok = true;
  for (Table& table : state_->tables) {
    if (std::ranges::count(table.schema.keys, MatchKind::Lpm, &KeySchema::kind) > 1) {
      diagnostics.report(diag::kSeveralLpmKeys, table.schema.span, table.name);
      ok = false;
    }
    const bool is_allowed = check_allowed(table, diagnostics) && (table.schema.role == TableRole::ValueSet ||
                                                                  check_duplicates(table, diagnostics));
    ok &= is_allowed;
    ok &= resolve_profile(table, state_->profiles, diagnostics);
    if (warns) warn(table, diagnostics);
    if (!is_allowed) table.requests.clear();
    // What may match packets need not wait for them.
    for (const GenerateRequest& request : table.requests)
      if (!request.match_none) ok &= generate(table, request, diagnostics);
    std::erase_if(table.requests, [](const GenerateRequest& request) { return !request.match_none; });
    table.build();
  }
  return ok;
}

bool TableSet::has_pending() const {
  return std::ranges::any_of(state_->tables, [](const Table& table) { return !table.requests.empty(); });
}

bool TableSet::materialize(Diagnostics& diagnostics) {
  PERFPACT_CHECK(state_->is_finished, "materialize() before finish()");
  bool ok = true;
  for (Table& table : state_->tables) {
    if (table.requests.empty()) continue;
    for (const GenerateRequest& request : table.requests) ok &= generate(table, request, diagnostics);
    table.requests.clear();
    table.looked_up = WordSet(table.entries.layout().words());
    table.build();
  }
  return ok;
}

LookupResult TableSet::lookup(TableId id, std::span<const Integer> key) const {
  PERFPACT_CHECK(state_->is_finished, "a look-up before finish()");
  Table& table = state_->at(id);
  PERFPACT_CHECK(key.size() == table.schema.keys.size(), "table '{}' has {} keys, not {}", table.name,
                 table.schema.keys.size(), key.size());
  std::uint32_t entry = LookupIndex::kMiss;
  if (!key.empty()) {
    const KeyLayout& layout = table.entries.layout();
    boost::container::small_vector<std::uint64_t, 8> packed(layout.words());
    layout.pack_key(key, {packed.data(), packed.size()});
    entry = table.find({packed.data(), packed.size()}).id();
  }
  LookupResult result = table.result(entry);
  result.action = result.hit ? &chosen(table, table.entries.action(entry), table.entries.indirect(entry), key)
                             : &chosen(table, table.default_action, table.default_indirect, key);
  return result;
}

const std::uint64_t* TableSet::lookup_packed(TableId id, const std::uint64_t* key,
                                             PackedResult& result) const {
  Table& table = state_->at(id);
  const Found found = table.find({key, table.entries.layout().words()});
  const LookupResult entry = table.result(found.id());
  const std::uint64_t* words =
      entry.hit ? table.entries.action_words(found.words()) : table.default_words.data();
  result.hit = entry.hit ? 1 : 0;
  result.action = words[0];
  result.entries = entry.entries;
  result.visited = entry.visited;
  result.prefix_length = entry.prefix_length;
  result.entry = entry.entry;
  return words + 1;
}

InstalledEntry TableSet::entry(TableId id, std::uint64_t rank) const {
  PERFPACT_CHECK(state_->is_finished, "an entry before finish()");
  const EntryStore& entries = state_->at(id).entries;
  const std::size_t at = rank - 1;
  PERFPACT_CHECK(at < entries.size(), "no entry {} of {}", rank, entries.size());
  const std::vector<ActionCall>& members = entries.indirect(at).actions;
  return {entries.layout().unpack_matches(state_->at(id).schema.keys.size(), entries.first(at),
                                          entries.second(at)),
          members.empty() ? std::span(&entries.action(at), 1) : std::span(members), entries.prefix_length(at),
          entries.number(at)};
}

std::span<const ActionCall> TableSet::default_actions(TableId id) const {
  const Table& table = state_->at(id);
  const std::vector<ActionCall>& members = table.default_indirect.actions;
  return members.empty() ? std::span(&table.default_action, 1) : std::span(members);
}

std::uint64_t TableSet::entry_count(TableId table) const {
  return state_->at(table).entries.size();
}

}  // namespace perfpact::tables
