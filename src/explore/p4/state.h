// One path of a P4 program on its way: where it is, what the packet and the program's state are, what has
// happened.
#pragma once
#include <deque>
#include <optional>
#include <string>

#include "explore/engine.h"
#include "explore/p4/event.h"
#include "explore/p4/installed_lookup.h"
#include "explore/p4/packet.h"
#include "p4/core/core.h"
#include "program/trace.h"
#include "smt/constraints.h"

namespace perfpact::explore {

// What methods returned; a path's condition speaks of it as it does of the packet.

/// A look-up in a table whose content is open.
struct Lookup {
  tables::TableId table{};
  std::vector<smt::Expr> key;        // fields that match; selectors are null
  std::vector<smt::Expr> selectors;  // what chooses a member of a group
  bool hit = false;
  std::uint32_t action = 0;
  std::vector<smt::Expr> data;  // by parameter
};
/// A multicast group or clone session whose content is open.
struct Group {
  struct Replica {
    smt::Expr port;      // 64 bits
    smt::Expr instance;  // 64 bits
  };
  bool is_session = false;
  smt::Expr id;  // 64 bits
  std::vector<Replica> replicas;
};
/// A hash that is only known once its data is.
struct Hash {
  packet::HashAlgorithm algorithm{};
  smt::Expr data;                 // whole bytes; null: none
  std::optional<Packet> payload;  // what is behind its cursor follows
  smt::Expr value;                // a symbol
};

struct Pass {
  p4::core::PassKind kind{};
  const llvm::Function* function = nullptr;
  std::vector<smt::Expr> arguments;
  bool is_clone = false;
  bool is_copy = false;
  Packet packet;
  std::string enqueued_at;
};

struct Outcome {
  std::optional<std::string> failed;
  smt::Expr group;  // null: none
  smt::Expr port;   // of the first packet sent on the original's way; null: none
  std::uint64_t sent = 0;
  Packet packet;           // that was sent first
  bool truncates = false;  // what is sent
};

struct State : Control {
  Pass pass;
  Packet arrived;  // the packet with which the pass began
  std::deque<Pass> waiting;
  std::uint32_t passes = 0;
  std::uint64_t loop_blocks = 0;
  std::uint64_t known_length = 0;  // bytes that the packet that came in has at least

  std::vector<smt::Expr> registers;       // arrays by object; null: as at the start
  std::vector<smt::Expr> data;            // of the latest look-up, by its first word; null between
  std::vector<std::uint32_t> lookups_of;  // by table: how many so far

  program::PathHasher path;
  std::vector<Event> events;
  std::vector<program::Pass> pass_list;
  std::vector<Lookup> lookups;
  std::vector<InstalledLookup> installed;
  std::vector<Group> groups;
  std::vector<Hash> hashes;
  std::vector<smt::Expr> choices;  // random numbers and colours of meters
  Outcome outcome;
};

}  // namespace perfpact::explore
