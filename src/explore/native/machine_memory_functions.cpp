// Calls of functions of the C library that copy, fill, compare and scan memory (library::MemoryFunction).
// They are not run, whatever variant the machine's C library has chosen: what they do is what C11 (7.24) and
// POSIX say.
#include <algorithm>

#include "explore/byte.h"
#include "explore/native/machine.h"

namespace perfpact::explore {
namespace {

using library::MemoryFunction;

constexpr std::uint32_t kInt = 32;                  // bits
constexpr std::uint32_t kAtOnce = 8;                // bytes that are copied or filled
constexpr std::uint64_t kMostAtOnce = 1 << 16;      // bytes of a call
constexpr std::uint64_t kLongestScanned = 1 << 12;  // bytes of a string

struct Roles {
  std::vector<std::uint32_t> pointers;
  std::optional<std::uint32_t> count;
};

Roles roles_of(const library::Method& method) {
  switch (*method.memory) {
    case MemoryFunction::Copy:
    case MemoryFunction::Compare:
      return {{0, 1}, 2};
    case MemoryFunction::Fill:
      return {{0}, 2};
    case MemoryFunction::CompareStrings:
      return {{0, 1}, method.is_bounded ? std::optional(2U) : std::nullopt};
    case MemoryFunction::Length:
      return {{0}, method.is_bounded ? std::optional(1U) : std::nullopt};
  }
  return {};
}

}  // namespace

struct NativeExplorer::Machine::Effect {
  Expr result;  // rax
  Expr n;       // the PCV
  std::vector<std::pair<std::uint64_t, Expr>> writes;
};

NativeExplorer::Machine::Step NativeExplorer::Machine::do_to_memory(Call& call,
                                                                    std::uint64_t return_address) {
  const Roles roles = roles_of(call.method);
  for (const std::uint32_t position : roles.pointers) {
    if (const auto lost = lost_register_in(call.arguments[position])) return end_in_gap(depends_on(*lost));
    const std::optional<std::uint64_t> pointer = concrete_word(call.arguments[position]);
    if (!pointer) return Step::End;
    call.arguments[position] = word(*pointer);
  }
  if (roles.count)
    if (const auto lost = lost_register_in(call.arguments[*roles.count]))
      return end_in_gap(depends_on(*lost));
  Effect effect;
  if (const Step step = effect_of(call, effect); step != Step::Next) return step;
  NativeCall done = ended(call, {.outcome = &call.method.outcomes.front()}, return_address);
  done.pcvs = {effect.n};
  set(done, x86::Rax, effect.result);
  for (const auto& [address, value] : effect.writes) write(address, value);
  done.memory = std::move(effect.writes);
  go_back(std::move(done), return_address);
  return Step::Stay;
}

// Step::Next: it is known.
NativeExplorer::Machine::Step NativeExplorer::Machine::effect_of(const Call& call, Effect& effect) {
  switch (*call.method.memory) {
    case MemoryFunction::Copy:
      return copy(call, effect);
    case MemoryFunction::Fill:
      return fill(call, effect);
    case MemoryFunction::Compare:
      return compare(call, effect);
    case MemoryFunction::CompareStrings:
    case MemoryFunction::Length:
      return scan(call, effect);
  }
  return Step::End;
}

// ---- So many bytes

NativeExplorer::Machine::Step NativeExplorer::Machine::copy(const Call& call, Effect& effect) {
  const std::optional<Reach> count = count_within(call);
  if (!count) return Step::End;
  effect = {call.arguments[0], call.arguments[2], {}};
  const std::uint64_t to = call.arguments[0].value().word(), from = call.arguments[1].value().word();
  for (std::uint64_t i = 0; i < count->high;) {
    const std::uint32_t bytes = i + kAtOnce <= count->low ? kAtOnce : 1;
    const Expr value = state_.memory.load(context_, from + i, bytes);
    if (!value) return unreadable();
    effect.writes.emplace_back(to + i, value);
    i += bytes;
  }
  return keep_what_is_behind(effect, *count);
}

NativeExplorer::Machine::Step NativeExplorer::Machine::fill(const Call& call, Effect& effect) {
  const std::optional<Reach> count = count_within(call);
  if (!count) return Step::End;
  effect = {call.arguments[0], call.arguments[2], {}};
  const std::uint64_t to = call.arguments[0].value().word();
  const Expr byte = context_.extract(kByte - 1, 0, call.arguments[1]);
  Expr several = byte;
  for (std::uint32_t i = 1; i < kAtOnce; ++i) several = context_.concat(several, byte);
  for (std::uint64_t i = 0; i < count->high;) {
    const bool fits = i + kAtOnce <= count->low;
    effect.writes.emplace_back(to + i, fits ? several : byte);
    i += fits ? kAtOnce : 1;
  }
  return keep_what_is_behind(effect, *count);
}

// Bytes that are written where the count is as large as it can be, and not where it is smaller.
NativeExplorer::Machine::Step NativeExplorer::Machine::keep_what_is_behind(Effect& effect,
                                                                           const Reach& count) {
  if (count.low == count.high) return Step::Next;
  const std::uint64_t begin = effect.writes.front().first;
  for (auto& [address, value] : effect.writes) {
    if (address - begin < count.low) continue;
    const Expr held = state_.memory.load(context_, address, 1);
    if (!held) return unreadable();
    value = context_.ite(context_.ult(word(address - begin), effect.n), value, held);
  }
  return Step::Next;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::compare(const Call& call, Effect& effect) {
  const std::optional<Reach> count = count_within(call);
  if (!count) return Step::End;
  Expr result = context_.zero(kInt);
  for (std::uint64_t i = count->high; i-- > 0;) {
    const Expr first = state_.memory.load(context_, call.arguments[0].value().word() + i, 1);
    const Expr second = state_.memory.load(context_, call.arguments[1].value().word() + i, 1);
    if (!first || !second) return unreadable();
    Expr decides = context_.ne(first, second);
    if (i >= count->low) decides = context_.and_(decides, context_.ult(word(i), call.arguments[2]));
    result = context_.ite(decides, difference(first, second), result);
  }
  effect = {context_.zext(result, 64), call.arguments[2], {}};
  return Step::Next;
}

smt::Expr NativeExplorer::Machine::difference(Expr first, Expr second) {
  return context_.sub(context_.zext(first, kInt), context_.zext(second, kInt));
}

// ---- Strings

NativeExplorer::Machine::Step NativeExplorer::Machine::scan(const Call& call, Effect& effect) {
  const Roles roles = roles_of(call.method);
  const bool compares = call.method.memory == MemoryFunction::CompareStrings;
  const Expr count = roles.count ? call.arguments[*roles.count] : Expr();
  Reach most{0, kLongestScanned};
  if (count) most = count.is_constant() ? Reach{count.value().word(), count.value().word()} : interval(count);
  const std::uint64_t end = std::min({most.high, kLongestScanned, room(call)});

  struct Stop {
    Expr when, result, n;
  };
  std::vector<Stop> stops;  // the first one counts
  bool always_stops = false;
  const auto stop = [&](Expr when, Expr result, std::uint64_t n) {
    stops.push_back({when, result, word(n)});
    always_stops = when.is_constant() && when.is_true();
  };
  for (std::uint64_t i = 0; i <= end && !always_stops; ++i) {
    if (count && i >= most.low) stop(context_.ule(count, word(i)), compares ? word(0) : word(i), i);
    if (i == end || always_stops) break;
    const Expr byte = state_.memory.load(context_, call.arguments[0].value().word() + i, 1);
    if (!byte) return unreadable();
    const Expr is_end = context_.eq(byte, context_.zero(kByte));
    if (!compares) {
      stop(is_end, word(i), i);
      continue;
    }
    const Expr other = state_.memory.load(context_, call.arguments[1].value().word() + i, 1);
    if (!other) return unreadable();
    stop(context_.or_(is_end, context_.ne(byte, other)), context_.zext(difference(byte, other), 64), i + 1);
  }
  Expr goes_on = context_.boolean(true);
  for (const Stop& one : stops) goes_on = context_.and_(goes_on, context_.not_(one.when));
  if (state_.picked || !always_stops) {
    const std::vector<Expr> ways{context_.not_(goes_on), goes_on};
    const std::optional<std::size_t> picked = pick(ways);
    if (!picked) return Step::End;
    if (*picked == 1)
      return end_in_gap(
          fmt::format("the string that '{}' is called for does not end within {} bytes", call.label, end));
  }
  effect = {stops.back().result, stops.back().n, {}};
  for (std::size_t i = stops.size() - 1; i-- > 0;) {
    effect.result = context_.ite(stops[i].when, stops[i].result, effect.result);
    effect.n = context_.ite(stops[i].when, stops[i].n, effect.n);
  }
  return Step::Next;
}

// ---- Room

// How many bytes the call is for, all of which are there; nothing: the path is over.
std::optional<NativeExplorer::Machine::Reach> NativeExplorer::Machine::count_within(const Call& call) {
  const Expr count = call.arguments[*roles_of(call.method).count];
  Reach reach = count.is_constant() ? Reach{count.value().word(), count.value().word()} : interval(count);
  const std::uint64_t there = room(call);
  if (state_.picked || reach.high > there) {
    const Expr fits = context_.ule(count, word(there));
    const std::vector<Expr> ways{fits, context_.not_(fits)};
    const std::optional<std::size_t> picked = pick(ways);
    if (!picked) return std::nullopt;
    if (*picked == 1) {
      end_in_gap(fmt::format("'{}' is called for more bytes than there are: {}", call.label, there));
      return std::nullopt;
    }
    reach.high = std::min(reach.high, there);
  }
  if (reach.high <= kMostAtOnce) return reach;
  end_in_gap(fmt::format("not supported yet: '{}' called for up to {} bytes", call.label, reach.high));
  return std::nullopt;
}

// From each of its pointers on.
std::uint64_t NativeExplorer::Machine::room(const Call& call) const {
  const MemoryFunction function = *call.method.memory;
  std::uint64_t least = ~std::uint64_t{0};
  for (const std::uint32_t position : roles_of(call.method).pointers) {
    const bool writes =
        position == 0 && (function == MemoryFunction::Copy || function == MemoryFunction::Fill);
    least = std::min(least, room_behind(call.arguments[position].value().word(), writes));
  }
  return least;
}

std::uint64_t NativeExplorer::Machine::room_behind(std::uint64_t address, bool writes) const {
  if (const Object* object = object_at(address)) return object->end - address;
  const Snapshot::Extent* extent = snapshot_->extent(address);
  if (extent == nullptr || (writes && !extent->writable)) return 0;
  return (writes ? extent->end : snapshot_->end_of_loads(*extent)) - address;
}

}  // namespace perfpact::explore
