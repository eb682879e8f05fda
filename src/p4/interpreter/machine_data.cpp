// Computations, events, look-ups, hashes, objects with state.
#include <limits>

#include "base/check.h"
#include "p4/interpreter/machine.h"
#include "p4/interpreter/operations.h"
#include "packet/hash.h"

namespace perfpact::p4::interpreter {
namespace {

std::int64_t event_number(const Integer& value) {
  PERFPACT_CHECK(value <= std::numeric_limits<std::int64_t>::max(), "the number {} of an event is too large",
                 value.str());
  return static_cast<std::int64_t>(value);
}

}  // namespace

template <class Draw>
Integer Machine::by_chance(Draw&& draw) {
  if (chosen_.empty()) return draw();
  Integer next = std::move(chosen_.front());
  chosen_.pop_front();
  return next;
}

void Machine::execute(const core::Compute& compute) {
  Inputs inputs{width_of(compute.to), {}, {}, compute.high, compute.low};
  for (std::size_t i = 0; i < compute.from.size(); ++i) {
    inputs.values[i] = &value_of(compute.from[i]);
    inputs.widths[i] = compute.from[i].width;
  }
  write(compute.to, evaluate(compute.op, inputs));
}

void Machine::execute(const core::RaiseEvent& raise) {
  program::Event& event = run_.trace.events.emplace_back(&program_.sites[core::index(raise.site)]);
  for (std::size_t i = 0; i < raise.numbers.size(); ++i)
    event.numbers[i] = event_number(value_of(raise.numbers[i]));
}

void Machine::execute(const core::Lookup& lookup) {
  key_.clear();
  for (const core::Operand& field : lookup.keys) key_.push_back(value_of(field));
  const tables::LookupResult result = tables_.lookup(lookup.table, key_);
  const tables::ActionCall& call = *result.action;
  run_.path.decide(static_cast<std::uint32_t>(lookup.decision), 2ULL * call.action + (result.hit ? 1 : 0));
  write(lookup.hit, result.hit ? 1 : 0);
  write(lookup.action, call.action);
  write(lookup.entries, result.entries);
  write(lookup.visited, result.visited);
  write(lookup.prefix_length, result.prefix_length);
  if (lookup.entry) write(*lookup.entry, result.entry);
  PERFPACT_CHECK(call.action < lookup.data.size(), "table '{}' has no action {}",
                 program_.tables[static_cast<std::size_t>(lookup.table)].name, call.action);
  const std::vector<core::SlotId>& data = lookup.data[call.action];
  PERFPACT_CHECK(call.arguments.size() == data.size(), "action {} of table '{}' has {} arguments, needs {}",
                 call.action, program_.tables[static_cast<std::size_t>(lookup.table)].name,
                 call.arguments.size(), data.size());
  for (std::size_t i = 0; i < data.size(); ++i) write(data[i], call.arguments[i]);
}

void Machine::execute(const core::Hash& hash) {
  packet::BitWriter data;
  for (const core::DataItem& item : hash.data) {
    if (value_of(item.valid) == 0) continue;
    const std::uint32_t length = small_value_of(item.length);
    PERFPACT_CHECK(length <= item.value.width, "{} bits of a value of {}", length, item.value.width);
    data.append(value_of(item.value), length);
  }
  Bytes bytes = data.take();
  if (hash.with_payload) {
    const Bytes payload = pass_->packet.payload();
    bytes.insert(bytes.end(), payload.begin(), payload.end());
  }
  Integer value = hash.algorithm == core::HashAlgorithm::Random ? by_chance([&] { return random_.next(); })
                                                                : packet::hash_value(hash.algorithm, bytes);
  cut(value, width_of(hash.to));
  write(hash.to, std::move(value));
}

void Machine::execute(const core::RegisterRead& read) {
  const Integer& cell = value_of(read.index);
  if (!objects_.contains(read.object, cell)) return;
  write(read.to, objects_.register_cell(read.object, static_cast<std::uint64_t>(cell)));
}

void Machine::execute(const core::RegisterWrite& write) {
  const Integer& cell = value_of(write.index);
  if (!objects_.contains(write.object, cell)) return;
  objects_.set_register_cell(write.object, static_cast<std::uint64_t>(cell), value_of(write.value));
}

void Machine::execute(const core::Count& count) {
  const Integer& cell = value_of(count.index);
  if (!objects_.contains(count.object, cell)) return;
  objects_.count(count.object, static_cast<std::uint64_t>(cell), arrived_->size());
}

void Machine::execute(const core::Meter& meter) {
  constexpr int kGreen = 0;
  constexpr int kRed = 2;
  if (!objects_.contains(meter.object, value_of(meter.index))) return;
  Integer colour = by_chance([&] { return kGreen; });
  PERFPACT_CHECK(colour <= kRed, "{} is not the colour of a meter", colour.str());
  write(meter.to, std::move(colour));
}

void Machine::execute(const core::Random& random) {
  const Integer& low = value_of(random.low);
  const Integer& high = value_of(random.high);
  Integer drawn = by_chance([&] { return random_.uniform(low, high); });
  PERFPACT_CHECK(low <= drawn && (drawn <= high || drawn == low), "{} is not between {} and {}", drawn.str(),
                 low.str(), high.str());
  write(random.to, std::move(drawn));
}

}  // namespace perfpact::p4::interpreter
