#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "explore/byte.h"
#include "explore/native/machine.h"
#include "smt/learned.h"
#include "smt/sums.h"

namespace perfpact::explore {
namespace {

constexpr std::uint64_t kAddress = 8;         // bytes
constexpr std::size_t kSamplesOfMembers = 8;  // that a merge begins with
constexpr std::size_t kMostSilent = 2;  // members that a relation has to follow for, at most half of more

// How many bits can be other than zero, rounded up to a usual width.
std::uint32_t significant_bits(smt::Expr value, smt::LearnedFacts& facts) {
  if (value.width() > 64) return value.width();
  const auto bits = static_cast<std::uint32_t>(std::bit_width(facts.of(value).high));
  return std::min(value.width(), std::max<std::uint32_t>(std::bit_ceil(bits), kByte));
}

// A member's constraints with the new symbols in the place of what they stand for, those that speak of
// nothing else that is the member's own.
template <class IsLocal, class IsCommon>
std::vector<smt::Expr> relations_of(smt::Context& context, IsLocal is_local, IsCommon is_common,
                                    std::span<const smt::Expr> constraints, std::span<const smt::Expr> values,
                                    std::span<const smt::Expr> stand_ins) {
  smt::NodeMap<smt::Expr> abstracted;
  std::vector<std::size_t> numbers;  // of symbols that others than flags and bytes have
  for (std::size_t i = 0; i < stand_ins.size(); ++i) {
    const smt::Expr whole = values[i];
    if (whole.is_constant() || whole.width() > 64 || whole.width() <= kByte) continue;
    numbers.push_back(i);
    if (abstracted.find(whole) == nullptr) abstracted.set(whole, context.zext(stand_ins[i], whole.width()));
  }
  // A comparison may have been narrowed to fewer bits than the value has.
  const auto abstract = [&](smt::Expr term) {
    if (term.is_constant() || abstracted.find(term) != nullptr) return;
    for (std::size_t i : numbers) {
      const smt::Expr whole = values[i];
      const std::uint32_t width = term.width();
      if (width > whole.width() || context.extract(width - 1, 0, whole) != term) continue;
      const smt::Expr stand_in = stand_ins[i];
      abstracted.set(term, width < stand_in.width() ? context.extract(width - 1, 0, stand_in)
                                                    : context.zext(stand_in, width));
      return;
    }
  };
  std::vector<smt::Expr> relations;
  for (smt::Expr constraint : constraints) {
    if (!is_local(constraint) && is_common(constraint)) continue;
    const smt::Expr comparison = constraint.is(smt::Op::Not) ? constraint[0] : constraint;
    for (std::size_t i = 0; i < comparison.arity(); ++i) abstract(comparison[i]);
    const smt::Expr relation = context.rebuild(constraint, [](smt::Expr) { return smt::Expr(); }, abstracted);
    if (relation != constraint && !is_local(relation)) relations.push_back(relation);
  }
  return relations;
}

// Relations are many, and few are needed: one that takes more to prove is done without.
bool follows_from_sums(smt::Context& context, std::span<const smt::Expr> constraints, smt::Expr bit,
                       smt::LearnedFacts& facts) {
  const smt::Expr other = context.not_(bit);
  const std::size_t mark = facts.mark();
  facts.assume(other);
  smt::Sums sums(facts);
  for (smt::Expr constraint : constraints) sums.demand(constraint);
  sums.demand(other);
  const bool follows = sums.is_contradictory();
  facts.undo(mark);
  return follows;
}

std::string field_name(lift::Field field) {
  constexpr std::array<std::string_view, 7> kFlags{"cf", "parity", "af", "zf", "sf", "of", "df"};
  const auto number = static_cast<std::size_t>(field);
  if (number < x86::kGprs) return std::string(x86::kGprNames[number]);
  if (field < lift::Field::Cf) return fmt::format("xmm{}", number - x86::kGprs);
  if (field <= lift::Field::Df)
    return std::string(kFlags[number - static_cast<std::size_t>(lift::Field::Cf)]);
  return field == lift::Field::FsBase ? "fs" : "gs";
}

}  // namespace

/// A merge in the making.
struct NativeExplorer::Machine::Merging {
  std::vector<Parked>& members;
  NativeState state;                                      // that goes on
  std::shared_ptr<Merge> merge;                           // a segment for each member
  std::vector<Expr> symbols;                              // each has a value in every segment, in this order
  std::vector<std::vector<Expr>> wholes;                  // by member and symbol: values at their whole width
  std::vector<std::vector<Expr>> constraints;             // of the members
  std::vector<std::set<std::uint32_t>> known;             // their ids
  std::vector<std::unique_ptr<smt::LearnedFacts>> facts;  // that follow from them
};

bool NativeExplorer::Machine::is_local(Expr expr) {
  smt::post_order(
      expr, [&](Expr one) { return locals_.find(one) != nullptr; },
      [&](Expr one) {
        bool local =
            one.is(smt::Op::Symbol) && one.symbol() < local_symbols_.size() && local_symbols_[one.symbol()];
        for (std::size_t i = 0; i < one.arity(); ++i) local = local || *locals_.find(one[i]);
        locals_.set(one, local);
      });
  return *locals_.find(expr);
}

// ---- Waiting

NativeExplorer::Machine::MergeKey NativeExplorer::Machine::merge_key(std::uint64_t address) const {
  MergeKey key{state_.counts.instructions,    state_.counts.loads, state_.counts.stores, address,
               reg(lift::gpr(x86::Rsp)).id(), state_.times.size(), state_.calls.size()};
  key.insert(key.end(), state_.pcvs.begin(), state_.pcvs.end());
  return key;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::park(std::uint64_t address) {
  Parked parked;
  if (check_whole(&parked.sample).is_unsat()) return Step::End;
  std::vector<Parked>& group = parked_[merge_key(address)];
  parked.state = std::move(state_);
  group.push_back(std::move(parked));
  return Step::End;
}

// Those with the fewest instructions: whoever comes to their place has come.
bool NativeExplorer::Machine::refill() {
  if (parked_.empty()) return false;
  std::vector<std::vector<Parked>> classes;
  auto group = parked_.extract(parked_.begin());
  for (Parked& one : group.mapped()) {
    const auto fits = std::ranges::find_if(
        classes, [&](const auto& members) { return can_merge(members.front().state, one.state); });
    (fits == classes.end() ? classes.emplace_back() : *fits).push_back(std::move(one));
  }
  for (std::size_t i = classes.size(); i-- > 0;) release(std::move(classes[i]));
  return true;
}

void NativeExplorer::Machine::abandon(const std::string& reason) {
  for (const auto& [key, group] : parked_)
    for (const Parked& parked : group) gaps_.push_back({reason, {}, parked.state.constraints});
  parked_.clear();
}

bool NativeExplorer::Machine::is_code(Expr value) const {
  if (!value.is_constant()) return false;
  const process::Mapping* mapping = process_.mapping_of(value.value().word());
  return mapping != nullptr && mapping->executable;
}

// Where states go on must not depend on what is merged: return addresses and pointers to functions.
bool NativeExplorer::Machine::can_merge(const NativeState& a, const NativeState& b) const {
  // What calls leave behind is not merged yet.
  if (!a.calls.empty() || !b.calls.empty()) return false;
  const std::vector<Expr>& ours = a.regions.front()->cells;
  const std::vector<Expr>& theirs = b.regions.front()->cells;
  for (std::size_t i = 0; i < x86::kGprs; ++i)
    if (ours[i] != theirs[i] && (is_code(ours[i]) || is_code(theirs[i]))) return false;
  const auto has_other = [&](const Memory& memory, const Memory& other) {
    return std::ranges::any_of(memory.written(), [&](const Memory::Written& byte) {
      if (byte.index != 0 || byte.value.width() != kAddress * kByte || !is_code(byte.value)) return false;
      // No new expression: equal memory is written by the same value.
      const auto bytes = other.written();
      const auto at = std::ranges::lower_bound(bytes, byte.address, std::less{}, &Memory::Written::address);
      return at == bytes.end() || *at != byte;
    });
  };
  return !has_other(a.memory, b.memory) && !has_other(b.memory, a.memory);
}

// One that is alone goes on as it is. But where others were merged it takes their form, so that its questions
// are those that were asked before.
void NativeExplorer::Machine::release(std::vector<Parked> members) {
  NativeState& first = members.front().state;
  const std::uint64_t address = first.next.value().word();
  const bool was_merged_here = std::ranges::find(merged_at_, address) != merged_at_.end();
  const bool is_plain = !first.origin && first.reads.empty();
  if (members.size() == 1 && (is_plain || !was_merged_here)) {
    first.is_released = true;
    open_.push_back(std::move(first));
    return;
  }
  if (!was_merged_here) merged_at_.push_back(address);
  open_.push_back(merge(members));
}

// ---- Merging

NativeState NativeExplorer::Machine::merge(std::vector<Parked>& members) {
  Merging merging{.members = members, .state = members.front().state, .merge = std::make_shared<Merge>()};
  NativeState& state = merging.state;
  merging.wholes.resize(members.size());
  std::set<program::PathId> ids;
  for (const Parked& member : members) {
    const NativeState& one = member.state;
    merging.merge->members.push_back({one.origin, one.constraints, one.reads, {}});
    merging.merge->ways += one.origin ? one.origin->ways : Integer(1);
    merging.constraints.push_back(one.constraints.to_vector());
    std::set<std::uint32_t>& known = merging.known.emplace_back();
    auto& facts = merging.facts.emplace_back(std::make_unique<smt::LearnedFacts>());
    for (Expr constraint : merging.constraints.back()) {
      known.insert(constraint.id());
      facts->assume(constraint);
    }
    ids.insert(one.path.id());
    state.visits.resize(std::max(state.visits.size(), one.visits.size()));
    for (std::size_t i = 0; i < one.visits.size(); ++i)
      state.visits[i] = std::max(state.visits[i], one.visits[i]);
  }
  state.path = {};
  for (program::PathId id : ids) state.path.decide(0, static_cast<std::uint64_t>(id));
  state.constraints = {};
  state.reads.clear();
  state.fixed.clear();
  state.sites.clear();
  state.stores_in_stack = state.stores_outside = 0;
  merge_registers(merging);
  merge_memory(merging);
  merge_constraints(merging);
  add_samples(merging);
  merging.merge->constraints = state.constraints;
  state.origin = merging.merge;
  state.is_released = true;
  return std::move(state);
}

smt::Expr NativeExplorer::Machine::merged_value(Merging& merging, const std::string& name,
                                                std::span<const Expr> values) {
  std::uint32_t width = 1;
  for (std::size_t i = 0; i < values.size(); ++i)
    width = std::max(width, significant_bits(values[i], *merging.facts[i]));
  const std::uint32_t whole = values.front().width();
  const Expr symbol = context_.symbol(
      fmt::format("merged.{}{}", name, width < whole ? fmt::format(":{}", width / kByte) : ""), width);
  local_symbols_.resize(context_.symbols());
  local_symbols_[symbol.symbol()] = true;
  merging.symbols.push_back(symbol);
  for (std::size_t i = 0; i < values.size(); ++i) merging.wholes[i].push_back(values[i]);
  for (std::size_t i = 0; i < values.size(); ++i)
    merging.merge->members[i].values.emplace_back(symbol, context_.extract(width - 1, 0, values[i]));
  return context_.zext(symbol, whole);
}

void NativeExplorer::Machine::merge_registers(Merging& merging) {
  auto region = std::make_shared<Region>(*merging.state.regions.front());
  for (std::size_t field = 0; field < lift::kFields; ++field) {
    std::vector<Expr> values;
    for (const Parked& member : merging.members) values.push_back(member.state.regions.front()->cells[field]);
    const bool is_same = std::ranges::all_of(values, [&](Expr value) { return value == values.front(); });
    if (is_same && !is_local(values.front())) continue;
    region->cells[field] = merged_value(merging, field_name(static_cast<lift::Field>(field)), values);
  }
  merging.state.regions.front() = std::move(region);
}

// Piece by piece, as the first member that has one stored it.
void NativeExplorer::Machine::merge_memory(Merging& merging) {
  std::map<std::uint64_t, std::vector<const Memory::Written*>> bytes;
  std::vector<std::vector<Memory::Written>> written;
  for (const Parked& member : merging.members) written.push_back(member.state.memory.written());
  for (const auto& of_member : written)
    for (const Memory::Written& byte : of_member) bytes[byte.address].push_back(&byte);
  std::uint64_t done = 0;  // up to this address
  for (const auto& [address, versions] : bytes) {
    if (address < done) continue;
    const auto is_first = [&](const Memory::Written* byte) { return *byte == *versions.front(); };
    if (versions.size() == merging.members.size() && std::ranges::all_of(versions, is_first) &&
        !is_local(versions.front()->value))
      continue;
    const auto piece = std::ranges::find(versions, 0U, &Memory::Written::index);
    const std::uint32_t count = piece == versions.end() ? 1 : (*piece)->value.width() / kByte;
    std::vector<Expr> values;
    for (const Parked& member : merging.members)
      values.push_back(member.state.memory.load(context_, address, count));
    done = address + count;
    const bool is_same = std::ranges::all_of(values, [&](Expr value) { return value == values.front(); });
    merging.state.memory.store(address, is_same && !is_local(values.front())
                                            ? values.front()
                                            : merged_value(merging, merged_name(address, count), values));
  }
}

// `packet[20]`, `stack[16]` (bytes below where the entry function began), `table+0x10`.
std::string NativeExplorer::Machine::merged_name(std::uint64_t address, std::uint32_t bytes) const {
  if (address >= packet_ && address < packet_ + options_.entry.longest)
    return fmt::format("packet[{}]{}", address - packet_, bytes == 1 ? "" : fmt::format(":{}", bytes));
  if (is_in_stack(address)) return fmt::format("stack[{}]:{}", stack_ + kAddress - address, bytes);
  return name_of(address, bytes);
}

// ---- What is known of what was merged

void NativeExplorer::Machine::merge_constraints(Merging& merging) {
  NativeState& state = merging.state;
  const std::size_t members = merging.members.size();
  const auto is_common = [&](Expr constraint) {
    return std::ranges::all_of(merging.known,
                               [&](const auto& known) { return known.contains(constraint.id()); });
  };
  for (Expr constraint : merging.constraints.front())
    if (!is_local(constraint) && is_common(constraint))
      state.constraints = state.constraints.with(context_, constraint);
  // What a merge knows of its symbols follows from the rest, where that is exact.
  merging.merge->is_exact = std::ranges::all_of(merging.members, [&](const Parked& member) {
    const NativeState& one = member.state;
    if (!one.reads.empty() || (one.origin && !one.origin->is_exact)) return false;
    const smt::Constraints before = one.origin ? one.origin->constraints : smt::Constraints();
    for (smt::Constraints added = one.constraints; !(added == before); added = added.before())
      if (is_local(added.last())) return false;
    return true;
  });
  if (merging.merge->is_exact) {
    Expr any = context_.boolean(false);
    for (std::size_t i = 0; i < members; ++i) {
      Expr rest = context_.boolean(true);
      for (Expr constraint : merging.constraints[i])
        if (!is_local(constraint) && !is_common(constraint)) rest = context_.and_(rest, constraint);
      any = context_.or_(any, rest);
    }
    state.constraints = state.constraints.with(context_, any);
  }
  demand_bounds(merging);
  demand_relations(merging);
}

void NativeExplorer::Machine::demand_bounds(Merging& merging) {
  smt::Constraints& constraints = merging.state.constraints;
  for (std::size_t i = 0; i < merging.symbols.size(); ++i) {
    const Expr symbol = merging.symbols[i];
    if (merging.wholes.front()[i].width() > 64) continue;
    smt::Facts all;
    for (std::size_t j = 0; j < merging.members.size(); ++j) {
      const smt::Facts facts = merging.facts[j]->of(merging.wholes[j][i]);
      all = j == 0 ? facts : join(all, facts);
    }
    if (all.is_empty()) continue;
    constraints =
        constraints.with(context_, context_.ule(context_.constant(symbol.width(), all.low), symbol));
    constraints =
        constraints.with(context_, context_.ule(symbol, context_.constant(symbol.width(), all.high)));
  }
}

// What all members demand of what was merged. Some say so in words of their own; the others have it follow.
void NativeExplorer::Machine::demand_relations(Merging& merging) {
  // New symbols have the names of the members' own: not to be taken for these they get others meanwhile.
  std::vector<Expr> stand_ins;
  smt::NodeMap<Expr> named;
  for (Expr symbol : merging.symbols) {
    stand_ins.push_back(context_.symbol(fmt::format("next.{}", symbol.name()), symbol.width()));
    named.set(stand_ins.back(), symbol);
  }
  const auto keep = [](Expr) { return Expr(); };
  const auto follows_for = [&](Expr relation, std::size_t member) {
    smt::NodeMap<Expr> values;
    for (std::size_t i = 0; i < stand_ins.size(); ++i)
      values.set(stand_ins[i], merging.merge->members[member].values[i].second);
    const Expr bit = context_.rebuild(relation, keep, values);
    if (bit.is_constant() || merging.known[member].contains(bit.id())) return !bit.is_false();
    const smt::Facts facts = merging.facts[member]->of(bit);
    if (facts.is_fixed()) return facts.low == 1;
    return follows_from_sums(context_, merging.constraints[member], bit, *merging.facts[member]);
  };
  const auto is_common = [&](Expr constraint) {
    return std::ranges::all_of(merging.known,
                               [&](const auto& known) { return known.contains(constraint.id()); });
  };
  std::vector<std::vector<Expr>> relations;
  for (std::size_t i = 0; i < merging.members.size(); ++i)
    relations.push_back(relations_of(
        context_, [this](Expr expr) { return is_local(expr); }, is_common, merging.constraints[i],
        merging.wholes[i], stand_ins));
  const auto says = [&](Expr relation, std::size_t member) {
    return std::ranges::find(relations[member], relation) != relations[member].end();
  };
  std::vector<Expr> candidates;
  for (const auto& of_member : relations)
    for (Expr relation : of_member)
      if (std::ranges::find(candidates, relation) == candidates.end()) candidates.push_back(relation);
  for (Expr relation : candidates) {
    std::size_t silent = 0;
    for (std::size_t i = 0; i < merging.members.size(); ++i) silent += says(relation, i) ? 0 : 1;
    if (silent > kMostSilent && silent * 2 > merging.members.size()) continue;
    bool is_invariant = true;
    for (std::size_t i = 0; i < merging.members.size() && is_invariant; ++i)
      is_invariant = says(relation, i) || follows_for(relation, i);
    if (is_invariant)
      merging.state.constraints =
          merging.state.constraints.with(context_, context_.rebuild(relation, keep, named));
  }
}

void NativeExplorer::Machine::add_samples(Merging& merging) {
  for (std::size_t i = 0; i < merging.members.size() && merging.merge->samples.size() < kSamplesOfMembers;
       ++i) {
    const Bindings& known = merging.members[i].sample;
    if (known.empty()) continue;
    smt::NodeMap<Expr> put_in;
    Sample sample;
    auto model = std::make_shared<smt::Model>();
    for (const auto& [symbol, value] : known) {
      put_in.set(symbol, value);
      if (is_local(symbol)) continue;
      sample.inputs.emplace_back(symbol, value);
      model->set(symbol, value.value());
    }
    auto whole = std::make_shared<smt::Model>(*model);
    smt::Evaluation evaluation(std::move(model));
    for (const auto& [symbol, value] : merging.merge->members[i].values) {
      sample.values.emplace_back(symbol, context_.rebuild(value, [](Expr) { return Expr(); }, put_in));
      whole->set(symbol, evaluation.value(sample.values.back().second));
    }
    merging.merge->samples.push_back(std::move(sample));
    merging.state.constraints.note_model(std::move(whole));
  }
}

}  // namespace perfpact::explore
