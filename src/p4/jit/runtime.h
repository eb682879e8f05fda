// The runtime of compiled code: the passes of a packet, their verdict, and the calls that are not written out
// in the code (runtime_calls.cpp). What each of them means is said in p4/interpreter/interpreter.h and
// p4/core/core.h; the two engines are held to the same traces by test.
#pragma once
#include <deque>
#include <optional>
#include <vector>

#include "p4/engine.h"
#include "p4/interpreter/random.h"
#include "p4/ir/to_llvm.h"
#include "p4/jit/bounds.h"
#include "p4/jit/cells.h"
#include "p4/jit/frame.h"
#include "p4/outcome.h"
#include "tables/table_set.h"

namespace perfpact::p4::jit {

struct Code {
  using Enter = void (*)(Frame*, const std::uint64_t* arguments);
  std::vector<ir::Pass> passes;
  std::vector<Enter> enter;  // by pass
  std::vector<Span> places;
  Bounds bounds;
};

class Runtime : private Frame {
 public:
  Runtime(const core::Program& program, const tables::TableSet& tables, Code code, ExecutionLimits limits);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  [[nodiscard]] program::Trace run(const program::InputPacket& packet);
  /// Adds how often each event happened, by site, and behind them each decision.
  void count(const program::InputPacket& packet, std::vector<std::uint64_t>& counts);
  void reset();
  [[nodiscard]] Cells& cells(core::ObjectId object) { return cells_[core::index(object)]; }

  static Runtime& of(Frame* frame) { return static_cast<Runtime&>(*frame); }

  // What compiled code calls.
  bool enter_loop(std::uint32_t place, std::uint64_t blocks);
  void commit();
  void truncate(std::uint32_t bytes);
  /// Both give the action's data.
  const std::uint64_t* look_up(tables::TableId table);
  const std::uint64_t* look_up_packed(tables::TableId table) {
    return tables_.lookup_packed(table, words, looked_up);
  }
  [[nodiscard]] std::uint64_t hash(core::HashAlgorithm algorithm, bool with_payload, std::uint64_t bits);
  [[nodiscard]] std::uint64_t* cell(std::uint32_t object, std::uint64_t index) {
    return cells_[object].at(index);
  }
  void count(std::uint32_t object, std::uint64_t index);
  void random(std::uint32_t bits);
  void enqueue(std::uint32_t place, std::uint32_t pass, core::PassKind kind, bool original);
  bool enqueue_group(std::uint32_t place, std::uint32_t pass, std::uint64_t group, std::uint32_t port,
                     std::uint32_t instance);
  bool enqueue_clone(std::uint32_t place, std::uint32_t pass, std::uint64_t session, core::PassKind kind,
                     bool original, std::uint32_t port, std::uint32_t instance);
  void send(std::uint64_t port);
  void drop() { fate_.meet(Fate::Kind::Dropped); }
  void fail(std::string what) { outcome_.fail(std::move(what)); }
  void finish(std::uint32_t parser_error);

 private:
  using Bytes = std::vector<std::uint8_t>;
  /// The words of a pass's arguments.
  struct Layout {
    std::vector<std::uint64_t> offsets;  // by argument
    std::uint64_t words = 0;
  };
  struct Pass {
    core::PassKind kind{};
    std::uint32_t pass = 0;
    bool is_clone = false;
    bool is_copy = false;
    Span enqueued_at;
    std::vector<std::uint64_t> arguments;
    Bytes bytes;  // and slack
    std::uint64_t size = 0;
    std::uint64_t cursor = 0;
    Bytes output;
    std::uint64_t output_bits = 0;
    std::optional<std::uint64_t> truncate_to;
  };
  struct PassBegin {
    std::size_t at;  // in what happened
    core::PassKind kind;
    bool is_copy;
  };

  void execute(const program::InputPacket& packet);
  void enqueue_first(const program::InputPacket& packet);
  void run_pass(Pass& pass);
  void make_room();
  void make_output_room();
  [[nodiscard]] Pass& new_pass();
  void fill(Pass& pass, const std::uint8_t* from, std::uint64_t size) const;
  Pass& further_pass(std::uint32_t place, std::uint32_t pass, core::PassKind kind, bool original);
  bool enqueue_replicas(const Pass& model, const std::vector<tables::MulticastReplica>& replicas,
                        std::uint32_t port, std::uint32_t instance);
  [[nodiscard]] Span place_of_request(core::PassKind kind, std::uint32_t place) const;
  void write_checked(Pass& pass, std::uint32_t argument, std::uint64_t value);
  void decode(program::Trace& trace) const;
  [[nodiscard]] std::size_t logged() const { return static_cast<std::size_t>(happened - ids_.data()); }

  const core::Program& program_;
  const tables::TableSet& tables_;
  Code code_;
  ExecutionLimits limits_;
  std::vector<Layout> layouts_;              // by pass
  std::vector<Cells> cells_;                 // by object
  std::vector<std::uint8_t> number_counts_;  // of an event, by site
  interpreter::SplitMix64 random_;
  std::uint64_t slack_ = 0;          // bytes
  std::uint32_t port_argument_ = 0;  // of the first pass
  std::uint32_t length_argument_ = 0;

  // The packet.
  std::vector<std::uint32_t> ids_;      // Frame::happened
  std::vector<std::uint64_t> numbers_;  // Frame::numbers
  std::vector<PassBegin> begins_;
  std::deque<Pass> queue_;  // those from queued_ on are there to be used again
  std::size_t queued_ = 0;
  std::uint64_t loop_blocks_ = 0;
  Outcome outcome_;
  std::uint32_t parser_error_ = 0;
  bool keeps_outputs_ = false;
  std::vector<program::OutputPacket> outputs_;

  // The pass.
  Pass* pass_ = nullptr;
  Fate fate_;
  // What the pass emits goes to one; committed it is the packet, and the other one takes what is emitted
  // next.
  std::array<Bytes, 2> emitted_;
  std::size_t emits_to_ = 0;
  std::vector<std::uint64_t> words_;
  Bytes hash_bytes_;
  std::vector<std::uint64_t> action_words_;
  std::vector<Integer> key_;
};

}  // namespace perfpact::p4::jit
