#include "p4/jit/comparing.h"

#include <algorithm>

#include "base/check.h"
#include "packet/packet.h"

namespace perfpact::p4 {
namespace {

std::string describe(const program::OutputPacket& output) {
  return fmt::format("port {}: {}", output.port, packet::to_hex(output.bytes));
}
using program::describe;
std::string describe(const program::Pass& pass) {
  return fmt::format("a pass from event {}{}", pass.first_event, pass.is_copy ? ", a copy" : "");
}

bool same(const program::OutputPacket& a, const program::OutputPacket& b) {
  return a.port == b.port && a.bytes == b.bytes;
}
template <class Item>
bool same(const Item& a, const Item& b) {
  return a == b;
}

template <class Item>
std::string difference(std::string_view what, const std::vector<Item>& interpreted,
                       const std::vector<Item>& compiled) {
  const std::size_t both = std::min(interpreted.size(), compiled.size());
  for (std::size_t i = 0; i < std::max(interpreted.size(), compiled.size()); ++i) {
    if (i < both && same(interpreted[i], compiled[i])) continue;
    return fmt::format("{} {}: interpreter {}, JIT {}", what, i,
                       i < interpreted.size() ? describe(interpreted[i]) : "none",
                       i < compiled.size() ? describe(compiled[i]) : "none");
  }
  return "";
}

}  // namespace

std::string difference(const program::Trace& interpreted, const program::Trace& compiled) {
  const auto text = [](std::string_view what, const std::string& a, const std::string& b) {
    return fmt::format("{}: interpreter {}, JIT {}", what, a, b);
  };
  if (std::string found = difference("event", interpreted.events, compiled.events); !found.empty())
    return found;
  if (std::string found = difference("output", interpreted.outputs, compiled.outputs); !found.empty())
    return found;
  if (std::string found = difference("pass", interpreted.passes, compiled.passes); !found.empty())
    return found;
  if (interpreted.verdict != compiled.verdict)
    return text("verdict", to_string(interpreted.verdict), to_string(compiled.verdict));
  if (interpreted.parser_error != compiled.parser_error)
    return text("parser error", interpreted.parser_error, compiled.parser_error);
  if (interpreted.path != compiled.path)
    return text("path", to_string(interpreted.path), to_string(compiled.path));
  return "";
}

program::Trace ComparingEngine::run(const program::InputPacket& packet) {
  program::Trace trace = interpreter_.run(packet);
  const std::string found = difference(trace, jit_.run(packet));
  PERFPACT_CHECK(found.empty(), "the engines differ on the packet {} on port {}: {}",
                 packet::to_hex(packet.bytes), packet.port, found);
  return trace;
}

void ComparingEngine::reset() {
  interpreter_.reset();
  jit_.reset();
}

Integer ComparingEngine::register_cell(core::ObjectId object, std::uint64_t index) const {
  Integer cell = interpreter_.register_cell(object, index);
  PERFPACT_CHECK(cell == jit_.register_cell(object, index), "the engines differ in cell {} of a register",
                 index);
  return cell;
}

CounterCell ComparingEngine::counter_cell(core::ObjectId object, std::uint64_t index) const {
  const CounterCell cell = interpreter_.counter_cell(object, index);
  PERFPACT_CHECK(cell == jit_.counter_cell(object, index), "the engines differ in cell {} of a counter",
                 index);
  return cell;
}

void ComparingEngine::set_register_cell(core::ObjectId object, std::uint64_t index, Integer value) {
  interpreter_.set_register_cell(object, index, value);
  jit_.set_register_cell(object, index, std::move(value));
}

void ComparingEngine::reset_object(core::ObjectId object) {
  interpreter_.reset_object(object);
  jit_.reset_object(object);
}

}  // namespace perfpact::p4
