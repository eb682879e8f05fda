// An input that takes a path: the packet, and what tables, groups, registers and chance must hold for it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "p4/core/core.h"
#include "program/trace.h"
#include "tables/table_set.h"

namespace perfpact::explore {

struct Witness {
  struct Lookup {
    tables::TableId table{};
    std::vector<Integer> key;  // by key of the schema, zero for selectors
    bool hit = false;
    tables::ActionCall action;
  };
  struct Cell {
    p4::core::ObjectId object{};
    std::uint64_t index = 0;
    Integer value;
  };
  struct Group {
    bool is_session = false;
    std::uint64_t id = 0;
    std::vector<tables::MulticastReplica> replicas;
  };
  program::InputPacket packet;
  std::vector<Lookup> lookups;   // in open tables, in order
  std::vector<Group> groups;     // open ones that have a member
  std::vector<Cell> cells;       // of registers, at the start
  std::vector<Integer> choices;  // random numbers and colours of meters, in order
  program::Verdict verdict;
};

/// The tables with the entries and defaults that the witness asks for, the first for each key; finished.
[[nodiscard]] tables::TableSet tables_for(const p4::core::Program& program, const Witness& witness);

/// Runs the witness through the reference interpreter. `installed`: the tables that were explored; null where
/// they were open. `passes` as explored.
[[nodiscard]] program::Trace replay(const p4::core::Program& program, const Witness& witness,
                                    const tables::TableSet* installed, std::uint32_t passes);

}  // namespace perfpact::explore
