// The reference interpreter: runs the core form one packet at a time, slowly and obviously. It is the meaning
// of a program; faster engines are held to it.
//
// What comes in: a verified core program (core/verify.h), the tables with what is installed in them, a
// packet. What goes out: its Trace. One handler an instruction kind (machine*.cpp), on exact integers
// (operations.h).
//
// Passes. A packet is a tree of passes, run in the order in which they were enqueued (first in, first out).
// The first starts with all slots zero but Program::ingress_port, packet_length (bytes) and instance_type. A
// further pass starts with the slots that its instruction lists, then instance_type by its kind (0 normal,
// 1 clone in ingress, 2 clone in egress, 4 recirculated, 5 replica, 6 resubmitted) unless the instruction's
// `set` has it; all else is zero. Its packet is the packet of the enqueuing pass as it is then, cursor and
// output buffer included, or, with `original_packet`, the bytes with which the enqueuing pass began and the
// cursor at 0. The limit of PacketTruncate stays with the pass (as in behavioral-model 1.15); a clone has the
// one of its session.
//
// Verdict. A pass is on the *original* packet's way unless it, or a pass that led to it, was enqueued as a
// clone; clones add outputs and events but never change the verdict. In this order:
//   error(what)             a Fail in any pass: the whole run ends; outputs so far stay listed
//   gap(reason)             likewise by a limit
//   multicast(group, n)     the original's way went through EnqueueGroup (the first group counts) and n > 0
//                           packets were sent on it
//   sent(port)              a packet was sent on the original's way
//   dropped                 none was (a drop, a group without replicas, a pass that nothing follows)
// A pass has one fate at most: it sends, drops, continues by Enqueue of a kind other than clone, or by
// EnqueueGroup; a second one is a bug of the lowering and checked.
//
// Path. Every pass takes (kPassSite, its kind) into the path, then its decisions in order: a branch its
// condition, a select the index of its case, a look-up 2 * action + hit. The parser error is that of the slot
// Program::parser_error at the end of the first pass.
//
// State. Registers and counters start at zero and keep their cells between packets until reset(); a counter's
// bytes are those with which the pass began. A direct counter has a cell per entry, by the order in which the
// entries were added, and counts hits. Meters are green: no control plane sets their rates (and a meter
// without rates is green in behavioral-model too). Random numbers, HashAlgorithm::Random included (64 bits,
// whatever the data), are SplitMix64 from kRandomSeed, restarted by reset(): repeatable, not those of any
// target; choose() gives others, and other colours. Custom CRCs have behavioral-model's default parameters.
//
// Limits: `limits` bounds what a packet may take. The place of a gap is that of the last resubmit,
// recirculate or clone event of the pass that enqueued the one too many (of the instruction where there is
// none), or of the end of the loop head where the limit was met. A port that the program's port slot cannot
// hold is an error verdict. Tested by tests/p4/interpreter.
#pragma once
#include <cstdint>
#include <memory>

#include "p4/engine.h"
#include "tables/table_set.h"

namespace perfpact::p4 {

class Interpreter final : public Engine {
 public:
  /// Both must outlive the interpreter; traces point to the program's event sites. `tables` has the program's
  /// tables, in its order; between packets it may be assigned another set of the same tables.
  Interpreter(const core::Program& program, const tables::TableSet& tables, ExecutionLimits limits = {});
  ~Interpreter() override;

  [[nodiscard]] program::Trace run(const program::InputPacket& packet) override;
  void reset() override;
  /// What chance gives next, in this order: random numbers, colours of meters. A number that a program could
  /// not have drawn is the caller's bug (PERFPACT_CHECK).
  void choose(const std::vector<Integer>& values);

  [[nodiscard]] Integer register_cell(core::ObjectId object, std::uint64_t index) const override;
  [[nodiscard]] CounterCell counter_cell(core::ObjectId object, std::uint64_t index) const override;
  void set_register_cell(core::ObjectId object, std::uint64_t index, Integer value) override;
  void reset_object(core::ObjectId object) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfpact::p4
