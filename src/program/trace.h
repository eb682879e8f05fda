// What one packet did: its path, its events, its verdict, what left the switch.
// Tested by tests/program/trace_test.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "program/event.h"

namespace perfpact::program {

/// Stable hash of the sequence of decisions (branch or stateful call, outcome); printed as 16 hex digits.
enum class PathId : std::uint64_t {};
[[nodiscard]] std::string to_string(PathId path);

/// Builds a PathId from decisions: the state takes in site, then outcome, each followed by the finalizer of
/// SplitMix64, so that order counts and the id is the same on every machine. Sites are numbered by
/// the program, stable from run to run.
class PathHasher {
 public:
  void decide(std::uint32_t site, std::uint64_t outcome);
  [[nodiscard]] PathId id() const { return static_cast<PathId>(state_); }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15;
};

struct Sent {
  std::uint64_t port;
  auto operator<=>(const Sent&) const = default;
};
struct Multicast {
  std::uint64_t group;
  std::uint64_t copies;
  auto operator<=>(const Multicast&) const = default;
};
struct Dropped {
  auto operator<=>(const Dropped&) const = default;
};
struct Rejected {
  auto operator<=>(const Rejected&) const = default;
};
struct Error {
  std::string what;
  auto operator<=>(const Error&) const = default;
};
/// The run was cut off by a limit: the trace is how the packet's way begins, its end is not known.
struct Gap {
  std::string reason;
  Span at;  // what went beyond the limit: the recirculation, resubmission, clone or loop
  auto operator<=>(const Gap&) const = default;
};
using Verdict = std::variant<Sent, Multicast, Dropped, Rejected, Error, Gap>;
/// `sent(1)`, `multicast(5, 3)`, `dropped`, `rejected`, `error(assertion failed)`, `gap(more than 64
/// passes)`.
[[nodiscard]] std::string to_string(const Verdict& verdict);

struct OutputPacket {
  std::uint64_t port;
  std::vector<std::uint8_t> bytes;
};

/// One pass of a packet: its events are those from `first_event` up to the next pass. What kind it is says
/// its `start` event. A copy is a pass that was enqueued as a clone or as a replica of a multicast group, and
/// every pass that such a pass leads to; all others are the original packet's own way.
struct Pass {
  std::size_t first_event = 0;
  bool is_copy = false;
  auto operator<=>(const Pass&) const = default;
};

struct Trace {
  PathId path{};
  std::vector<Event> events;
  std::vector<Pass> passes;  // in order of execution; events before the first belong to the original
  Verdict verdict = Dropped{};
  /// The parser error that the packet entered the pipeline with ("PacketTooShort"); empty for NoError.
  std::string parser_error;
  std::vector<OutputPacket> outputs;
};

/// The place of the last event of this kind in the last pass; nowhere when there is none.
[[nodiscard]] Span last_place(const Trace& trace, EventKind kind);

/// A packet that enters a program.
struct InputPacket {
  std::uint64_t port = 0;
  std::vector<std::uint8_t> bytes;
  auto operator<=>(const InputPacket&) const = default;
};

/// Something that runs packets one at a time: the reference interpreter, later the JIT.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs one packet in the current state; state that it changes stays changed.
  [[nodiscard]] virtual Trace run(const InputPacket& packet) = 0;
  /// Back to the state at the start (registers, counters, meters zero).
  virtual void reset() = 0;
};

}  // namespace perfpact::program
