// Look-ups. What a table can answer is a list of alternatives, one for each way that the program can go on.
#include <algorithm>
#include <map>

#include "explore/p4/machine.h"

namespace perfpact::explore {
namespace {

using smt::Expr;
using tables::MatchKind;
using tables::TableSchema;

constexpr std::uint32_t kWide = 64;
constexpr std::uint32_t kNarrow = 32;

}  // namespace

bool Explorer::Machine::has_open_entries(tables::TableId table) const {
  const TableSchema& schema = initial_.schema(table);
  return options_.tables == nullptr && !schema.entries_are_const && !schema.keys.empty();
}

bool Explorer::Machine::has_open_default(tables::TableId table) const {
  const TableSchema& schema = initial_.schema(table);
  return options_.tables == nullptr && !schema.default_is_const && schema.role == tables::TableRole::Table;
}

Expr Explorer::Machine::same_key(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  Expr same = context_.boolean(true);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i]) same = context_.and_(same, context_.eq(a[i], b[i]));
  return same;
}

// The same key gives the same again; there is one default.
Expr Explorer::Machine::consistent(const Lookup& lookup) {
  Expr all = context_.boolean(true);
  for (const Lookup& other : state_.lookups) {
    if (other.table != lookup.table) continue;
    const bool both_miss = !other.hit && !lookup.hit;
    const Expr same = both_miss ? context_.boolean(true) : same_key(other.key, lookup.key);
    Expr agrees = context_.boolean(other.hit == lookup.hit && other.action == lookup.action);
    if (agrees.is_true())
      for (std::size_t i = 0; i < lookup.data.size(); ++i)
        if (lookup.data[i]) agrees = context_.and_(agrees, context_.eq(lookup.data[i], other.data[i]));
    all = context_.and_(all, context_.or_(context_.not_(same), agrees));
  }
  return all;
}

// A group of members may answer the same key by another member where what selects it differs; not explored.
void Explorer::Machine::note_other_members(tables::TableId table, const std::vector<Expr>& keys,
                                           const std::vector<Expr>& selectors) {
  if (selectors.empty() || !has_open_entries(table)) return;
  Expr other_member = context_.boolean(false);
  for (const Lookup& other : state_.lookups)
    if (other.table == table && other.hit)
      other_member = context_.or_(
          other_member,
          context_.and_(same_key(other.key, keys), context_.not_(same_key(other.selectors, selectors))));
  note_unexplored(other_member, fmt::format("not supported yet: exploring the groups of table '{}'",
                                            tables_[static_cast<std::size_t>(table)]));
}

// A gap where the condition can hold; once, not in every copy that executes the look-up again.
void Explorer::Machine::note_unexplored(Expr condition, const std::string& reason) {
  if (state_.picked || !is_possible(condition)) return;
  gaps_.push_back({reason, place(), state_.constraints.with(context_, condition), std::nullopt});
}

Explorer::Machine::Alternative Explorer::Machine::open_alternative(tables::TableId table,
                                                                   const std::vector<Expr>& key, bool hit,
                                                                   std::uint32_t action) {
  const TableSchema& schema = initial_.schema(table);
  const std::string call = fmt::format("{}#{}", tables_[static_cast<std::size_t>(table)],
                                       state_.lookups_of[static_cast<std::size_t>(table)] + 1);
  Alternative result;
  result.is_open = true;
  result.hit = hit;
  result.action = action;
  for (const tables::ParameterSchema& parameter : schema.actions[action].parameters)
    result.data.push_back(
        parameter.width == 0
            ? Expr()
            : context_.symbol(fmt::format("{}.{}.{}", call, actions_[static_cast<std::size_t>(table)][action],
                                          parameter.name),
                              parameter.width));
  if (hit) {
    const auto rank = [&](std::string_view what) {
      return context_.symbol(fmt::format("{}.{}", call, what), kNarrow);
    };
    result.visited = context_.zext(rank("visited"), kWide);
    result.entry = context_.zext(rank("entry"), kWide);
    const bool has_prefix = schema.kind() == tables::to_string(MatchKind::Lpm);
    result.prefix_length = has_prefix ? rank("prefix_length") : context_.zero(kNarrow);
  }
  result.condition = consistent({table, key, {}, hit, action, result.data});
  return result;
}

Expr Explorer::Machine::matches(const TableSchema& schema, const std::vector<tables::Match>& entry,
                                const std::vector<Expr>& keys) {
  Expr all = context_.boolean(true);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const MatchKind kind = schema.keys[i].kind;
    const std::uint32_t width = schema.keys[i].width;
    if (kind == MatchKind::Selector || width == 0) continue;
    const Expr first = context_.constant(width, entry[i].value);
    const Expr second = context_.constant(width, entry[i].mask);
    const Expr one = kind == MatchKind::Range
                         ? context_.and_(context_.ule(first, keys[i]), context_.ule(keys[i], second))
                         : context_.eq(context_.and_(keys[i], second), first);
    all = context_.and_(all, one);
  }
  return all;
}

// Entries with the same action and data are one alternative; which of them wins does not make the path.
std::vector<Explorer::Machine::Alternative> Explorer::Machine::installed_hits(tables::TableId table,
                                                                              const std::vector<Expr>& keys,
                                                                              Expr& miss) {
  const tables::TableSet& set = installed();
  const TableSchema& schema = set.schema(table);
  const std::uint64_t count = set.entry_count(table);
  std::map<std::pair<std::uint32_t, std::vector<Integer>>, std::size_t> known;
  std::vector<Alternative> result;
  for (std::uint64_t rank = 1; rank <= count && !miss.is_false(); ++rank) {
    const tables::InstalledEntry entry = set.entry(table, rank);
    const Expr matched = matches(schema, entry.matches, keys);
    if (matched.is_false()) continue;
    const Expr wins = context_.and_(miss, matched);
    miss = context_.and_(miss, context_.not_(matched));
    if (entry.actions.size() != 1) {
      note_unexplored(wins,
                      fmt::format("not supported yet: exploring the groups of table '{}'", schema.name));
      continue;
    }
    const tables::ActionCall& action = entry.actions.front();
    const auto [at, is_new] = known.try_emplace({action.action, action.arguments}, result.size());
    if (is_new) {
      Alternative& first = result.emplace_back();
      first.condition = wins;
      first.hit = true;
      first.action = action.action;
      first.data = constants(schema.actions[action.action], action);
      first.visited = context_.constant(kWide, rank);
      first.prefix_length = context_.constant(kNarrow, entry.prefix_length);
      first.entry = context_.constant(kWide, entry.number);
    } else {
      Alternative& same = result[at->second];
      same.condition = context_.or_(same.condition, wins);
      same.visited = context_.ite(wins, context_.constant(kWide, rank), same.visited);
      same.prefix_length =
          context_.ite(wins, context_.constant(kNarrow, entry.prefix_length), same.prefix_length);
      same.entry = context_.ite(wins, context_.constant(kWide, entry.number), same.entry);
    }
  }
  return result;
}

std::vector<Expr> Explorer::Machine::constants(const tables::ActionSchema& schema,
                                               const tables::ActionCall& action) {
  std::vector<Expr> data;
  for (std::size_t i = 0; i < action.arguments.size(); ++i) {
    const std::uint32_t width = schema.parameters[i].width;
    data.push_back(width == 0 ? Expr() : context_.constant(width, action.arguments[i]));
  }
  return data;
}

std::vector<Explorer::Machine::Alternative> Explorer::Machine::misses(tables::TableId table,
                                                                      const std::vector<Expr>& keys,
                                                                      Expr miss) {
  const TableSchema& schema = initial_.schema(table);
  std::vector<Alternative> result;
  if (has_open_default(table)) {
    for (std::uint32_t action = 0; action < schema.actions.size(); ++action)
      if (!schema.actions[action].table_only) result.push_back(open_alternative(table, keys, false, action));
    return result;
  }
  const std::span<const tables::ActionCall> defaults = installed().default_actions(table);
  if (defaults.size() != 1) {
    note_unexplored(miss, fmt::format("not supported yet: exploring the groups of table '{}'", schema.name));
    return result;
  }
  Alternative& one = result.emplace_back();
  one.is_open = has_open_entries(table);
  one.action = defaults.front().action;
  one.data = constants(schema.actions[one.action], defaults.front());
  one.condition =
      one.is_open ? consistent({table, keys, {}, false, one.action, one.data}) : context_.boolean(true);
  return result;
}

std::vector<Explorer::Machine::Alternative> Explorer::Machine::alternatives(tables::TableId table,
                                                                            const std::vector<Expr>& keys) {
  const TableSchema& schema = initial_.schema(table);
  std::vector<Alternative> result;
  Expr miss = context_.boolean(true);
  if (has_open_entries(table)) {
    for (std::uint32_t action = 0; action < schema.actions.size(); ++action)
      if (!schema.actions[action].default_only) result.push_back(open_alternative(table, keys, true, action));
  } else if (is_large(table)) {
    result = large_hits(table, keys);
  } else if (!schema.keys.empty()) {
    result = installed_hits(table, keys, miss);
  }
  for (Alternative& one : misses(table, keys, miss)) {
    one.condition = context_.and_(one.condition, miss);
    one.visited = entries(table);
    one.prefix_length = context_.zero(kNarrow);
    one.entry = context_.constant(kWide, tables::kNoEntry);
    result.push_back(std::move(one));
  }
  return result;
}

Expr Explorer::Machine::entries(tables::TableId table) {
  if (!has_open_entries(table)) return context_.constant(kWide, installed().entry_count(table));
  return context_.zext(
      context_.symbol(fmt::format("{}.entries", tables_[static_cast<std::size_t>(table)]), kNarrow), kWide);
}

std::optional<std::size_t> Explorer::Machine::pick_alternative(const std::vector<Alternative>& alternatives,
                                                               tables::TableId table,
                                                               const std::vector<Expr>& keys) {
  if (is_large(table)) return pick_large(alternatives, table, keys);
  std::vector<Expr> conditions;
  conditions.reserve(alternatives.size());
  for (const Alternative& one : alternatives) conditions.push_back(one.condition);
  return pick(conditions);
}

Explorer::Machine::Step Explorer::Machine::lookup(const Instruction& call) {
  const auto table = static_cast<tables::TableId>(number(call, 0));
  const TableSchema& schema = initial_.schema(table);
  std::vector<Expr> keys;
  std::vector<Expr> selectors;
  for (std::size_t i = 0; i < schema.keys.size(); ++i) {
    const bool is_selector = schema.keys[i].kind == MatchKind::Selector;
    keys.push_back(is_selector ? Expr() : argument(call, i + 1));
    if (is_selector) selectors.push_back(argument(call, i + 1));
  }
  note_other_members(table, keys, selectors);
  const std::vector<Alternative> all = alternatives(table, keys);
  const std::optional<std::size_t> picked = pick_alternative(all, table, keys);
  if (!picked) return Step::End;
  const Alternative& chosen = all[*picked];
  if (is_large(table)) state_.installed.push_back(installed_lookup(table, keys, chosen));
  ++state_.lookups_of[static_cast<std::size_t>(table)];
  if (chosen.is_open)
    state_.lookups.push_back({table, keys, selectors, chosen.hit, chosen.action, chosen.data});
  give(call, context_.boolean(chosen.hit), 0);
  give(call, context_.constant(kNarrow, chosen.action), 1);
  give(call, entries(table), 2);
  give(call, chosen.visited, 3);
  give(call, chosen.prefix_length, 4);
  give(call, chosen.entry, 5);
  state_.data.clear();
  for (Expr value : chosen.data) {
    state_.data.push_back(value);
    const std::size_t words = value ? (value.width() + kWide - 1) / kWide : 0;
    for (std::size_t i = 1; i < words; ++i) state_.data.emplace_back();
  }
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::lookup_data(const Instruction& call) {
  give(call, state_.data.at(number(call, 0)));
  return Step::Next;
}

}  // namespace perfpact::explore
