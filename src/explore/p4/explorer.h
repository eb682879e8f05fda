// Finds every execution path of a packet program: runs its LLVM module (program/ir/conventions.h) on a packet
// of symbols, depth first, and forks wherever the input, a table or another method can make it go more than
// one way. What cannot happen is cut off as soon as it shows; what cannot be decided is a gap.
//
//   Explorer explorer(program, lowered, options);
//   explorer.run([&](const Path& path) { ... });   // in an order that only the program determines
//   explorer.gaps();
//
// Tables. Open: an apply hits with any action and any data, or misses with any default that the program
// allows; the same key gives the same answer again. Multicast groups and clone sessions have any members up
// to a limit, meters any colour. Installed: what the tables have; meters are green, groups as installed.
// `const entries` are installed always.
//
// The same path can be found several times, each time with another condition: where something was
// made concrete that does not make the path (a varbit's length, an index inside or outside a register).
// Tested by tests/explore.
#pragma once
#include <functional>
#include <memory>

#include "explore/engine.h"
#include "explore/p4/event.h"
#include "explore/p4/installed_lookup.h"
#include "explore/p4/witness.h"
#include "p4/ir/to_llvm.h"

namespace perfpact::explore {

struct Limits : SearchLimits {
  std::uint32_t passes = 4;
  std::uint32_t replicas = 1;          // of a multicast group or clone session that is open
  std::uint64_t loop_blocks = 20'000;  // as p4::ExecutionLimits
  std::uint64_t entries = 64;          // of a table that is installed: with more they are no formulas
  std::uint64_t tries = 100'000;       // of such entries, for one question
};

struct Options {
  std::uint32_t shortest = 0;  // bytes of a packet
  std::uint32_t longest = 1514;
  const tables::TableSet* tables = nullptr;  // null: open
  bool zero_state = false;                   // registers start at zero, not anyhow
  bool keeps_states = false;                 // Path::state
  Limits limits;
  smt::Options solver;
};

struct State;  // state.h

struct Path {
  program::PathId id{};
  /// All must hold, of the packet that comes in and of what methods return.
  smt::Constraints condition;
  /// So must these: look-ups in installed tables with more than Limits::entries.
  const std::vector<InstalledLookup>& installed;
  const std::vector<Event>& events;
  const std::vector<program::Pass>& passes;
  /// Of the verdict, the witness's being one of its values; null where it has none.
  smt::Expr port, group;
  Witness witness;
  std::shared_ptr<const State> state;  // as the path ends; where Options::keeps_states
};

/// What was not explored, and what leads there.
struct Gap {
  std::string reason;
  std::string at;  // "l3.p4:12:5", empty where it is nowhere
  smt::Constraints condition;
  std::optional<Witness> witness;
};

class Explorer {
 public:
  /// All must outlive the explorer.
  Explorer(const p4::core::Program& program, const p4::ir::Lowered& lowered, const Options& options);
  ~Explorer();

  /// To be called once.
  void run(const std::function<void(const Path&)>& found);

  [[nodiscard]] const std::vector<Gap>& gaps() const;
  [[nodiscard]] Statistics statistics() const;

  // Questions about paths that were found, by Path::state.
  /// Of conditions; the explorer outlives its expressions.
  [[nodiscard]] smt::Context& context();
  [[nodiscard]] smt::Expr byte(std::uint32_t i);  // of the packet, 8 bits
  [[nodiscard]] smt::Expr length() const;         // 16 bits
  [[nodiscard]] smt::Expr port() const;
  /// Another input that takes the path: a model of its condition, in which hashes are those of their data.
  [[nodiscard]] Witness witness(const State& state, const std::shared_ptr<const smt::Model>& model);
  /// The packet that the path sends first, where it sends one: its length in bytes, 32 bits, and a byte of
  /// it, zero behind its end.
  [[nodiscard]] smt::Expr length_behind(const State& state);
  [[nodiscard]] smt::Expr byte_behind(const State& state, std::uint32_t i);

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace perfpact::explore
