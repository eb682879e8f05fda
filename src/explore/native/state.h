// One path of a native program on its way.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "explore/engine.h"
#include "explore/native/memory.h"
#include "explore/native/table_index.h"
#include "library/pack.h"
#include "lift/lifter.h"
#include "process/process.h"
#include "program/trace.h"

namespace perfpact::explore {

/// A call that was cut out.
struct NativeCall {
  /// `flows.get`, `flows.get#2` for the second one on a path, `memcpy` where there is no structure: what the
  /// names of its PCVs begin with.
  std::string label;
  const library::Method* method = nullptr;
  const library::Outcome* outcome = nullptr;
  std::string structure;        // empty: of none
  std::uint64_t function = 0;   // address
  std::uint64_t before = 0;     // instructions executed before it, its `call` included
  std::vector<smt::Expr> pcvs;  // 64 bits, as the outcome lists them; null where nothing tells the value
  // What it left.
  std::vector<std::pair<x86::Gpr, smt::Expr>> registers;
  std::vector<std::pair<std::uint64_t, smt::Expr>> memory;
};

/// What is known of the abstract state of structures: a function of its arguments' values.
struct Fact {
  std::string function;  // `flows.contains`
  smt::Expr arguments;
  smt::Expr value;
};

/// Memory that a method gave a pointer to, in the process's scratch memory.
struct Object {
  std::string kind;  // `records.cell`
  smt::Expr same_for;
  std::uint64_t begin = 0, end = 0;
};

/// A load at an address that depends on the input. The solver knows its value as a symbol only; that it is
/// what memory holds there is looked after beside it (machine_reads.cpp).
struct Read {
  smt::Expr address;  // 64 bits, low <= address <= high
  std::uint64_t low = 0, high = 0;
  std::uint32_t bytes = 0;
  smt::Expr value;
  Memory memory;             // as it was
  std::uint64_t stores = 0;  // that were done before, in the stack or outside it as the load is
  /// Where there are too many addresses to go through: memory that nothing has written.
  std::shared_ptr<const TableIndex> table;
};

/// A load or store that a path did.
struct Access {
  std::uint32_t instruction = 0;  // index of the one that did it
  std::uint32_t bytes = 0;
  smt::Expr address;  // 64 bits
};

struct Merge;

struct NativeBlock {
  const lift::Block* lifted = nullptr;
  const Function* function = nullptr;
  std::uint32_t number = 0;  // by order of being reached first
};

struct NativeState : Control {
  Memory memory;
  smt::Expr next;                      // address of the next block, 64 bits
  const NativeBlock* block = nullptr;  // the one that runs, or ran last
  program::PathHasher path;
  process::Counts counts;
  std::vector<std::uint32_t> sites;   // of the instructions since the merge, in order
  std::vector<Access> accesses;       // where NativeOptions::keeps_accesses
  std::vector<std::uint32_t> visits;  // by number of the block
  std::vector<NativeCall> calls;
  std::vector<Fact> facts;                         // the newest last
  std::map<std::string, std::uint32_t> forgotten;  // how often each function of the abstract state was
  std::vector<Object> objects;
  std::vector<Read> reads;
  std::uint64_t stores_in_stack = 0;
  std::uint64_t stores_outside = 0;
  std::vector<smt::Expr> times;         // what rdtsc and the like gave
  std::vector<std::uint32_t> pcvs;      // how often marks were reached, by number of the PCV
  std::shared_ptr<const Merge> origin;  // what this state was made by; null: it was never merged
  bool is_released = false;             // it has waited where it is for others
};

}  // namespace perfpact::explore
