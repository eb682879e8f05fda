// The engine for P4; see explorer.h and explore/engine.h. Passes begin and end in machine.cpp; what calls of
// `perfpact.*` do is in machine_packet.cpp (packet, passes), machine_methods.cpp (hashes, registers, chance)
// and machine_tables.cpp.
#pragma once
#include <map>
#include <set>

#include "explore/engine.h"
#include "explore/p4/explorer.h"
#include "explore/p4/state.h"

namespace perfpact::explore {

class Explorer::Machine : public Engine<State, Gap> {
 public:
  Machine(const p4::core::Program& program, const p4::ir::Lowered& lowered, const Options& options);

  void run(const std::function<void(const Path&)>& found);
  [[nodiscard]] smt::Context& context() { return context_; }
  [[nodiscard]] Expr length() const { return length_; }
  [[nodiscard]] Expr port() const { return port_; }
  [[nodiscard]] Expr byte_symbol(std::uint64_t i);
  [[nodiscard]] Witness witness(const State& state, const std::shared_ptr<const smt::Model>& model);
  [[nodiscard]] Expr length_behind(const State& state);
  [[nodiscard]] Expr byte_behind(const State& state, std::uint64_t i);

 private:
  using Handler = Step (Machine::*)(const Instruction&);
  static const std::array<Handler, program::ir::kP4Intrinsics> kHandlers;

  [[nodiscard]] Step intrinsic(const Instruction& call) override;
  [[nodiscard]] Step proceed() override;
  [[nodiscard]] std::string place() const override;
  [[nodiscard]] std::string place(std::uint64_t id) const;
  /// Tables that are installed agree too.
  [[nodiscard]] smt::Answer check(const smt::Constraints& constraints, Expr condition) override;
  Step end_in_gap(std::string reason) override { return end_in_gap(std::move(reason), place()); }
  Step end_in_gap(std::string reason, std::string at);
  void start();
  void finish_path();
  [[nodiscard]] const llvm::MDNode* metadata(std::string_view name, std::uint64_t id) const;

  // One handler an intrinsic.
  Step event(const Instruction& call);
  Step decision(const Instruction& call);
  Step loop(const Instruction& call);
  Step packet_length(const Instruction& call);
  Step packet_remaining(const Instruction& call);
  Step packet_peek(const Instruction& call);
  Step packet_read_varbit(const Instruction& call);
  Step packet_advance(const Instruction& call);
  Step packet_emit(const Instruction& call);
  Step packet_emit_varbit(const Instruction& call);
  Step packet_commit(const Instruction& call);
  Step packet_truncate(const Instruction& call);
  Step lookup(const Instruction& call);
  Step lookup_data(const Instruction& call);
  Step hash(const Instruction& call);
  Step register_read(const Instruction& call);
  Step register_write(const Instruction& call);
  Step count(const Instruction& call);
  Step meter(const Instruction& call);
  Step random(const Instruction& call);
  Step enqueue(const Instruction& call);
  Step enqueue_group(const Instruction& call);
  Step enqueue_clone(const Instruction& call);
  Step send(const Instruction& call);
  Step drop(const Instruction& call);
  Step fail(const Instruction& call);
  Step finish(const Instruction& call);

  [[nodiscard]] Expr read_cell(Expr cells, Expr index);
  [[nodiscard]] Expr& register_cells(std::size_t object, std::uint32_t width);

  // The packet.
  [[nodiscard]] Expr arrived_byte(std::uint64_t i);
  [[nodiscard]] Expr peek(std::uint64_t offset, std::uint32_t bits);
  [[nodiscard]] std::optional<std::uint64_t> bits_behind_cursor();

  // Passes.
  [[nodiscard]] Pass further_pass(const Instruction& call, std::size_t first_argument,
                                  p4::core::PassKind kind, bool original) const;
  struct Replication {
    bool is_session = false;
    std::size_t port = 0, instance = 0;  // arguments of the pass
  };
  [[nodiscard]] std::optional<std::string> place_of_request(p4::core::PassKind kind) const;
  Step enqueue_replicas(const Instruction& call, const Pass& model, const Replication& replication, Expr id);
  Step enqueue_open(const Pass& model, const Replication& replication, Expr id);
  Step enqueue_installed(const Pass& model, const Replication& replication, Expr id);
  [[nodiscard]] Expr consistent(const Group& group);

  // Tables.
  struct Alternative {
    Expr condition;
    bool is_open = false;  // the control plane's to choose
    bool hit = false;
    std::uint32_t action = 0;
    std::vector<Expr> data;
    Expr visited, prefix_length, entry;
  };
  [[nodiscard]] bool has_open_entries(tables::TableId table) const;
  [[nodiscard]] bool has_open_default(tables::TableId table) const;
  [[nodiscard]] std::vector<Alternative> alternatives(tables::TableId table, const std::vector<Expr>& keys);
  [[nodiscard]] std::vector<Alternative> misses(tables::TableId table, const std::vector<Expr>& keys,
                                                Expr miss);
  /// Of what is installed; `miss` becomes the condition of a miss.
  [[nodiscard]] std::vector<Alternative> installed_hits(tables::TableId table, const std::vector<Expr>& keys,
                                                        Expr& miss);
  void note_unexplored(Expr condition, const std::string& reason);
  [[nodiscard]] std::optional<std::size_t> pick_alternative(const std::vector<Alternative>& alternatives,
                                                            tables::TableId table,
                                                            const std::vector<Expr>& keys);
  [[nodiscard]] Alternative open_alternative(tables::TableId table, const std::vector<Expr>& key, bool hit,
                                             std::uint32_t action);
  [[nodiscard]] std::vector<Expr> constants(const tables::ActionSchema& schema,
                                            const tables::ActionCall& action);
  /// What is not open.
  [[nodiscard]] const tables::TableSet& installed() const {
    return options_.tables == nullptr ? initial_ : *options_.tables;
  }
  [[nodiscard]] Expr entries(tables::TableId table);
  [[nodiscard]] Expr consistent(const Lookup& lookup);
  void note_other_members(tables::TableId table, const std::vector<Expr>& keys,
                          const std::vector<Expr>& selectors);
  [[nodiscard]] Expr same_key(const std::vector<Expr>& a, const std::vector<Expr>& b);
  [[nodiscard]] Expr matches(const tables::TableSchema& schema, const std::vector<tables::Match>& entry,
                             const std::vector<Expr>& keys);

  // Large tables that are installed.
  [[nodiscard]] bool is_large(tables::TableId table) const;
  [[nodiscard]] std::vector<Alternative> large_hits(tables::TableId table, const std::vector<Expr>& keys);
  [[nodiscard]] InstalledLookup installed_lookup(tables::TableId table, const std::vector<Expr>& keys,
                                                 const Alternative& alternative);
  [[nodiscard]] std::optional<std::size_t> pick_large(const std::vector<Alternative>& alternatives,
                                                      tables::TableId table, const std::vector<Expr>& keys);
  [[nodiscard]] smt::Answer agree(const smt::Constraints& constraints, smt::Answer answer,
                                  std::uint64_t& tries);
  [[nodiscard]] smt::Answer find_entry(const smt::Constraints& constraints, InstalledLookup& lookup,
                                       std::uint64_t& tries);
  [[nodiscard]] smt::Answer try_entry(const smt::Constraints& constraints, const InstalledLookup& lookup,
                                      std::uint64_t rank, std::uint64_t& tries);
  [[nodiscard]] smt::Answer find_miss(smt::Constraints constraints, const InstalledLookup& lookup,
                                      smt::Answer answer, std::uint64_t& tries);
  [[nodiscard]] smt::Answer ask(const smt::Constraints& constraints, Expr condition, std::uint64_t& tries);
  /// What the table says to the key that the model has.
  [[nodiscard]] tables::LookupResult look_up(const InstalledLookup& lookup,
                                             smt::Evaluation& evaluation) const;
  [[nodiscard]] bool agrees(const InstalledLookup& lookup, smt::Evaluation& evaluation) const;
  /// The entries with one action.
  struct SameAction {
    std::vector<std::uint64_t> ranks;
    std::vector<std::set<Integer>> values;  // by parameter; with one more than kFewValues not all of them
  };
  [[nodiscard]] const SameAction& entries_with(tables::TableId table, std::uint32_t action);
  static constexpr std::size_t kFewValues = 16;

  // Hashes.
  [[nodiscard]] Expr hash_value(packet::HashAlgorithm algorithm, Expr data, bool with_payload);
  /// The hash has the value that its data has under the model.
  [[nodiscard]] Expr settled(const Hash& hash, const std::shared_ptr<const smt::Model>& model, Expr& is_data);
  /// A model of the path's condition in which every hash is that of its data; then of the constraints, for
  /// those from `next` on.
  [[nodiscard]] smt::Answer settle_hashes();
  [[nodiscard]] smt::Answer settle_hashes(const smt::Constraints& constraints, std::size_t next, int& tries);

  const p4::core::Program& program_;
  const p4::ir::Lowered& lowered_;
  const Options& options_;
  std::vector<p4::ir::Pass> passes_;
  tables::TableSet initial_;          // what the program itself installs
  std::vector<std::string> objects_;  // names, each once
  std::vector<std::string> tables_;
  std::vector<std::vector<std::string>> actions_;  // by table
  Expr length_;                                    // of the packet that comes in, bytes
  Expr port_;
  std::vector<Expr> bytes_;                                     // of the packet that comes in
  std::vector<Expr> registers_;                                 // arrays by object, at the start
  std::vector<std::map<std::uint32_t, SameAction>> by_action_;  // by table and action; filled on demand
  const std::function<void(const Path&)>* found_ = nullptr;
};

}  // namespace perfpact::explore
