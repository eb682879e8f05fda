// The cells of registers and counters. Only those touched are stored, so that an object may be of any size.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "p4/core/core.h"
#include "p4/interpreter/interpreter.h"

namespace perfpact::p4::interpreter {

class Objects {
 public:
  explicit Objects(const core::Program& program);

  /// All cells zero.
  void reset();
  /// Those of one object.
  void reset(core::ObjectId object);

  [[nodiscard]] bool contains(core::ObjectId object, const Integer& index) const;
  // `index` is contained.
  [[nodiscard]] Integer register_cell(core::ObjectId object, std::uint64_t index) const;
  void set_register_cell(core::ObjectId object, std::uint64_t index, Integer value);
  [[nodiscard]] CounterCell counter_cell(core::ObjectId object, std::uint64_t index) const;
  void count(core::ObjectId object, std::uint64_t index, std::uint64_t bytes);

 private:
  struct Cells {
    std::unordered_map<std::uint64_t, Integer> registers;
    std::unordered_map<std::uint64_t, CounterCell> counters;
  };
  [[nodiscard]] const Cells& cells(core::ObjectId object, core::ObjectKind kind, std::uint64_t index) const;

  const core::Program& program_;
  std::vector<Cells> cells_;  // by ObjectId
};

}  // namespace perfpact::p4::interpreter
