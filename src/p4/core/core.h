// The core form of a P4 program: control-flow graphs over typed slots, in which everything that P4 leaves
// implicit is explicit (copy-in and copy-out, the order of arguments, exit and return, validity, unions,
// stacks, guards), and every operation is total. The reference interpreter, the events, the source spans and
// the lowering to LLVM are defined on it.
//
// Data. A *slot* holds a bit vector of fixed width; all state of a packet's way through the program is in
// slots. P4 has no recursion and no dynamic allocation, so each instance of a parser, control, action or
// function has its own slots. bool is 1 bit, enum and error 32 bits (the ordinal), varbit<n> a buffer of n
// bits (value right-aligned) and a length of 32 bits, a header its fields and one bit of validity, a stack
// its elements and a 32-bit next index, a struct, tuple or union its parts. `int` does not occur.
//
// Code. A *procedure* is a graph of basic blocks; calls pass nothing: the caller writes the callee's
// parameter slots before and reads them after. Branches that stand in the source are *decisions* and make the
// path (docs/formats.md, section 1); those that only follow from them (was there an exit?) are not.
//
// Invariants (verify.h checks them): every operand is as wide as its use demands; every block ends in a
// terminator to blocks of the same procedure; calls are acyclic; a slot is written before it is read or is
// zeroed at the start of the pass.
//
// Sample of the dump (`--dump=core`):
//
//   slot 12 hdr.ipv4.ttl : 8
//   procedure ingress (block 0)
//   block 0:
//     l3.p4:60:13  event compute(-, bits 8)
//     l3.p4:60:13  12 = sub 12, 8'1
//     l3.p4:58:9   branch 7 ? block 1 : block 2   ; decision 3
//
// Tested by tests/p4/core and by everything that runs programs.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/number.h"
#include "base/source.h"
#include "packet/hash.h"
#include "packet/packet.h"
#include "program/event.h"
#include "tables/schema.h"
#include "tables/table_set.h"

namespace perfpact::p4::core {

enum class SlotId : std::uint32_t {};
enum class BlockId : std::uint32_t {};
enum class ProcedureId : std::uint32_t {};
enum class SiteId : std::uint32_t {};      // of an event
enum class DecisionId : std::uint32_t {};  // of a branch, select, look-up that makes the path
enum class ObjectId : std::uint32_t {};    // register, counter, meter, ...

template <class Id>
[[nodiscard]] constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

struct Slot {
  std::string name;
  std::uint32_t width = 0;
};

/// A slot's value or a constant.
struct Operand {
  std::uint32_t width = 0;
  bool is_constant = true;
  SlotId slot{};
  Integer value;  // constant: 0 <= value < 2^width

  static Operand constant(std::uint32_t width, Integer value) { return {width, true, {}, std::move(value)}; }
  static Operand of(SlotId slot, std::uint32_t width) { return {width, false, slot, 0}; }
};

/// Operations on bit vectors; all total. `w` is the width of the result.
enum class Op : std::uint8_t {
  Copy,    // a
  Not,     // bitwise complement
  Negate,  // two's complement
  Add,
  Sub,
  Mul,  // modulo 2^w
  Div,
  Mod,  // unsigned; by zero: 0 (the lowering guards it)
  AddSat,
  SubSat,  // unsigned saturation
  AddSatSigned,
  SubSatSigned,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,        // amount unsigned of any width; >= w gives 0
  ShiftRightSigned,  // >= w gives all sign bits
  Equal,
  NotEqual,  // 1 bit
  Less,
  LessEqual,
  LessSigned,
  LessEqualSigned,  // 1 bit; a < b
  Concat,           // a high, b low
  Extract,          // bits high..low of a
  Insert,           // a with its bits high..low replaced by b
  ZeroExtend,
  SignExtend,
  Truncate,
  Choose,  // a (1 bit) ? b : c
};
[[nodiscard]] std::string_view to_string(Op op);

struct Compute {
  Op op{};
  SlotId to{};
  std::vector<Operand> from;
  std::uint32_t high = 0, low = 0;  // Extract, Insert
};

/// An event happens. Numbers in the order of the kind's schema; those a kind has not are zero constants.
struct RaiseEvent {
  SiteId site{};
  std::array<Operand, 5> numbers;
};

// The packet: a cursor over the input bits, and an output buffer. Reading past the end gives zeros (the
// lowering guards it with PacketRemaining).
struct PacketLength {
  SlotId to{};
};  // 32 bits: bytes of the packet
struct PacketRemaining {
  SlotId to{};
};  // 32 bits: bits behind the cursor
struct PacketRead {
  SlotId to{};
};  // as many bits as the slot is wide; moves the cursor
struct PacketReadVarbit {
  SlotId to{};
  Operand bits;
};  // `bits` of them, right-aligned; moves the cursor
struct PacketPeek {
  SlotId to{};
  std::uint32_t offset = 0;
};  // bits at cursor + offset; does not move it
struct PacketAdvance {
  Operand bits;
};  // 32 bits
struct PacketEmit {
  Operand value;
};
struct PacketEmitVarbit {
  Operand value;
  Operand bits;
};  // the low `bits` of value
/// The output buffer becomes the packet: what was emitted, then the input behind the cursor. Cursor to 0.
struct PacketCommit {};
/// The packet is cut to at most so many bytes when it leaves.
struct PacketTruncate {
  Operand bytes;
};

/// Looks up a table. Always defined: a miss gives the default action.
struct Lookup {
  tables::TableId table{};
  std::vector<Operand> keys;
  DecisionId decision{};        // outcome: 2 * action + hit
  SlotId hit{};                 // 1 bit
  SlotId action{};              // 32 bits: index into the schema's actions
  SlotId entries{}, visited{};  // 64 bits
  SlotId prefix_length{};       // 32 bits
  std::optional<SlotId> entry;  // 64 bits: number of the winner in the order of insertion, all ones on a miss
  std::vector<std::vector<SlotId>>
      data;  // per action of the schema: its parameters, written when it is chosen
};

/// One element of the data of a hash or checksum; left out while `valid` is 0.
struct DataItem {
  Operand value;
  Operand length;  // 32 bits: how many low bits of value count (varbits); else its width
  Operand valid;   // 1 bit
};
using packet::HashAlgorithm;
/// to = algorithm(data [, payload]), cut or zero-extended to the slot's width.
struct Hash {
  HashAlgorithm algorithm{};
  SlotId to{};
  std::vector<DataItem> data;
  bool with_payload = false;  // the bytes behind the cursor too
};

// Objects with state. An index outside an object changes nothing and reads nothing. A direct object has a
// cell for each entry of its table, by Lookup::entry.
struct RegisterRead {
  ObjectId object{};
  Operand index;
  SlotId to{};
};
struct RegisterWrite {
  ObjectId object{};
  Operand index;
  Operand value;
};
struct Count {
  ObjectId object{};
  Operand index;
};
/// Writes the colour (0 green, 1 yellow, 2 red).
struct Meter {
  ObjectId object{};
  Operand index;
  SlotId to{};
};
/// lo <= to <= hi, uniformly; lo when hi < lo.
struct Random {
  SlotId to{};
  Operand low;
  Operand high;
};

struct Call {
  ProcedureId procedure{};
};

/// A further way of this packet (or a copy): the driver runs `procedure` later, from the slots as they are
/// now. `kind` is what start(pass) says. What a pass keeps of the slots is listed; the rest is zero at its
/// start.
enum class PassKind : std::uint8_t { Normal, Resubmit, Recirculate, CloneIngress, CloneEgress, Replica };
[[nodiscard]] std::string_view to_string(PassKind kind);
/// What behavioral-model has in standard_metadata.instance_type.
[[nodiscard]] std::uint32_t instance_type(PassKind kind);
[[nodiscard]] constexpr bool is_clone(PassKind kind) {
  return kind == PassKind::CloneIngress || kind == PassKind::CloneEgress;
}
struct Enqueue {
  PassKind kind{};
  ProcedureId procedure{};
  bool original_packet = false;  // the bytes as they came in; else the packet as it is now
  std::vector<SlotId> keep;
  std::vector<std::pair<SlotId, Operand>> set;  // written after the others were zeroed
};
/// Enqueues a Replica for each replica of the multicast group; port and instance go to the slots given.
struct EnqueueGroup {
  Operand group;
  ProcedureId procedure{};
  std::vector<SlotId> keep;
  std::vector<std::pair<SlotId, Operand>> set;
  SlotId port{}, instance{};
};
/// Enqueues a clone for each replica of the clone session.
struct EnqueueClone {
  Operand session;
  PassKind kind{};
  ProcedureId procedure{};
  bool original_packet = false;
  std::vector<SlotId> keep;
  std::vector<std::pair<SlotId, Operand>> set;
  SlotId port{}, instance{};
};
/// The packet leaves on a port / is dropped / this pass ends without either (its successor passes decide).
struct SendPacket {
  Operand port;
};
struct DropPacket {};
/// The packet ends in error(what).
struct Fail {
  std::string what;
};

using Action = std::variant<Compute, RaiseEvent, PacketLength, PacketRemaining, PacketRead, PacketReadVarbit,
                            PacketPeek, PacketAdvance, PacketEmit, PacketEmitVarbit, PacketCommit,
                            PacketTruncate, Lookup, Hash, RegisterRead, RegisterWrite, Count, Meter, Random,
                            Call, Enqueue, EnqueueGroup, EnqueueClone, SendPacket, DropPacket, Fail>;
struct Instruction {
  Span at;
  Action action;
};

struct Jump {
  BlockId to{};
};
struct Branch {
  Operand condition;  // 1 bit
  BlockId then_block{}, else_block{};
  bool is_decision = false;
  DecisionId decision{};  // outcome: the condition
};
/// What one value of a select or switch is compared with: value <= x <= high (Range), or x & mask == value.
struct Pattern {
  bool is_range = false;
  Integer value;
  Integer mask;  // or the upper end
};
struct SelectCase {
  std::vector<Pattern> patterns;  // one per operand
  BlockId to{};
};
/// The first case that matches, else the default.
struct Select {
  std::vector<Operand> operands;
  std::vector<SelectCase> cases;
  BlockId default_block{};
  bool is_decision = false;
  DecisionId decision{};  // outcome: index of the case; number of cases for the default
};
struct Return {};
using Terminator = std::variant<Return, Jump, Branch, Select>;

struct Block {
  std::vector<Instruction> instructions;
  Span at;  // of the terminator
  Terminator terminator = Return{};
};

struct Procedure {
  std::string name;  // "ingress", "ingress.set_bd"
  std::vector<Block> blocks;
  BlockId entry{};
};

enum class ObjectKind : std::uint8_t { Register, Counter, Meter };
struct Object {
  ObjectKind kind{};
  std::string name;
  std::uint64_t size = 0;
  std::uint32_t width = 0;                 // of a register's cells
  std::optional<tables::TableId> table{};  // of a direct object: whose entries its cells are; size is 0 then

  /// The least index that is outside.
  [[nodiscard]] std::uint64_t cells() const { return table ? tables::kNoEntry : size; }
};

/// A header instance, for what speaks of headers by name (atoms, dumps).
struct HeaderInstance {
  std::string name;  // "hdr.ipv4"
  std::string type;
  SlotId valid{};
};

struct Program {
  std::string name;  // file name of the source
  std::vector<Slot> slots;
  std::vector<Procedure> procedures;
  std::vector<program::EventSite> sites;
  std::uint32_t decisions = 0;
  std::vector<tables::TableSchema> tables;  // TableId is the index
  std::vector<Object> objects;
  std::vector<std::string> errors;  // by ordinal
  std::vector<HeaderInstance> headers;
  std::vector<packet::HeaderLayout> header_types;  // fixed-size header types of the program, for workloads
  ProcedureId entry{};                             // the pass that a packet begins with
  SlotId ingress_port{};                           // what the driver sets before the pass
  SlotId packet_length{};
  SlotId instance_type{};
  SlotId parser_error{};  // read after the run, for the trace
};

/// The program as text, stable enough for golden tests.
[[nodiscard]] std::string dump(const Program& program, const SourceManager& sources);

}  // namespace perfpact::p4::core
