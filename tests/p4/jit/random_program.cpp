#include "tests/p4/jit/random_program.h"

#include "base/check.h"

namespace perfpact::p4::core {
namespace {

constexpr std::array kWidths{1U, 3U, 8U, 9U, 16U, 32U, 48U, 64U, 65U, 128U, 130U, 200U};
constexpr std::uint32_t kCells = 4;
constexpr std::uint32_t kNumberBits = 63;  // of an event: below the largest

}  // namespace

RandomProgram::RandomProgram(std::uint32_t seed) : random_(seed) {
  declare();
  // Callees are filled first and call only those before them.
  for (std::uint32_t i = 0, count = below(3); i < count; ++i) {
    const ProcedureId id = b_.procedure("callee");
    fill_procedure(id, false);
    callees_.push_back(id);
  }
  passes_ = {b_.program.entry, b_.procedure("again")};
  for (ProcedureId pass : passes_) fill_procedure(pass, true);
}

Integer RandomProgram::number(std::uint32_t width) {
  if (chance(15)) return 0;
  if (chance(15)) return all_ones(width);
  if (chance(20)) return Integer(below(8)) & all_ones(width);
  Integer value = 0;
  for (std::uint32_t have = 0; have < width; have += 32) value = (value << 32) | random_();
  return value & all_ones(width);
}

SlotId RandomProgram::any_slot() {
  return slots_[below(static_cast<std::uint32_t>(slots_.size()))];
}

// One that there is, or a new one.
SlotId RandomProgram::slot_of(std::uint32_t width) {
  std::vector<SlotId> fitting;
  for (SlotId slot : slots_)
    if (width_of(slot) == width) fitting.push_back(slot);
  if (!fitting.empty()) return fitting[below(static_cast<std::uint32_t>(fitting.size()))];
  slots_.push_back(b_.slot("more", width));
  return slots_.back();
}

Operand RandomProgram::operand(std::uint32_t width) {
  return chance(30) ? bits(width, number(width)) : b_.of(slot_of(width));
}

Operand RandomProgram::count_up_to(std::uint32_t most) {
  if (chance(40)) return bits(32, below(most + 1));
  const SlotId count = b_.slot("count", 32);
  b_.compute(Op::Mod, count, {operand(32), bits(32, most + 1)});
  return b_.of(count);
}

void RandomProgram::declare() {
  for (std::uint32_t width : kWidths) slots_.push_back(b_.slot("slot", width));
  for (int i = 0; i < 6; ++i) slots_.push_back(b_.slot("slot", kWidths.at(below(kWidths.size()))));
  for (std::uint32_t width : {8U, 32U, 130U})
    registers_.push_back(b_.object(ObjectKind::Register, "register", kCells, width));
  registers_.push_back(b_.object(ObjectKind::Register, "large", std::uint64_t{1} << 40, 48));
  counter_ = b_.object(ObjectKind::Counter, "counter", kCells);
  meter_ = b_.object(ObjectKind::Meter, "meter", kCells);
  for (std::size_t i = 0; i < 2; ++i) lookups_.push_back(b_.lookup(schema(i), {}));
  b_.program.decisions = 0;
}

tables::TableSchema RandomProgram::schema(std::size_t number) {
  using tables::MatchKind;
  constexpr std::array kKinds{MatchKind::Exact, MatchKind::Ternary, MatchKind::Optional, MatchKind::Range};
  tables::TableSchema schema;
  schema.name = fmt::format("t{}", number);
  const std::uint32_t keys = below(4);
  for (std::uint32_t i = 0; i < keys; ++i)
    schema.keys.push_back(
        {fmt::format("k{}", i), kWidths.at(below(kWidths.size())), kKinds.at(below(4)), {}});
  if (keys > 0 && chance(40)) schema.keys[0].kind = MatchKind::Lpm;
  schema.actions = {{"a", {{"x", 48}, {"y", 130}}, false, false, {}},
                    {"b", {{"z", 9}}, false, false, {}},
                    {"NoAction", {}, false, false, {}}};
  schema.default_action = {2, {}};
  return schema;
}

tables::TableSet RandomProgram::tables() {
  tables::TableSet set(b_.program.tables);
  for (std::uint32_t t = 0; t < b_.program.tables.size(); ++t) {
    const tables::TableSchema& schema = b_.program.tables[t];
    for (std::uint32_t i = 0, count = schema.keys.empty() ? 0 : below(8); i < count; ++i) {
      tables::Entry entry;
      for (const tables::KeySchema& key : schema.keys) {
        tables::Match match{number(key.width), all_ones(key.width), 0};
        if (key.kind == tables::MatchKind::Optional && chance(50)) match = {0, 0, 0};
        if (key.kind == tables::MatchKind::Ternary) match.mask = number(key.width);
        if (key.kind == tables::MatchKind::Lpm) {
          match.prefix_length = below(key.width + 1);
          match.mask = all_ones(key.width) ^ all_ones(key.width - match.prefix_length);
        }
        if (key.kind == tables::MatchKind::Range) {
          match.mask = number(key.width);
          if (match.mask < match.value) std::swap(match.mask, match.value);
        } else {
          match.value &= match.mask;
        }
        entry.matches.push_back(std::move(match));
      }
      if (schema.has_priorities()) entry.priority = i + 1;
      entry.action =
          chance(50) ? tables::ActionCall{0, {number(48), number(130)}} : tables::ActionCall{1, {number(9)}};
      set.add_entry(static_cast<tables::TableId>(t), std::move(entry));
    }
  }
  set.control_plane().multicast_groups = {{1, {{1, 0}, {2, 7}}}, {2, {{1, 1}}}, {3, {{600, 0}}}};
  set.control_plane().clone_sessions = {{1, {{3, 0}}, 0}, {2, {{4, 1}, {5, 2}}, 20}};
  return set;
}

program::InputPacket RandomProgram::packet() {
  program::InputPacket packet{below(8), {}};
  for (std::uint32_t i = 0, size = below(80); i < size; ++i)
    packet.bytes.push_back(static_cast<std::uint8_t>(random_()));
  return packet;
}

void RandomProgram::fill_procedure(ProcedureId id, bool is_pass) {
  b_.at(id);
  std::vector<BlockId> blocks{BlockId{0}};
  for (std::uint32_t i = 0, count = 1 + below(5); i < count; ++i) blocks.push_back(b_.block());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    b_.at(blocks[i]);
    fill_block(1 + below(6));
    if (i + 1 < blocks.size()) {
      end_block(blocks, i);
    } else if (is_pass) {
      fate();
    }
  }
}

void RandomProgram::fill_block(std::uint32_t instructions) {
  for (std::uint32_t i = 0; i < instructions; ++i) instruction();
}

// Mostly forward; now and then back, which the limit of loops ends.
void RandomProgram::end_block(const std::vector<BlockId>& blocks, std::size_t at) {
  const auto target = [&] {
    const std::size_t from = chance(10) ? 0 : at + 1;
    return blocks[from + below(static_cast<std::uint32_t>(blocks.size() - from))];
  };
  if (chance(20)) return b_.end(Jump{target()});
  if (chance(50)) return b_.end(Branch{operand(1), target(), target(), chance(70), b_.decision()});
  Select select{{}, {}, target(), chance(70), b_.decision()};
  for (std::uint32_t i = 0, count = 1 + below(2); i < count; ++i)
    select.operands.push_back(operand(kWidths.at(below(kWidths.size()))));
  for (std::uint32_t i = 0, count = below(4); i < count; ++i) {
    SelectCase one{{}, target()};
    for (const Operand& selected : select.operands) one.patterns.push_back(pattern(selected.width));
    select.cases.push_back(std::move(one));
  }
  b_.end(std::move(select));
}

Pattern RandomProgram::pattern(std::uint32_t width) {
  if (chance(40)) {
    Integer low = number(width);
    Integer high = number(width);
    if (high < low) std::swap(low, high);
    return {true, low, high};
  }
  const Integer mask = chance(30) ? all_ones(width) : number(width) & number(width);
  return {false, number(width) & mask, mask};
}

void RandomProgram::instruction() {
  const std::uint32_t kind = below(100);
  if (kind < 45) return compute();
  if (kind < 60) return show(any_slot());
  if (kind < 80) return packet_instruction();
  if (kind < 84) return look_up();
  if (kind < 88) return hash();
  if (kind < 95) return object_instruction();
  if (kind < 97 && !callees_.empty()) {
    const ProcedureId callee = callees_[below(static_cast<std::uint32_t>(callees_.size()))];
    return b_.add(Call{callee});
  }
  if (kind < 99) return clone();
  if (chance(10)) b_.add(Fail{"failed by chance"});
}

void RandomProgram::computed(Op op, SlotId to, std::vector<Operand> from, std::uint32_t high,
                             std::uint32_t low) {
  b_.compute(op, to, std::move(from), high, low);
  if (chance(60)) show(to);
}

void RandomProgram::compute() {
  const auto op = static_cast<Op>(below(static_cast<std::uint32_t>(Op::Choose) + 1));
  const SlotId to = any_slot();
  const std::uint32_t width = width_of(to);
  const auto any = [&] { return kWidths.at(below(kWidths.size())); };
  switch (op) {
    case Op::Copy:
    case Op::Not:
    case Op::Negate:
      return computed(op, to, {operand(width)});
    case Op::ShiftLeft:
    case Op::ShiftRight:
    case Op::ShiftRightSigned: {
      const std::uint32_t amount = any();
      return b_.compute(
          op, to,
          {operand(width), chance(50) ? bits(amount, below(140) & all_ones(amount)) : operand(amount)});
    }
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::LessSigned:
    case Op::LessEqualSigned: {
      const std::uint32_t compared = any();
      return computed(op, slot_of(1), {operand(compared), operand(compared)});
    }
    case Op::Concat: {
      const std::uint32_t low = any();
      const std::uint32_t high = any();
      return computed(op, slot_of(low + high), {operand(high), operand(low)});
    }
    case Op::Extract: {
      const std::uint32_t from = any();
      const std::uint32_t low = below(from);
      const std::uint32_t high = low + below(from - low);
      return computed(op, slot_of(high - low + 1), {operand(from)}, high, low);
    }
    case Op::Insert: {
      const std::uint32_t low = below(width);
      const std::uint32_t high = low + below(width - low);
      return computed(op, to, {operand(width), operand(high - low + 1)}, high, low);
    }
    case Op::ZeroExtend:
    case Op::SignExtend:
      return computed(op, to, {operand(1 + below(width))});
    case Op::Truncate:
      return computed(op, to, {operand(width + below(70))});
    case Op::Choose:
      return computed(op, to, {operand(1), operand(width), operand(width)});
    default:
      return computed(op, to, {operand(width), operand(width)});
  }
}

// The value of a slot in the numbers of events, so that it is seen.
void RandomProgram::show(SlotId slot) {
  const std::uint32_t width = width_of(slot);
  for (std::uint32_t low = 0; low < width; low += kNumberBits) {
    const std::uint32_t high = std::min(width, low + kNumberBits) - 1;
    const SlotId part = b_.slot("part", high - low + 1);
    b_.compute(Op::Extract, part, {b_.of(slot)}, high, low);
    b_.raise(program::EventKind::Assign, {b_.of(part)});
  }
}

void RandomProgram::packet_instruction() {
  switch (below(10)) {
    case 0:
      return b_.add(PacketLength{slot_of(32)});
    case 1:
      return b_.add(PacketRemaining{slot_of(32)});
    case 2:
    case 3:
      for (std::uint32_t i = 0, count = 1 + below(4); i < count; ++i) b_.add(PacketRead{any_slot()});
      return;
    case 4: {
      const SlotId to = any_slot();
      return b_.add(PacketReadVarbit{to, count_up_to(width_of(to))});
    }
    case 5:
      return b_.add(PacketPeek{any_slot(), below(100)});
    case 6:
      return b_.add(PacketAdvance{count_up_to(100)});
    case 7:
      for (std::uint32_t i = 0, count = 1 + below(6); i < count; ++i)
        b_.add(PacketEmit{operand(kWidths.at(below(kWidths.size())))});
      return;
    case 8: {
      const std::uint32_t width = kWidths.at(below(kWidths.size()));
      const Operand count = count_up_to(width);
      return b_.add(PacketEmitVarbit{operand(width), count});
    }
    default:
      if (chance(50)) return b_.add(PacketCommit{});
      return b_.add(PacketTruncate{count_up_to(60)});
  }
}

void RandomProgram::look_up() {
  Lookup lookup = lookups_[below(2)];
  lookup.decision = b_.decision();
  for (const tables::KeySchema& key : b_.program.tables[static_cast<std::size_t>(lookup.table)].keys)
    lookup.keys.push_back(operand(key.width));
  const std::vector<SlotId> results{lookup.hit, lookup.action, lookup.visited, lookup.prefix_length};
  const std::vector<SlotId> data{lookup.data[0][0], lookup.data[1][0]};
  b_.add(std::move(lookup));
  // Entries and visited have 64 bits; few entries are installed.
  for (SlotId slot : results) b_.raise(program::EventKind::Assign, {b_.of(slot)});
  for (SlotId slot : data) b_.raise(program::EventKind::Assign, {b_.of(slot)});
}

void RandomProgram::hash() {
  Hash hash{static_cast<HashAlgorithm>(below(8)), any_slot(), {}, chance(30)};
  for (std::uint32_t i = 0, count = below(5); i < count; ++i) {
    const std::uint32_t width = kWidths.at(below(kWidths.size()));
    const Operand length = chance(70) ? bits(32, width) : count_up_to(width);
    hash.data.push_back({operand(width), length, chance(70) ? bits(1, 1) : operand(1)});
  }
  b_.add(std::move(hash));
}

void RandomProgram::object_instruction() {
  const std::uint32_t width = chance(70) ? 3 : kWidths.at(below(kWidths.size()));
  const Operand cell = operand(width);
  const ObjectId chosen = registers_[below(static_cast<std::uint32_t>(registers_.size()))];
  const std::uint32_t bits_of_cell = b_.program.objects[index(chosen)].width;
  switch (below(5)) {
    case 0:
      return b_.add(RegisterRead{chosen, cell, slot_of(bits_of_cell)});
    case 1:
      return b_.add(RegisterWrite{chosen, cell, operand(bits_of_cell)});
    case 2:
      return b_.add(Count{counter_, cell});
    case 3:
      return b_.add(Meter{meter_, cell, any_slot()});
    default: {
      const SlotId to = any_slot();
      return b_.add(Random{to, operand(width_of(to)), operand(width_of(to))});
    }
  }
}

template <class Enqueue>
void RandomProgram::fill_pass(Enqueue& enqueue) {
  enqueue.procedure = passes_.empty() ? b_.program.entry : passes_[below(2)];
  for (std::uint32_t i = 0, count = below(6); i < count; ++i) {
    const SlotId slot = any_slot();
    if (chance(60)) {
      if (std::ranges::count(enqueue.keep, slot) == 0) enqueue.keep.push_back(slot);
    } else if (std::ranges::none_of(enqueue.set, [&](const auto& pair) { return pair.first == slot; })) {
      enqueue.set.emplace_back(slot, operand(width_of(slot)));
    }
  }
}

void RandomProgram::clone() {
  EnqueueClone clone{bits(32, 1 + below(3)),
                     chance(50) ? PassKind::CloneIngress : PassKind::CloneEgress,
                     {},
                     chance(50),
                     {},
                     {},
                     slot_of(9),
                     slot_of(16)};
  fill_pass(clone);
  b_.add(std::move(clone));
}

void RandomProgram::fate() {
  switch (below(5)) {
    case 0:
      return b_.add(DropPacket{});
    case 1: {
      Enqueue again{chance(50) ? PassKind::Resubmit : PassKind::Recirculate, {}, chance(50), {}, {}};
      fill_pass(again);
      return b_.add(std::move(again));
    }
    case 2: {
      EnqueueGroup group{bits(16, 1 + below(4)), {}, {}, {}, slot_of(9), slot_of(16)};
      fill_pass(group);
      return b_.add(std::move(group));
    }
    default:
      return b_.add(SendPacket{operand(9)});
  }
}

}  // namespace perfpact::p4::core
