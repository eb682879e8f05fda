// Events: the primitive operations that a path performs (docs/formats.md, section 2). A cost model prices
// them; nothing else of a program costs anything.
//
// An event has a *site*, the fixed part (kind, place in the source, names), and the numbers of this one
// occurrence. Which attributes a kind has is one table in event.cpp; formulas and cost-model rows use these
// names.
// Tested by tests/program/event_test.cpp.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/source.h"

namespace perfpact::program {

enum class EventKind : std::uint8_t {
  Start,             // start(pass)
  ParserState,       // parser.state(name)
  ParserExtract,     // parser.extract(header; bits)
  ParserLookahead,   // parser.lookahead(; bits)
  ParserAdvance,     // parser.advance(; bits)
  ParserSelect,      // parser.select(; cases, key_bits)
  TableApply,        // table.apply(table, kind; entries, key_bits, hit, visited, prefix_length)
  ActionRun,         // action.run(action; data_bits)
  Assign,            // assign(; bits)
  Compute,           // compute(operator; bits)
  HeaderSetValid,    // header.set_valid(header)
  HeaderSetInvalid,  // header.set_invalid(header)
  Checksum,          // checksum(; bits)
  Hash,              // hash(algorithm; bits)
  RegisterRead,      // register.read(register; bits)
  RegisterWrite,     // register.write(register; bits)
  Counter,           // counter(counter)
  Meter,             // meter(meter)
  Random,            // random(; bits)
  Digest,            // digest(; bits)
  Clone,             // clone
  Resubmit,          // resubmit
  Recirculate,       // recirculate
  DeparserEmit,      // deparser.emit(header; bits)
  Send,              // send(; port)
  Drop,              // drop
};
inline constexpr std::size_t kEventKinds = static_cast<std::size_t>(EventKind::Drop) + 1;

/// The attributes of a kind: at most two texts, then at most five numbers.
struct EventSchema {
  std::string_view name;                      // "table.apply"
  std::array<std::string_view, 2> texts{};    // "table", "kind"
  std::array<std::string_view, 5> numbers{};  // "entries", "key_bits", ...
};

[[nodiscard]] const EventSchema& schema(EventKind kind);
[[nodiscard]] std::optional<EventKind> find_event_kind(std::string_view name);
/// The values that a text attribute can have, where they are few and fixed (the pass of `start`, the kind of
/// `table.apply`); empty where they are names of the program.
[[nodiscard]] std::span<const std::string_view> possible_texts(EventKind kind, std::string_view attribute);

/// The fixed part of an event; owned by the program it stands in, which outlives every trace.
struct EventSite {
  EventKind kind;
  Span at;                           // for table.apply the place of the apply call, not of the table
  std::array<std::string, 2> texts;  // in the order of the schema
};

/// One occurrence. Numbers are in the order of the schema.
struct Event {
  const EventSite* site;
  std::array<std::int64_t, 5> numbers{};

  [[nodiscard]] EventKind kind() const { return site->kind; }
  /// The number with this name; nothing where the kind has none.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;
  [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const;
  /// Same kind, place, texts and numbers.
  friend bool operator==(const Event& a, const Event& b);
};

/// `table.apply(ingress.ipv4_fib, ternary; entries 1, key_bits 44, hit 1, visited 1, prefix_length 0)`,
/// `assign(bits 8)`, `clone`.
[[nodiscard]] std::string describe(const Event& event);

}  // namespace perfpact::program
