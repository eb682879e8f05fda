// What runs the packets of a P4 program: the reference interpreter, which is the meaning (its header says
// what a pass, a verdict, a path are), or a faster engine that is held to its traces.
#pragma once
#include <cstdint>

#include "p4/core/core.h"
#include "program/trace.h"

namespace perfpact::p4 {

/// What one packet may take before its verdict is gap(more than N passes) or gap(execution limit).
struct ExecutionLimits {
  std::uint32_t passes = 64;
  std::uint64_t loop_blocks =
      1'000'000;  // blocks of loops, counted at their heads (core/loops.h), in all passes
};

struct CounterCell {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const CounterCell&, const CounterCell&) = default;
};

/// The site under which the path takes in the kind of a pass; above every DecisionId.
inline constexpr std::uint32_t kPassSite = 0xffffffff;

/// The event that tells of the statement that asked for a pass. A replica has none: its group is only
/// assigned.
[[nodiscard]] constexpr std::optional<program::EventKind> requested_by(core::PassKind kind) {
  switch (kind) {
    case core::PassKind::Resubmit:
      return program::EventKind::Resubmit;
    case core::PassKind::Recirculate:
      return program::EventKind::Recirculate;
    case core::PassKind::CloneIngress:
    case core::PassKind::CloneEgress:
      return program::EventKind::Clone;
    default:
      return std::nullopt;
  }
}

/// An executor whose registers and counters can be read and set between packets. Traces point to the
/// program's event sites.
class Engine : public program::Executor {
 public:
  /// The cell of a register or counter as it is now; `index` is within its size. Of a direct counter it is
  /// the number of an entry (tables::LookupResult::entry).
  [[nodiscard]] virtual Integer register_cell(core::ObjectId object, std::uint64_t index) const = 0;
  [[nodiscard]] virtual CounterCell counter_cell(core::ObjectId object, std::uint64_t index) const = 0;
  /// What the control plane does to a register between packets; `index` is within its size, `value` fits.
  virtual void set_register_cell(core::ObjectId object, std::uint64_t index, Integer value) = 0;
  /// All cells of a register or counter to zero.
  virtual void reset_object(core::ObjectId object) = 0;
};

}  // namespace perfpact::p4
