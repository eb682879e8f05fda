// Hashes, registers, meters, chance; and how a path that has come to its end gets its witness.
#include <algorithm>
#include <iterator>
#include <ranges>

#include "explore/byte.h"
#include "explore/p4/machine.h"
#include "smt/derived.h"

namespace perfpact::explore {
namespace {

using packet::HashAlgorithm;
using smt::Expr;

constexpr std::uint32_t kHashBits = 64;
constexpr std::uint32_t kIndexBits = 64;
constexpr std::uint32_t kHalfWord = 16;
constexpr int kTries = 1024;  // of data for the hashes of a path

std::vector<std::uint8_t> bytes_of(const smt::Value& value) {
  std::vector<std::uint8_t> bytes(value.width() / kByte);
  Integer number = value.number();
  for (std::size_t i = bytes.size(); i-- > 0;) {
    bytes[i] = static_cast<std::uint8_t>(number & 0xff);
    number >>= kByte;
  }
  return bytes;
}

std::uint32_t width_of(HashAlgorithm algorithm) {
  switch (algorithm) {
    case HashAlgorithm::Crc32:
    case HashAlgorithm::Crc32Custom:
      return 2 * kHalfWord;
    case HashAlgorithm::Identity:
      return kHashBits;
    default:
      return kHalfWord;
  }
}

/// Words of 16 bits, the last one filled up.
std::vector<Expr> half_words(smt::Context& context, Expr data) {
  if (data.width() % kHalfWord != 0) data = context.concat(data, context.zero(kByte));
  std::vector<Expr> words;
  for (std::uint32_t end = data.width(); end > 0; end -= kHalfWord)
    words.push_back(context.extract(end - 1, end - kHalfWord, data));
  return words;
}

/// RFC 1071.
Expr internet_checksum(smt::Context& context, Expr data) {
  constexpr std::uint32_t kSumBits = 32;
  Expr sum = context.zero(kSumBits);
  for (Expr word : half_words(context, data)) sum = context.add(sum, context.zext(word, kSumBits));
  for (int fold = 0; fold < 2; ++fold)
    sum = context.add(context.zext(context.extract(kHalfWord - 1, 0, sum), kSumBits),
                      context.zext(context.extract(kSumBits - 1, kHalfWord, sum), kSumBits));
  return context.not_(context.extract(kHalfWord - 1, 0, sum));
}

Expr exclusive_or(smt::Context& context, Expr data) {
  Expr all = context.zero(kHalfWord);
  for (Expr word : half_words(context, data)) all = context.xor_(all, word);
  return all;
}

Expr first_bytes(smt::Context& context, Expr data) {
  if (data.width() <= kHashBits) return data;
  return context.extract(data.width() - 1, data.width() - kHashBits, data);
}

}  // namespace

Explorer::Machine::Step Explorer::Machine::hash(const Instruction& call) {
  const auto algorithm = static_cast<HashAlgorithm>(number(call, 0));
  Expr data;
  const auto append = [&](Expr piece) { data = data ? context_.concat(data, piece) : piece; };
  for (std::size_t i = 2; i + 1 < call.operands.size() - 1; i += 2) {
    const std::optional<std::uint64_t> bits = concrete_word(argument(call, i + 1));
    if (!bits) return Step::End;
    if (*bits > 0) append(context_.extract(static_cast<std::uint32_t>(*bits) - 1, 0, argument(call, i)));
  }
  if (data && data.width() % kByte != 0) append(context_.zero(kByte - data.width() % kByte));
  give(call, hash_value(algorithm, data, number(call, 1) != 0));
  return Step::Next;
}

// A number of kHashBits. What is linear in words is a formula; a CRC, and whatever is over the payload, gets
// its value when the path is complete.
Expr Explorer::Machine::hash_value(HashAlgorithm algorithm, Expr data, bool with_payload) {
  if (algorithm == HashAlgorithm::Random) {
    const Expr value = context_.symbol(fmt::format("random64#{}", state_.choices.size() + 1), kHashBits);
    state_.choices.push_back(value);
    return value;
  }
  if (!with_payload) {
    if (!data || data.is_constant())
      return context_.constant(kHashBits, packet::hash_value(algorithm, data ? bytes_of(data.value())
                                                                             : std::vector<std::uint8_t>()));
    if (algorithm == HashAlgorithm::Csum16)
      return context_.zext(internet_checksum(context_, data), kHashBits);
    if (algorithm == HashAlgorithm::Xor16) return context_.zext(exclusive_or(context_, data), kHashBits);
    if (algorithm == HashAlgorithm::Identity) return context_.zext(first_bytes(context_, data), kHashBits);
  }
  const std::uint32_t width = width_of(algorithm);
  const Expr value = context_.symbol(fmt::format("hash{}#{}", width, state_.hashes.size() + 1), width);
  state_.hashes.push_back(
      {algorithm, data, with_payload ? std::optional(state_.pass.packet) : std::nullopt, value});
  return context_.zext(value, kHashBits);
}

Expr Explorer::Machine::settled(const Hash& hash, const std::shared_ptr<const smt::Model>& model,
                                Expr& is_data) {
  smt::Evaluation evaluation(model);
  std::vector<std::uint8_t> bytes;
  is_data = context_.boolean(true);
  const auto add = [&](Expr data) {
    const smt::Value value = evaluation.value(data);
    std::ranges::copy(bytes_of(value), std::back_inserter(bytes));
    is_data = context_.and_(is_data, context_.eq(data, context_.constant(value)));
  };
  if (hash.data) add(hash.data);
  if (hash.payload) {
    const smt::Value length = evaluation.value(length_);
    is_data = context_.and_(is_data, context_.eq(length_, context_.constant(length)));
    const auto byte = [&](std::uint64_t i) {
      return i < length.word() ? byte_symbol(i) : context_.zero(kByte);
    };
    const std::uint64_t bits = hash.payload->remaining(context_, context_.constant(length)).value().word();
    for (std::uint64_t done = 0; done < bits; done += kByte)
      add(hash.payload->peek(context_, byte, done, kByte));
  }
  return context_.eq(hash.value,
                     context_.constant(hash.value.width(), packet::hash_value(hash.algorithm, bytes)));
}

// Whether hashes can have the values that the path wants is tried with one content of their data after the
// other: of the first, then of the next with that.
smt::Answer Explorer::Machine::settle_hashes(const smt::Constraints& constraints, std::size_t next,
                                             int& tries) {
  const Expr anything = context_.boolean(true);
  smt::Answer answer = check(constraints, anything);
  if (next == state_.hashes.size() || !answer.is_sat()) return answer;
  smt::Constraints rest = constraints;
  while (answer.is_sat()) {
    if (tries-- == 0)
      return {.verdict = smt::Verdict::Unknown,
              .reason = "no packet was found with the hashes that this path wants"};
    Expr is_data;
    const Expr is_hash = settled(state_.hashes[next], answer.model, is_data);
    const Expr both = context_.and_(is_data, is_hash);
    smt::Answer all = check(constraints, both);
    if (all.is_sat()) all = settle_hashes(constraints.with(context_, both), next + 1, tries);
    if (!all.is_unsat()) return all;
    rest = rest.with(context_, context_.not_(is_data));
    answer = check(rest, anything);
  }
  return answer;
}

smt::Answer Explorer::Machine::settle_hashes() {
  int tries = kTries;
  return settle_hashes(state_.constraints, 0, tries);
}

// ---- Objects and chance

// The cells of a register as they are now.
Expr& Explorer::Machine::register_cells(std::size_t object, std::uint32_t width) {
  Expr& start = registers_[object];
  if (!start)
    start = options_.zero_state ? context_.constant_array(kIndexBits, context_.zero(width))
                                : context_.array(objects_[object], kIndexBits, width);
  Expr& cells = state_.registers[object];
  if (!cells) cells = start;
  return cells;
}

// Z3 is incomplete for arrays that are the same everywhere: what was written to one is chosen from.
Expr Explorer::Machine::read_cell(Expr cells, Expr index) {
  std::vector<Expr> stores;
  while (cells.is(smt::Op::Store)) {
    stores.push_back(cells);
    cells = cells[0];
  }
  Expr value = cells.is(smt::Op::ConstantArray) ? cells[0] : context_.select(cells, index);
  for (Expr store : stores | std::views::reverse)
    value = context_.ite(context_.eq(store[1], index), store[2], value);
  return value;
}

Explorer::Machine::Step Explorer::Machine::register_read(const Instruction& call) {
  give(call, read_cell(register_cells(number(call, 0), call.width), argument(call, 1)));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::register_write(const Instruction& call) {
  const Expr value = argument(call, 2);
  Expr& cells = register_cells(number(call, 0), value.width());
  cells = context_.store(cells, argument(call, 1), value);
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::count(const Instruction& /*call*/) {
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::meter(const Instruction& call) {
  constexpr std::uint32_t kColourBits = 2;
  constexpr std::uint64_t kRed = 2;
  if (options_.tables != nullptr) {
    give(call, context_.zero(call.width));
    return Step::Next;
  }
  const Expr colour = context_.symbol(fmt::format("colour#{}", state_.choices.size() + 1), kColourBits);
  const Expr is_colour = context_.ule(colour, context_.constant(kColourBits, kRed));
  state_.constraints = state_.constraints.with(context_, is_colour);
  state_.choices.push_back(colour);
  give(call, context_.zext(colour, call.width));
  return Step::Next;
}

Explorer::Machine::Step Explorer::Machine::random(const Instruction& call) {
  const Expr low = argument(call, 0);
  const Expr high = argument(call, 1);
  const Expr value =
      context_.symbol(fmt::format("random{}#{}", call.width, state_.choices.size() + 1), call.width);
  const Expr inside = context_.and_(context_.ule(low, value), context_.ule(value, high));
  const Expr is_drawn = context_.ite(context_.ult(high, low), context_.eq(value, low), inside);
  state_.constraints = state_.constraints.with(context_, is_drawn);
  state_.choices.push_back(value);
  give(call, value);
  return Step::Next;
}

// ---- The end of a path

void Explorer::Machine::finish_path() {
  const smt::Answer answer = settle_hashes();
  if (answer.is_unsat()) return;
  if (answer.is_unknown()) {
    gaps_.push_back({answer.reason, {}, state_.constraints, {}});
    return;
  }
  ++paths_;
  (*found_)({state_.path.id(), state_.constraints, state_.installed, state_.events, state_.pass_list,
             state_.outcome.port, state_.outcome.group, witness(state_, answer.model),
             options_.keeps_states ? std::make_shared<const State>(state_) : nullptr});
}

Witness Explorer::Machine::witness(const State& state, const std::shared_ptr<const smt::Model>& model) {
  smt::Evaluation evaluation(model);
  const auto number = [&](Expr expr) { return evaluation.value(expr).number(); };
  const auto word = [&](Expr expr) { return static_cast<std::uint64_t>(number(expr)); };
  Witness result;
  result.packet.port = word(port_);
  result.packet.bytes.resize(word(length_));
  for (std::size_t i = 0; i < std::min(bytes_.size(), result.packet.bytes.size()); ++i)
    result.packet.bytes[i] = static_cast<std::uint8_t>(word(bytes_[i]));
  for (const Lookup& lookup : state.lookups) {
    Witness::Lookup& found = result.lookups.emplace_back();
    found.table = lookup.table;
    found.hit = lookup.hit;
    found.action.action = lookup.action;
    for (Expr field : lookup.key) found.key.push_back(field ? number(field) : Integer());
    for (Expr value : lookup.data) found.action.arguments.push_back(value ? number(value) : Integer());
  }
  for (const Group& group : state.groups) {
    Witness::Group& found = result.groups.emplace_back(group.is_session, word(group.id));
    for (const Group::Replica& replica : group.replicas)
      found.replicas.push_back({word(replica.port), word(replica.instance)});
  }
  for (std::size_t object = 0; object < registers_.size(); ++object) {
    if (!registers_[object] || !registers_[object].is(smt::Op::Symbol)) continue;
    if (const smt::Elements* elements = model->elements(registers_[object]))
      for (const auto& [index, value] : *elements)
        if (index < program_.objects[object].size)
          result.cells.push_back({static_cast<p4::core::ObjectId>(object), index, value.number()});
  }
  for (Expr choice : state.choices) result.choices.push_back(number(choice));
  const Outcome& outcome = state.outcome;
  if (outcome.failed)
    result.verdict = program::Error{*outcome.failed};
  else if (outcome.sent == 0)
    result.verdict = program::Dropped{};
  else if (outcome.group)
    result.verdict = program::Multicast{word(outcome.group), outcome.sent};
  else
    result.verdict = program::Sent{word(outcome.port)};
  return result;
}

}  // namespace perfpact::explore
