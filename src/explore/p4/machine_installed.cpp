// Large tables that are installed. A look-up has an alternative for each action that its entries have, and
// one for a miss; the action's data are symbols. Which entry it is stays open, and no entry becomes a formula
// of the path: whether a path is possible is asked of the solver, then of the tables. Where the solver's
// model and a table differ, the entries are tried one by one, the one that agreed last first, each as a
// constraint for the time of this question only.
#include <algorithm>

#include "explore/p4/machine.h"

namespace perfpact::explore {

using smt::Expr;

bool Explorer::Machine::is_large(tables::TableId table) const {
  return !has_open_entries(table) && !initial_.schema(table).implementation &&
         installed().entry_count(table) > options_.limits.entries;
}

const Explorer::Machine::SameAction& Explorer::Machine::entries_with(tables::TableId table,
                                                                     std::uint32_t action) {
  by_action_.resize(program_.tables.size());
  auto& known = by_action_[static_cast<std::size_t>(table)];
  if (known.empty())
    for (std::uint64_t rank = 1; rank <= installed().entry_count(table); ++rank) {
      const tables::ActionCall& call = installed().entry(table, rank).actions.front();
      SameAction& same = known[call.action];
      same.ranks.push_back(rank);
      same.values.resize(call.arguments.size());
      for (std::size_t i = 0; i < call.arguments.size(); ++i)
        if (same.values[i].size() <= kFewValues) same.values[i].insert(call.arguments[i]);
    }
  return known[action];
}

// What all entries say alike is a constant; of few values it is known that there are no others.
std::vector<Explorer::Machine::Alternative> Explorer::Machine::large_hits(tables::TableId table,
                                                                          const std::vector<Expr>& keys) {
  std::vector<Alternative> result;
  for (std::uint32_t action = 0; action < initial_.schema(table).actions.size(); ++action) {
    const SameAction& entries = entries_with(table, action);
    if (entries.ranks.empty()) continue;
    Alternative& one = result.emplace_back(open_alternative(table, keys, true, action));
    one.is_open = false;
    one.condition = context_.boolean(true);
    for (std::size_t i = 0; i < one.data.size(); ++i) {
      const std::set<Integer>& values = entries.values[i];
      Expr& value = one.data[i];
      if (!value || values.size() > kFewValues) continue;
      const std::uint32_t width = value.width();
      if (values.size() == 1) {
        value = context_.constant(width, *values.begin());
        continue;
      }
      Expr is_one = context_.boolean(false);
      for (const Integer& number : values)
        is_one = context_.or_(is_one, context_.eq(value, context_.constant(width, number)));
      one.condition = context_.and_(one.condition, is_one);
    }
  }
  return result;
}

InstalledLookup Explorer::Machine::installed_lookup(tables::TableId table, const std::vector<Expr>& keys,
                                                    const Alternative& alternative) {
  InstalledLookup lookup{table, keys, alternative.hit, alternative.action, alternative.data, 0};
  if (lookup.hit) lookup.likely_entry = entries_with(table, lookup.action).ranks.front();
  return lookup;
}

std::optional<std::size_t> Explorer::Machine::pick_large(const std::vector<Alternative>& alternatives,
                                                         tables::TableId table,
                                                         const std::vector<Expr>& keys) {
  if (state_.picked) return std::exchange(state_.picked, std::nullopt);
  std::vector<std::size_t> possible;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    state_.installed.push_back(installed_lookup(table, keys, alternatives[i]));
    if (judge(alternatives[i].condition).is_sat()) possible.push_back(i);
    state_.installed.pop_back();
  }
  if (possible.empty()) return std::nullopt;
  for (std::size_t i = possible.size(); i-- > 1;) fork(alternatives[possible[i]].condition, possible[i]);
  const Expr first = alternatives[possible.front()].condition;
  if (!first.is_true()) state_.constraints = state_.constraints.with(context_, first);
  return possible.front();
}

smt::Answer Explorer::Machine::check(const smt::Constraints& constraints, Expr condition) {
  smt::Answer answer = Engine::check(constraints, condition);
  if (!answer.is_sat() || state_.installed.empty()) return answer;
  std::uint64_t tries = options_.limits.tries;
  return agree(constraints.with(context_, condition), std::move(answer), tries);
}

tables::LookupResult Explorer::Machine::look_up(const InstalledLookup& lookup,
                                                smt::Evaluation& evaluation) const {
  std::vector<Integer> key;
  for (Expr field : lookup.keys) key.push_back(evaluation.value(field).number());
  return installed().lookup(lookup.table, key);
}

bool Explorer::Machine::agrees(const InstalledLookup& lookup, smt::Evaluation& evaluation) const {
  const tables::LookupResult found = look_up(lookup, evaluation);
  if (found.hit != lookup.hit) return false;
  if (!found.hit) return true;
  if (found.action->action != lookup.action) return false;
  for (std::size_t i = 0; i < lookup.data.size(); ++i)
    if (lookup.data[i] && evaluation.value(lookup.data[i]).number() != found.action->arguments[i])
      return false;
  return true;
}

// `answer` is sat; so is what comes back if its model is one for all tables.
smt::Answer Explorer::Machine::agree(const smt::Constraints& constraints, smt::Answer answer,
                                     std::uint64_t& tries) {
  smt::Evaluation evaluation(answer.model);
  for (InstalledLookup& lookup : state_.installed) {
    if (agrees(lookup, evaluation)) continue;
    return lookup.hit ? find_entry(constraints, lookup, tries)
                      : find_miss(constraints, lookup, std::move(answer), tries);
  }
  return answer;
}

smt::Answer Explorer::Machine::find_entry(const smt::Constraints& constraints, InstalledLookup& lookup,
                                          std::uint64_t& tries) {
  const std::uint64_t likely = lookup.likely_entry;
  smt::Answer answer = try_entry(constraints, lookup, likely, tries);
  for (std::uint64_t rank : entries_with(lookup.table, lookup.action).ranks) {
    if (!answer.is_unsat()) break;
    if (rank == likely) continue;
    answer = try_entry(constraints, lookup, rank, tries);
    if (answer.is_sat()) lookup.likely_entry = rank;
  }
  return answer;
}

smt::Answer Explorer::Machine::try_entry(const smt::Constraints& constraints, const InstalledLookup& lookup,
                                         std::uint64_t rank, std::uint64_t& tries) {
  const tables::TableSchema& schema = initial_.schema(lookup.table);
  const tables::InstalledEntry entry = installed().entry(lookup.table, rank);
  Expr wins = matches(schema, entry.matches, lookup.keys);
  const std::vector<Expr> data = constants(schema.actions[lookup.action], entry.actions.front());
  for (std::size_t i = 0; i < data.size() && !wins.is_false(); ++i)
    if (data[i]) wins = context_.and_(wins, context_.eq(lookup.data[i], data[i]));
  while (!wins.is_false()) {
    smt::Answer answer = ask(constraints, wins, tries);
    if (!answer.is_sat()) return answer;
    smt::Evaluation evaluation(answer.model);
    if (agrees(lookup, evaluation)) return agree(constraints.with(context_, wins), std::move(answer), tries);
    // An entry before it wins.
    const std::uint64_t winner = look_up(lookup, evaluation).visited;
    const Expr matched = matches(schema, installed().entry(lookup.table, winner).matches, lookup.keys);
    wins = context_.and_(wins, context_.not_(matched));
  }
  return {.verdict = smt::Verdict::Unsat};
}

// The model's key hits an entry: not that one.
smt::Answer Explorer::Machine::find_miss(smt::Constraints constraints, const InstalledLookup& lookup,
                                         smt::Answer answer, std::uint64_t& tries) {
  const tables::TableSchema& schema = initial_.schema(lookup.table);
  while (answer.is_sat()) {
    smt::Evaluation evaluation(answer.model);
    const tables::LookupResult found = look_up(lookup, evaluation);
    if (!found.hit) return agree(constraints, std::move(answer), tries);
    const auto hit = installed().entry(lookup.table, found.visited);
    const Expr misses = context_.not_(matches(schema, hit.matches, lookup.keys));
    answer = ask(constraints, misses, tries);
    constraints = constraints.with(context_, misses);
  }
  return answer;
}

smt::Answer Explorer::Machine::ask(const smt::Constraints& constraints, Expr condition,
                                   std::uint64_t& tries) {
  if (is_out_of_time()) return {.verdict = smt::Verdict::Unknown, .reason = "time limit"};
  if (tries == 0)
    return {.verdict = smt::Verdict::Unknown,
            .reason = fmt::format("more than {} entries tried", options_.limits.tries)};
  --tries;
  return solver_.check(constraints, condition);
}

}  // namespace perfpact::explore
