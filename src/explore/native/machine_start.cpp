#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/spelling.h"
#include "explore/byte.h"
#include "explore/diagnostics.h"
#include "explore/native/machine.h"
#include "explore/native/mbuf.h"

namespace perfpact::explore {
namespace {

smt::Expr compare(smt::Context& context, Assumption::Comparison comparison, smt::Expr a, smt::Expr b) {
  switch (comparison) {
    case Assumption::Comparison::Equal:
      return context.eq(a, b);
    case Assumption::Comparison::NotEqual:
      return context.ne(a, b);
    case Assumption::Comparison::Less:
      return context.ult(a, b);
    case Assumption::Comparison::LessOrEqual:
      return context.ule(a, b);
    case Assumption::Comparison::Greater:
      return context.ult(b, a);
    case Assumption::Comparison::GreaterOrEqual:
      return context.ule(b, a);
  }
  PERFPACT_CHECK(false, "an unknown comparison");
  return {};
}

smt::Expr holds(smt::Context& context, const Assumption& assumption, smt::Expr value) {
  const smt::Expr bound = context.constant(64, assumption.bound);
  const smt::Expr wide = context.zext(value, std::max(value.width(), bound.width()));
  return compare(context, assumption.comparison, wide, context.zext(bound, wide.width()));
}

std::optional<std::uint64_t> to_number(std::string_view digits, int base) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number, base);
  if (error != std::errc() || end != digits.end()) return std::nullopt;
  return number;
}

// What a name speaks of behind that of the object: nothing is all of it, `+0x8:2` two bytes from the eighth
// on.
std::optional<smt::Expr> part_of(smt::Context& context, smt::Expr content, std::string_view part) {
  if (part.empty()) return content;
  const std::size_t colon = part.find(':');
  if (!part.starts_with("+0x") || colon == std::string_view::npos) return std::nullopt;
  const auto offset = to_number(part.substr(3, colon - 3), 16);
  const auto bytes = to_number(part.substr(colon + 1), 10);
  const std::uint64_t size = content.width() / kByte;
  if (!offset || !bytes || *bytes == 0 || *bytes > size || *offset > size - *bytes) return std::nullopt;
  return context.extract(static_cast<std::uint32_t>((*offset + *bytes) * kByte - 1),
                         static_cast<std::uint32_t>(*offset * kByte), content);
}

}  // namespace

void NativeExplorer::Machine::start() {
  NativeState state;
  state.memory = Memory(snapshot_);
  state.next = word(process_.entry());
  first_memory_.clear();
  make_registers(state);
  state.pcvs.resize(pcv_names_.size());
  for (std::uint32_t i = 0; i < options_.entry.longest; ++i)
    first_memory_.emplace_back(packet_ + i, byte_symbol(i));
  for (const auto& [address, variable] : opened_) first_memory_.emplace_back(address, variable);
  for (const auto& [address, value] : first_memory_) state.memory.store(address, value);
  const auto length = [&](std::uint32_t bytes) { return context_.constant(length_.width(), bytes); };
  state.constraints =
      state.constraints.with(context_, context_.ule(length(options_.entry.shortest), length_));
  state.constraints = state.constraints.with(context_, context_.ule(length_, length(options_.entry.longest)));
  demand_assumptions(state);
  if (const std::uint64_t room = packet_room(); room < options_.entry.longest) {
    gaps_.push_back(
        {fmt::format("packets of {} bytes would overwrite other memory: there is room for {} at {}",
                     options_.entry.longest, room, process_.describe(packet_)),
         {},
         state.constraints});
    return;
  }
  if (solver_.check(state.constraints, context_.boolean(true)).is_unsat())
    gaps_.push_back({"no packet meets the assumptions on the entry", {}, state.constraints});
  open_.push_back(std::move(state));
}

std::uint64_t NativeExplorer::Machine::packet_room() const {
  const Snapshot::Extent* extent = snapshot_->extent(packet_);
  if (extent == nullptr || !extent->writable) return 0;
  const std::uint64_t room = extent->end - packet_;
  const process::Symbol* symbol = process_.symbol_of(packet_);
  if (symbol == nullptr || packet_ - symbol->address >= symbol->size) return room;
  return std::min(room, symbol->address + symbol->size - packet_);
}

void NativeExplorer::Machine::make_registers(NativeState& state) {
  auto region = std::make_shared<Region>();
  region->layout = layout_;
  region->cells.resize(lift::kFields);
  const auto set = [&](lift::Field field, Expr value) {
    region->cells[static_cast<std::size_t>(field)] = value;
  };
  const x86::Registers& held = process_.registers();
  for (std::size_t i = 0; i < x86::kGprs; ++i) set(lift::gpr(i), word(held.gpr[i]));
  for (std::size_t i = 0; i < x86::kXmms; ++i)
    set(lift::xmm(i), context_.concat(word(held.xmm[i][1]), word(held.xmm[i][0])));
  // System V ABI, section 3.2.1: the direction flag is clear on entry; the other flags say nothing.
  for (auto field = static_cast<std::size_t>(lift::Field::Cf); field < lift::kFields; ++field)
    region->cells[field] = context_.zero(lift::bits(static_cast<lift::Field>(field)));
  set(lift::Field::FsBase, word(held.fs_base));
  set(lift::Field::GsBase, word(held.gs_base));

  const Entry& entry = options_.entry;
  const auto argument = [](std::uint32_t position) { return lift::gpr(x86::kArguments.at(position)); };
  packet_ = held.gpr[x86::kArguments.at(entry.packet)];
  if (entry.preset == Entry::Preset::Mbuf) {
    packet_ = fill_mbuf(state.memory, packet_);
  } else {
    if (entry.length) set(argument(*entry.length), context_.zext(length_, 64));
    if (entry.port) set(argument(*entry.port), context_.zext(port_, 64));
  }
  if (entry.now_ns) set(argument(*entry.now_ns), now_ns_);
  first_registers_ = region;
  state.regions.push_back(std::move(region));
  stack_ = held.gpr[x86::Rsp];
  const Snapshot::Extent* stack = snapshot_->extent(stack_);
  PERFPACT_CHECK(stack != nullptr, "the stack pointer {:#x} is in no memory", stack_);
  stack_end_ = stack->begin;
  stack_top_ = stack->end;
  return_address_ = state.memory.load(context_, stack_, sizeof(std::uint64_t)).value().word();
}

// Gives where the packet begins.
std::uint64_t NativeExplorer::Machine::fill_mbuf(const Memory& memory, std::uint64_t mbuf) {
  first_memory_.emplace_back(mbuf + mbuf::kPort, port_);
  first_memory_.emplace_back(mbuf + mbuf::kPacketLength, context_.zext(length_, 32));
  first_memory_.emplace_back(mbuf + mbuf::kDataLength, length_);
  const auto held = [&](std::uint64_t offset, std::uint32_t bytes) {
    return memory.load(context_, mbuf + offset, bytes).value().word();
  };
  return held(mbuf::kBuffer, 8) + held(mbuf::kDataOffset, 2);
}

smt::Expr NativeExplorer::Machine::byte_symbol(std::uint32_t i) {
  while (bytes_.size() <= i)
    bytes_.push_back(context_.symbol(fmt::format("packet[{}]", bytes_.size()), kByte));
  return bytes_[i];
}

void NativeExplorer::Machine::demand_assumptions(NativeState& state) {
  const auto demand_of = [&](const Assumption& assumption, Expr value) {
    state.constraints = state.constraints.with(context_, holds(context_, assumption, value));
  };
  for (const Assumption& assumption : options_.entry.assumptions) {
    for (Expr argument : {length_, port_, now_ns_})
      if (argument.name() == assumption.name) demand_of(assumption, argument);
    for (const auto& [address, variable] : opened_)
      if (variable.name() == assumption.name) demand_of(assumption, variable);
  }
}

// Of an object that a method gives a pointer to, before anything has written it.
smt::Expr NativeExplorer::Machine::assumed_of(const std::string& kind, Expr content) {
  Expr all = context_.boolean(true);
  kinds_of_objects_.insert(kind);
  for (const Assumption& assumption : options_.entry.assumptions) {
    const std::string_view name = assumption.name;
    if (!name.starts_with(kind)) continue;
    const auto part = part_of(context_, content, name.substr(kind.size()));
    if (!part) continue;
    assumed_of_objects_.insert(assumption.name);
    all = context_.and_(all, holds(context_, assumption, *part));
  }
  return all;
}

void NativeExplorer::Machine::report_assumptions(Diagnostics& diagnostics) const {
  std::vector<std::string> names = state();
  names.insert(names.end(), kinds_of_objects_.begin(), kinds_of_objects_.end());
  names.insert(names.end(), assumed_of_objects_.begin(), assumed_of_objects_.end());
  for (Expr argument : {length_, port_, now_ns_}) names.emplace_back(argument.name());
  for (const Assumption& assumption : options_.entry.assumptions)
    if (std::ranges::find(names, assumption.name) == names.end())
      diagnostics.report(diag::kEntryAssumedName, assumption.at, assumption.name,
                         did_you_mean(assumption.name, names));
}

// ---- State that packets change

// What was written as one is opened as one symbol; accesses that overlap are opened byte by byte.
bool NativeExplorer::Machine::open_what_was_written() {
  std::map<std::uint64_t, std::uint32_t> pieces;
  for (auto at = written_.begin(); at != written_.end();) {
    std::uint64_t end = at->first + at->second;
    auto behind = std::next(at);
    for (; behind != written_.end() && behind->first < end; ++behind)
      end = std::max(end, behind->first + behind->second);
    if (std::next(at) == behind)
      pieces.insert(*at);
    else
      for (std::uint64_t address = at->first; address < end; ++address) pieces.emplace(address, 1);
    at = behind;
  }
  const bool is_news = !std::ranges::equal(pieces, opened_, [](const auto& piece, const auto& variable) {
    return piece.first == variable.first && piece.second * kByte == variable.second.width();
  });
  opened_.clear();
  for (const auto& [address, bytes] : pieces)
    opened_.emplace(address, context_.symbol(name_of(address, bytes), bytes * kByte));
  return is_news;
}

// `counter`, `table+0x10`; with the number of bytes where that is not all of it, since a name has one width.
std::string NativeExplorer::Machine::name_of(std::uint64_t address, std::uint32_t bytes) const {
  const process::Symbol* symbol = process_.symbol_of(address);
  if (symbol != nullptr && symbol->address == address && symbol->size == bytes) return symbol->name;
  return fmt::format("{}:{}", process_.describe(address), bytes);
}

std::vector<smt::Expr> NativeExplorer::Machine::symbols() const {
  std::vector<Expr> symbols = bytes_;
  symbols.insert(symbols.end(), {length_, port_, now_ns_});
  for (const auto& [address, variable] : opened_) symbols.push_back(variable);
  return symbols;
}

std::vector<std::string> NativeExplorer::Machine::state() const {
  std::vector<std::string> names;
  if (options_.opens_state) {
    for (const auto& [address, variable] : opened_) names.push_back(variable.name());
  } else {
    for (const auto& [address, bytes] : written_) names.push_back(name_of(address, bytes));
  }
  return names;
}

}  // namespace perfpact::explore
