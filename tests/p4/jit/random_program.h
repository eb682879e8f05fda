// Random programs in core form: every instruction, widths from 1 to 200 bits, branches, loops, tables,
// further passes. Valid by construction; what they do is of no sense.
#pragma once
#include <random>

#include "p4/core/core.h"
#include "program/trace.h"
#include "tables/table_set.h"
#include "tests/p4/core/program_builder.h"

namespace perfpact::p4::core {

class RandomProgram {
 public:
  explicit RandomProgram(std::uint32_t seed);

  [[nodiscard]] const Program& program() const { return b_.program; }
  /// Entries, groups and sessions that go with the program.
  [[nodiscard]] tables::TableSet tables();
  [[nodiscard]] program::InputPacket packet();

 private:
  using Widths = std::vector<std::uint32_t>;

  [[nodiscard]] std::uint32_t below(std::uint32_t end) { return end == 0 ? 0 : random_() % end; }
  [[nodiscard]] bool chance(std::uint32_t percent) { return below(100) < percent; }
  [[nodiscard]] Integer number(std::uint32_t width);
  [[nodiscard]] SlotId any_slot();
  [[nodiscard]] SlotId slot_of(std::uint32_t width);
  [[nodiscard]] Operand operand(std::uint32_t width);
  /// At most `most`, 32 bits wide.
  [[nodiscard]] Operand count_up_to(std::uint32_t most);
  [[nodiscard]] std::uint32_t width_of(SlotId slot) const { return b_.program.slots[index(slot)].width; }

  void declare();
  tables::TableSchema schema(std::size_t number);
  void fill_procedure(ProcedureId id, bool is_pass);
  void fill_block(std::uint32_t instructions);
  void end_block(const std::vector<BlockId>& blocks, std::size_t at);
  void instruction();
  void compute();
  void computed(Op op, SlotId to, std::vector<Operand> from, std::uint32_t high = 0, std::uint32_t low = 0);
  void show(SlotId slot);
  void packet_instruction();
  void look_up();
  void hash();
  void object_instruction();
  void clone();
  void fate();
  [[nodiscard]] Pattern pattern(std::uint32_t width);
  template <class Enqueue>
  void fill_pass(Enqueue& enqueue);

  std::mt19937 random_;
  ProgramBuilder b_;
  std::vector<SlotId> slots_;
  std::vector<ObjectId> registers_;
  ObjectId counter_{}, meter_{};
  std::vector<Lookup> lookups_;
  std::vector<ProcedureId> passes_;
  std::vector<ProcedureId> callees_;
};

}  // namespace perfpact::p4::core
