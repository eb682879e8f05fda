// Executes the core form: the passes of one packet, their procedures, one handler an instruction kind.
// machine.cpp has the passes and the control flow; machine_data.cpp computations, events, look-ups, hashes
// and objects; machine_packet.cpp the packet; machine_passes.cpp further passes and fates.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "p4/core/core.h"
#include "p4/interpreter/interpreter.h"
#include "p4/interpreter/objects.h"
#include "p4/interpreter/packet_buffer.h"
#include "p4/interpreter/random.h"
#include "p4/outcome.h"
#include "program/trace.h"
#include "tables/table_set.h"

namespace perfpact::p4::interpreter {

class Machine {
 public:
  Machine(const core::Program& program, const tables::TableSet& tables, ExecutionLimits limits);

  [[nodiscard]] program::Trace run(const program::InputPacket& packet);
  void reset();
  void choose(const std::vector<Integer>& values) { chosen_.assign(values.begin(), values.end()); }
  [[nodiscard]] const Objects& objects() const { return objects_; }
  [[nodiscard]] Objects& objects() { return objects_; }

 private:
  using Bytes = PacketBuffer::Bytes;
  struct Pass {
    core::PassKind kind{};
    core::ProcedureId procedure{};
    bool is_clone = false;  // a clone's way: the verdict is not about it
    bool is_copy = false;   // a clone's or a replica's way
    Span enqueued_at;
    std::vector<Integer> slots;
    PacketBuffer packet;
    std::optional<std::uint64_t> truncate_to;  // bytes
  };

  /// What becomes of the packet of one run; see "Verdict" in interpreter.h.
  struct Run {
    program::Trace trace;
    program::PathHasher path;
    std::deque<Pass> waiting;
    std::uint32_t passes = 0;
    std::uint64_t loop_blocks = 0;
    Outcome outcome;
  };

  void enqueue_first_pass(const program::InputPacket& packet);
  void run_pass();
  void note_parser_error();

  void run_procedure(core::ProcedureId procedure);
  std::optional<core::BlockId> leave(const core::Return&);
  std::optional<core::BlockId> leave(const core::Jump& jump);
  std::optional<core::BlockId> leave(const core::Branch& branch);
  std::optional<core::BlockId> leave(const core::Select& select);
  [[nodiscard]] std::size_t matching_case(const core::Select& select) const;

  void execute(const core::Compute& compute);
  void execute(const core::RaiseEvent& raise);
  void execute(const core::PacketLength& length);
  void execute(const core::PacketRemaining& remaining);
  void execute(const core::PacketRead& read);
  void execute(const core::PacketReadVarbit& read);
  void execute(const core::PacketPeek& peek);
  void execute(const core::PacketAdvance& advance);
  void execute(const core::PacketEmit& emit);
  void execute(const core::PacketEmitVarbit& emit);
  void execute(const core::PacketCommit& commit);
  void execute(const core::PacketTruncate& truncate);
  void execute(const core::Lookup& lookup);
  void execute(const core::Hash& hash);
  void execute(const core::RegisterRead& read);
  void execute(const core::RegisterWrite& write);
  void execute(const core::Count& count);
  void execute(const core::Meter& meter);
  void execute(const core::Random& random);
  void execute(const core::Call& call);
  void execute(const core::Enqueue& enqueue);
  void execute(const core::EnqueueGroup& enqueue);
  void execute(const core::EnqueueClone& enqueue);
  void execute(const core::SendPacket& send);
  void execute(const core::DropPacket& drop);
  void execute(const core::Fail& fail);

  [[nodiscard]] const Integer& value_of(const core::Operand& operand) const {
    return operand.is_constant ? operand.value : pass_->slots[core::index(operand.slot)];
  }
  /// For operands of at most 32 bits.
  [[nodiscard]] std::uint32_t small_value_of(const core::Operand& operand) const {
    return static_cast<std::uint32_t>(value_of(operand));
  }
  [[nodiscard]] std::uint32_t width_of(core::SlotId slot) const {
    return program_.slots[core::index(slot)].width;
  }
  /// What was chosen for this, else what is drawn.
  template <class Draw>
  [[nodiscard]] Integer by_chance(Draw&& draw);
  /// The value is below 2^width.
  void write(core::SlotId slot, Integer value) { pass_->slots[core::index(slot)] = std::move(value); }

  /// A pass from the slots as they are now, with the packet given.
  [[nodiscard]] Pass further_pass(core::PassKind kind, core::ProcedureId procedure, PacketBuffer packet,
                                  const std::vector<core::SlotId>& keep,
                                  const std::vector<std::pair<core::SlotId, core::Operand>>& set) const;
  /// Of the resubmit, recirculate or clone that asked for the pass, else of the instruction.
  [[nodiscard]] Span place_of_request(core::PassKind kind) const;
  /// Enqueues one pass like `model` for each replica.
  void enqueue_replicas(const Pass& model, const std::vector<tables::MulticastReplica>& replicas,
                        core::SlotId port, core::SlotId instance);
  [[nodiscard]] PacketBuffer packet_for(bool original) const;
  /// Writes a number that comes from outside the program; fails where the slot cannot hold it.
  void write_checked(Pass& pass, core::SlotId slot, std::uint64_t value);

  const core::Program& program_;
  const tables::TableSet& tables_;
  ExecutionLimits limits_;
  std::vector<std::vector<std::uint64_t>> loops_;  // core::Work::loops
  Objects objects_;
  SplitMix64 random_;
  std::deque<Integer> chosen_;  // what chance gives next, instead

  Run run_;
  std::optional<Pass> pass_;              // the one that runs
  std::shared_ptr<const Bytes> arrived_;  // the bytes with which it began
  Fate fate_;
  const core::Instruction* instruction_ = nullptr;  // the one that runs
  std::vector<Integer> key_;                        // of the current look-up
};

}  // namespace perfpact::p4::interpreter
