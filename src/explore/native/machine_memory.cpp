#include <algorithm>
#include <bit>

#include "explore/byte.h"
#include "explore/native/machine.h"
#include "smt/sums.h"

namespace perfpact::explore {
namespace {

constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 28;  // of a table
constexpr std::uint64_t kFewAddresses = 4;                      // of a load that is written out as a formula

/// An address as a number that changes plus one that does not.
struct Sum {
  smt::Expr varying;
  std::uint64_t constant = 0;
};
Sum parts(smt::Expr address) {
  if (address.is(smt::Op::Add) && address[1].is_constant()) return {address[0], address[1].value().word()};
  return {address, 0};
}

std::string access(std::uint32_t bytes, bool writes) {
  return fmt::format("{} {} byte{}", writes ? "stores" : "loads", bytes, bytes == 1 ? "" : "s");
}

smt::Facts range_by_sums(const smt::Constraints& constraints, smt::Expr expr) {
  const std::vector<smt::Expr> demanded = constraints.to_vector();
  smt::LearnedFacts facts;
  for (smt::Expr constraint : demanded) facts.assume(constraint);
  smt::Sums sums(facts);
  for (smt::Expr constraint : demanded) sums.demand(constraint);
  return sums.range(expr);
}

}  // namespace

NativeExplorer::Machine::Step NativeExplorer::Machine::load(const Instruction& call) {
  const Expr address = argument(call, 0);
  const auto bytes = static_cast<std::uint32_t>(call.intrinsic.width / kByte);
  const std::optional<Reach> where = reach(address, bytes, false);
  if (!where) return Step::End;
  const Expr lowest = state_.memory.load(context_, where->low, bytes);
  if (where->low == where->high || !lowest) return give_loaded(call, lowest);
  if (!state_.memory.load(context_, where->high, bytes)) return give_loaded(call, {});
  if (const auto addresses = candidates(address, *where, kFewAddresses))
    return give_loaded(call, choose(state_.memory, address, *addresses, bytes));
  const auto [first, step] = steps(address, *where);
  const std::uint64_t span = where->high - first;
  if (bytes <= sizeof(std::uint64_t) && span / step < kMostEntries &&
      !state_.memory.is_written(first, span + bytes))
    return give_loaded(call, read(address, *where, bytes, table({first, where->high}, step, bytes)));
  if (span / step < options_.limits.candidates) return give_loaded(call, read(address, *where, bytes));
  const std::optional<std::uint64_t> one = concrete_word(address);
  if (!one) return Step::End;
  return give_loaded(call, state_.memory.load(context_, *one, bytes));
}

// The kernel's pages in a program ([vvar]) can be read by the program alone.
NativeExplorer::Machine::Step NativeExplorer::Machine::give_loaded(const Instruction& call, Expr value) {
  if (!value) return unreadable();
  give(call, value);
  return Step::Next;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::store(const Instruction& call) {
  const Expr address = argument(call, 0);
  const Expr value = argument(call, 1);
  const auto bytes = static_cast<std::uint32_t>(value.width() / kByte);
  const std::optional<Reach> where = reach(address, bytes, true);
  if (!where) return Step::End;
  if (where->low == where->high) {
    write(where->low, value);
    return Step::Next;
  }
  if (const auto addresses = candidates(address, *where, options_.limits.stores)) {
    for (std::uint64_t candidate : *addresses) {
      const Expr held = state_.memory.load(context_, candidate, bytes);
      write(candidate, context_.ite(context_.eq(address, word(candidate)), value, held));
    }
    return Step::Next;
  }
  const std::optional<std::uint64_t> one = concrete_word(address);
  if (!one) return Step::End;
  write(*one, value);
  return Step::Next;
}

void NativeExplorer::Machine::write(std::uint64_t address, Expr value) {
  state_.memory.store(address, value);
  const auto bytes = static_cast<std::uint32_t>(value.width() / kByte);
  const bool in_packet = address >= packet_ && address + bytes <= packet_ + options_.entry.longest;
  const bool in_stack = is_in_stack(address);
  ++(in_stack ? state_.stores_in_stack : state_.stores_outside);
  if (in_packet || in_stack || object_at(address) != nullptr) return;
  std::uint32_t& most = written_[address];
  most = std::max(most, bytes);
}

void NativeExplorer::Machine::note_access(Expr address, std::uint32_t bytes) {
  const Reach known = known_bounds(address);
  state_.accesses.push_back({static_cast<std::uint32_t>(state_.sites.size() - 1), bytes,
                             known.low == known.high ? word(known.low) : address});
}

// Below where the entry function began.
bool NativeExplorer::Machine::is_in_stack(std::uint64_t address) const {
  return address < stack_ + sizeof(std::uint64_t) && address >= stack_end_;
}

// ---- Addresses

bool NativeExplorer::Machine::is_inside(const Reach& reach, std::uint32_t bytes, bool writes) const {
  if (const Object* object = object_at(reach.low))
    return reach.high >= reach.low && reach.high <= object->end - bytes;
  const Snapshot::Extent* extent = snapshot_->extent(reach.low);
  if (extent == nullptr || (writes && !extent->writable)) return false;
  const std::uint64_t end = writes ? extent->end : snapshot_->end_of_loads(*extent);
  return reach.high >= reach.low && reach.high <= end - bytes;
}

std::optional<NativeExplorer::Machine::Reach> NativeExplorer::Machine::reach(Expr address,
                                                                             std::uint32_t bytes,
                                                                             bool writes) {
  if (state_.picked) return pick_region(address, bytes, writes);
  Reach reach = known_bounds(address);
  if (!address.is_constant() && (writes || !is_good_enough(reach, bytes))) reach = bounds(address);
  if (is_inside(reach, bytes, writes)) return reach;
  if (!address.is_constant()) return pick_region(address, bytes, writes);
  fault(fmt::format("{} at {:#x}, where there is no memory{}", access(bytes, writes), reach.low,
                    writes && snapshot_->extent(reach.low) != nullptr ? " to write" : ""));
  return std::nullopt;
}

// Of a load. What lies around a table is better not taken for its entries.
bool NativeExplorer::Machine::is_good_enough(const Reach& reach, std::uint32_t bytes) const {
  const std::uint64_t span = reach.high - reach.low;
  return span < options_.limits.candidates && is_inside(reach, bytes, false) &&
         state_.memory.is_written(reach.low, span + bytes);
}

// Without asking the solver.
NativeExplorer::Machine::Reach NativeExplorer::Machine::known_bounds(Expr address) {
  const auto [varying, constant] = parts(address);
  const smt::Facts& facts = varying.facts();
  if (facts.low + constant > facts.high + constant) return {0, ~std::uint64_t{0}};
  return {facts.low + constant, facts.high + constant};
}

NativeExplorer::Machine::Reach NativeExplorer::Machine::bounds(Expr address) {
  const auto [varying, constant] = parts(address);
  const Reach reach = interval(varying);
  const bool wraps = reach.low + constant > reach.high + constant;
  return wraps ? interval(address) : Reach{reach.low + constant, reach.high + constant};
}

// The narrowest that the solver vouches for.
NativeExplorer::Machine::Reach NativeExplorer::Machine::interval(Expr varying) {
  if (const std::optional<Reach> reach = interval_by_table(varying)) return *reach;
  const smt::Facts range = range_by_sums(state_.constraints, varying);
  Reach reach{range.low, range.high};
  const smt::Answer some = check(state_.constraints, context_.boolean(true));
  if (some.is_sat()) {
    const std::uint64_t inside = smt::Evaluation(some.model).value(varying).word();
    const auto can_be = [&](Expr condition) -> std::optional<std::uint64_t> {
      const smt::Answer answer = check(state_.constraints, condition);
      if (answer.is_unsat()) return std::nullopt;
      return answer.is_sat() ? smt::Evaluation(answer.model).value(varying).word() : inside;
    };
    // Mostly the ends are known.
    for (std::uint64_t high = inside, middle = reach.low; reach.low < high;) {
      const auto found = can_be(context_.ule(varying, word(middle)));
      if (!found)
        reach.low = middle + 1;
      else if (*found >= high)
        break;  // unknown
      else
        high = std::max(*found, reach.low);
      middle = reach.low + (high - reach.low) / 2;
    }
    for (std::uint64_t low = inside, middle = reach.high; low < reach.high;) {
      const auto found = can_be(context_.ule(word(middle), varying));
      if (!found)
        reach.high = middle - 1;
      else if (*found <= low)
        break;
      else
        low = std::min(*found, reach.high);
      middle = reach.high - (reach.high - low) / 2;
    }
  }
  return reach;
}

// Where an access can lie, all of it in one of these: extents, objects, and for loads what lies across two
// extents.
std::vector<Snapshot::Extent> NativeExplorer::Machine::regions(std::uint32_t bytes, bool writes) const {
  std::vector<Snapshot::Extent> all;
  for (const Snapshot::Extent& extent : snapshot_->extents()) {
    if (writes && !extent.writable) continue;
    if (!writes && bytes > 1 && !all.empty() && all.back().end == extent.begin)
      all.push_back({extent.begin - (bytes - 1), extent.begin + (bytes - 1), false});
    all.push_back(extent);
  }
  for (const Object& object : state_.objects)
    if (object.end - object.begin >= bytes) all.push_back({object.begin, object.end, true});
  return all;
}

// Goes on once for each region that the access can lie in, and into an error where it lies in none.
std::optional<NativeExplorer::Machine::Reach> NativeExplorer::Machine::pick_region(Expr address,
                                                                                   std::uint32_t bytes,
                                                                                   bool writes) {
  if (const std::optional<std::string> name = opened_in(address); name && !state_.picked) {
    end_in_gap(fmt::format("an address made of '{}', which packets change and no assumption limits", *name));
    return std::nullopt;
  }
  const std::vector<Snapshot::Extent> all = regions(bytes, writes);
  std::vector<Expr> conditions;
  Expr nowhere = context_.boolean(true);
  for (const Snapshot::Extent& extent : all) {
    const Expr inside =
        context_.ule(context_.sub(address, word(extent.begin)), word(extent.end - extent.begin - bytes));
    conditions.push_back(inside);
    nowhere = context_.and_(nowhere, context_.not_(inside));
  }
  conditions.push_back(nowhere);
  const std::optional<std::size_t> picked = pick(conditions);
  if (!picked) return std::nullopt;
  if (*picked == all.size()) {
    fault(fmt::format("{} where there is no memory", access(bytes, writes)));
    return std::nullopt;
  }
  const Reach inner = bounds(address);
  const Snapshot::Extent& extent = all[*picked];
  return Reach{std::max(inner.low, extent.begin), std::min(inner.high, extent.end - bytes)};
}

NativeExplorer::Machine::Steps NativeExplorer::Machine::steps(Expr address, const Reach& reach) {
  const smt::Facts& facts = address.facts();
  const int fixed = std::countr_one(facts.zeros | facts.ones);
  const std::uint64_t step = std::uint64_t{1} << std::min(fixed, 63);
  return {reach.low + ((facts.ones - reach.low) & (step - 1)), step};
}

std::optional<std::vector<std::uint64_t>> NativeExplorer::Machine::candidates(Expr address,
                                                                              const Reach& reach,
                                                                              std::uint64_t most) {
  const auto [first, step] = steps(address, reach);
  if (first > reach.high) return std::vector<std::uint64_t>{};
  if ((reach.high - first) / step >= most) return std::nullopt;
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t address_of = first;; address_of += step) {
    addresses.push_back(address_of);
    if (reach.high - address_of < step) return addresses;
  }
}

// A search tree over the addresses: parts that hold the same become one.
smt::Expr NativeExplorer::Machine::choose(const Memory& memory, Expr address,
                                          std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
  if (addresses.size() == 1) return memory.load(context_, addresses.front(), bytes);
  const std::size_t middle = addresses.size() / 2;
  const Expr low = choose(memory, address, addresses.first(middle), bytes);
  const Expr high = choose(memory, address, addresses.subspan(middle), bytes);
  if (!low || !high) return {};
  if (low == high) return low;
  const auto [varying, constant] = parts(address);
  const bool wraps = addresses.front() < constant;
  const Expr is_low = wraps ? context_.ult(address, word(addresses[middle]))
                            : context_.ult(varying, word(addresses[middle] - constant));
  return context_.ite(is_low, low, high);
}

// The name of a symbol of this kind that the expression depends on.
std::optional<std::string> NativeExplorer::Machine::symbol_in(Expr expr,
                                                              const std::function<bool(Expr)>& is_of_kind) {
  smt::NodeMap<bool> seen;
  std::optional<std::string> name;
  const auto is_done = [&](Expr one) { return name || seen.find(one) != nullptr; };
  smt::post_order(expr, is_done, [&](Expr one) {
    seen.set(one, true);
    if (one.is(smt::Op::Symbol) && is_of_kind(one)) name = one.name();
  });
  return name;
}

std::optional<std::string> NativeExplorer::Machine::opened_in(Expr expr) const {
  return symbol_in(expr, [this](Expr symbol) {
    return std::ranges::any_of(opened_, [&](const auto& variable) { return variable.second == symbol; });
  });
}

}  // namespace perfpact::explore
