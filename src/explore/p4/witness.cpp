#include "explore/p4/witness.h"

#include <algorithm>

#include "base/check.h"
#include "p4/interpreter/interpreter.h"

namespace perfpact::explore {
namespace {

using tables::MatchKind;

// Matches this value and no other.
tables::Match exactly(const tables::KeySchema& key, const Integer& value) {
  switch (key.kind) {
    case MatchKind::Range:
      return {value, value, 0};
    case MatchKind::Selector:
      return {0, 0, 0};
    default:
      return {value, all_ones(key.width), key.kind == MatchKind::Lpm ? key.width : 0};
  }
}

tables::Entry entry_for(const tables::TableSchema& schema, const Witness::Lookup& lookup) {
  tables::Entry entry;
  for (std::size_t i = 0; i < schema.keys.size(); ++i)
    entry.matches.push_back(exactly(schema.keys[i], lookup.key[i]));
  entry.priority = 1;
  entry.action = lookup.action;
  return entry;
}

}  // namespace

tables::TableSet tables_for(const p4::core::Program& program, const Witness& witness) {
  // The control plane can take away what the program installs, where that is not constant.
  std::vector<tables::TableSchema> schemas = program.tables;
  for (tables::TableSchema& schema : schemas)
    if (!schema.entries_are_const) schema.initial_entries.clear();
  tables::TableSet tables(std::move(schemas));
  for (std::size_t i = 0; i < witness.lookups.size(); ++i) {
    const Witness::Lookup& lookup = witness.lookups[i];
    if (!lookup.hit) {
      tables.set_default(lookup.table, lookup.action);
      continue;
    }
    const auto is_same = [&](const Witness::Lookup& other) {
      return other.hit && other.table == lookup.table && other.key == lookup.key;
    };
    if (std::none_of(witness.lookups.begin(), witness.lookups.begin() + static_cast<std::ptrdiff_t>(i),
                     is_same))
      tables.add_entry(lookup.table, entry_for(tables.schema(lookup.table), lookup));
  }
  for (const Witness::Group& group : witness.groups) {
    tables::ControlPlane& plane = tables.control_plane();
    if (group.is_session && plane.find_session(group.id) == nullptr)
      plane.clone_sessions.push_back({group.id, group.replicas, 0});
    if (!group.is_session && plane.find_group(group.id) == nullptr)
      plane.multicast_groups.push_back({group.id, group.replicas});
  }
  SourceManager sources;
  Diagnostics diagnostics(sources);
  PERFPACT_CHECK(tables.finish(diagnostics, false), "a witness asks for tables that cannot be: {}",
                 diagnostics.render());
  return tables;
}

program::Trace replay(const p4::core::Program& program, const Witness& witness,
                      const tables::TableSet* installed, std::uint32_t passes) {
  std::optional<tables::TableSet> own;
  if (installed == nullptr) own = tables_for(program, witness);
  p4::ExecutionLimits limits;
  limits.passes = passes;
  p4::Interpreter interpreter(program, installed == nullptr ? *own : *installed, limits);
  for (const Witness::Cell& cell : witness.cells)
    interpreter.set_register_cell(cell.object, cell.index, cell.value);
  interpreter.choose(witness.choices);
  return interpreter.run(witness.packet);
}

}  // namespace perfpact::explore
