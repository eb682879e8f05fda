// The engine for native programs; see explorer.h and explore/engine.h. A path's blocks are in machine.cpp,
// how it begins and what is opened in machine_start.cpp, loads and stores in machine_memory.cpp, how it ends
// in machine_end.cpp, calls that are not run in machine_calls.cpp, machine_results.cpp and
// machine_memory_functions.cpp, how states are merged in machine_merge.cpp, and what inputs come through
// merges in machine_realize.cpp.
#pragma once
#include <llvm/IR/LLVMContext.h>

#include <map>
#include <set>

#include "explore/engine.h"
#include "explore/native/explorer.h"
#include "explore/native/merge.h"
#include "explore/native/structures.h"
#include "lift/lifter.h"

namespace perfpact::explore {

class NativeExplorer::Machine : public Engine<NativeState, NativeGap> {
 public:
  Machine(const process::Process& process, const NativeOptions& options);

  void run(const std::function<void(const NativePath&)>& found);
  [[nodiscard]] std::vector<std::string> state() const;
  void report_assumptions(Diagnostics& diagnostics) const;
  void report_methods(Diagnostics& diagnostics) const;
  [[nodiscard]] const lift::Site& site(std::uint32_t number) const { return lifter_.site(number); }
  [[nodiscard]] const process::Process& process() const { return process_; }
  [[nodiscard]] bool takes(const NativePath& path, smt::Model& model);
  [[nodiscard]] std::vector<Expr> symbols() const;
  using Engine::judge;
  [[nodiscard]] smt::Answer judge(const NativePath& path, Expr condition);
  [[nodiscard]] std::optional<NativePath> restricted(const NativePath& path, Expr condition);
  [[nodiscard]] NativePath with_witness(const NativePath& path, std::shared_ptr<const smt::Model> model);
  [[nodiscard]] Expr byte_behind(const NativePath& path, std::uint32_t i) {
    return path.memory.load(context_, packet_ + i, 1);
  }
  [[nodiscard]] smt::Context& context() { return context_; }
  [[nodiscard]] Expr length() const { return length_; }
  [[nodiscard]] Expr port() const { return port_; }
  [[nodiscard]] Expr now_ns() const { return now_ns_; }
  [[nodiscard]] Expr byte_symbol(std::uint32_t i);
  [[nodiscard]] std::uint32_t longest() const { return options_.entry.longest; }

 private:
  [[nodiscard]] Step intrinsic(const Instruction& call) override;
  [[nodiscard]] Step proceed() override;
  void leave_last(Expr next) override;
  [[nodiscard]] std::string place() const override;
  Step end_in_gap(std::string reason) override;

  [[nodiscard]] const NativeBlock& block(std::uint64_t address);
  void note_decision();
  [[nodiscard]] std::string unique(std::string name);
  void decide(std::uint64_t from, std::uint64_t to);
  [[nodiscard]] Expr& reg(lift::Field field);
  [[nodiscard]] Expr reg(lift::Field field) const;
  [[nodiscard]] Expr word(std::uint64_t number) { return context_.constant(64, number); }

  // Instructions.
  Step begin_instruction(const Instruction& call);
  Step access_memory(const Instruction& call);
  Step load(const Instruction& call);
  Step give_loaded(const Instruction& call, Expr value);
  Step unreadable() { return end_in_gap("not supported yet: memory that only the program itself can read"); }
  Step store(const Instruction& call);
  Step trap(const Instruction& call);
  Step read_time(const Instruction& call);

  // The beginning.
  void start();
  void make_registers(NativeState& state);
  /// Bytes for a packet where the program keeps the first one, as far as its symbols and mappings tell.
  [[nodiscard]] std::uint64_t packet_room() const;
  std::uint64_t fill_mbuf(const Memory& memory, std::uint64_t mbuf);
  void demand_assumptions(NativeState& state);
  [[nodiscard]] Expr assumed_of(const std::string& kind, Expr content);
  /// Whether there was something to open that was not open.
  [[nodiscard]] bool open_what_was_written();
  [[nodiscard]] std::string name_of(std::uint64_t address, std::uint32_t bytes) const;
  [[nodiscard]] static std::optional<std::string> symbol_in(Expr expr,
                                                            const std::function<bool(Expr)>& is_of_kind);
  [[nodiscard]] std::optional<std::string> opened_in(Expr expr) const;

  // Addresses.
  struct Reach {
    std::uint64_t low = 0, high = 0;
  };
  /// Where an access can go, all of it in one region of memory; nothing: the path is over.
  [[nodiscard]] std::optional<Reach> reach(Expr address, std::uint32_t bytes, bool writes);
  [[nodiscard]] static Reach known_bounds(Expr address);
  [[nodiscard]] bool is_good_enough(const Reach& reach, std::uint32_t bytes) const;
  [[nodiscard]] Reach bounds(Expr address);
  [[nodiscard]] Reach interval(Expr varying);
  [[nodiscard]] std::vector<Snapshot::Extent> regions(std::uint32_t bytes, bool writes) const;
  [[nodiscard]] std::optional<Reach> pick_region(Expr address, std::uint32_t bytes, bool writes);
  [[nodiscard]] bool is_inside(const Reach& reach, std::uint32_t bytes, bool writes) const;
  /// Addresses of the reach that can be: from `first` on, `step` apart, by what is known of the lowest bits.
  struct Steps {
    std::uint64_t first = 0, step = 1;
  };
  [[nodiscard]] static Steps steps(Expr address, const Reach& reach);
  /// The addresses of the reach that agree with what is known of the address's bits; nothing: more than
  /// `most`.
  [[nodiscard]] static std::optional<std::vector<std::uint64_t>> candidates(Expr address, const Reach& reach,
                                                                            std::uint64_t most);
  /// Null where one of them cannot be read.
  [[nodiscard]] Expr choose(const Memory& memory, Expr address, std::span<const std::uint64_t> addresses,
                            std::uint32_t bytes);
  void write(std::uint64_t address, Expr value);
  void note_access(Expr address, std::uint32_t bytes);
  [[nodiscard]] bool is_in_stack(std::uint64_t address) const;

  // Loads whose values the solver does not know.
  [[nodiscard]] smt::Answer check(const smt::Constraints& constraints, Expr condition) override;
  [[nodiscard]] Expr read(Expr address, const Reach& reach, std::uint32_t bytes,
                          std::shared_ptr<const TableIndex> table = nullptr);
  [[nodiscard]] Expr read_symbol(Expr address, const Reach& reach, std::uint32_t bytes, std::uint64_t stores);
  [[nodiscard]] smt::Answer agree(const smt::Constraints& constraints, smt::Answer answer, int& tries);
  [[nodiscard]] smt::Answer settle(smt::Constraints constraints, const Read& read, smt::Answer answer,
                                   int& tries);
  [[nodiscard]] smt::Answer settle_table(const smt::Constraints& constraints, const Read& read, int& tries);
  [[nodiscard]] std::shared_ptr<const TableIndex> table(const Reach& reach, std::uint64_t step,
                                                        std::uint32_t bytes);
  [[nodiscard]] std::optional<Reach> interval_by_table(Expr expr);
  [[nodiscard]] Expr with(Expr expr, Expr symbol, Expr value);
  [[nodiscard]] smt::Answer ask_in_full(smt::Constraints constraints);

  // Calls of methods that are cut out.
  struct CutMethod {
    const library::Method* method = nullptr;
    bool is_shipped = false;
    bool is_called = false;
  };
  struct Call {
    const library::Method& method;
    std::uint64_t function = 0;
    std::string structure;
    std::uint64_t handle = 0;
    std::string label;
    std::array<Expr, x86::kArguments.size()> arguments;
  };
  /// A way in which a call can end: an outcome, and of an object that it returns which one, or a new one.
  struct Ending {
    const library::Outcome* outcome = nullptr;
    std::optional<std::size_t> object;
    Expr condition;
  };
  void find_methods();
  Step cut(CutMethod& method, std::uint64_t function);
  [[nodiscard]] std::optional<std::string> lost_register_in(Expr expr) const;
  [[nodiscard]] std::optional<std::string> lost_register_used(Expr port) const;
  [[nodiscard]] static std::string depends_on(const std::string& lost);
  [[nodiscard]] bool has_its_memory(const Call& call);
  [[nodiscard]] bool has_room(const Call& call);
  [[nodiscard]] std::uint64_t size_of(const Call& call, const library::Object& object);
  [[nodiscard]] std::vector<Ending> endings(const Call& call);
  void end_call(const Call& call, const Ending& ending, std::uint64_t return_address);
  [[nodiscard]] NativeCall ended(const Call& call, const Ending& ending, std::uint64_t return_address);
  void go_back(NativeCall done, std::uint64_t return_address);
  [[nodiscard]] Expr what_it_is_the_same_for(const Call& call, const library::Object& object);
  [[nodiscard]] Expr no_outcome(const Call& call);
  [[nodiscard]] Expr what_is_promised(const Call& call, const library::Outcome& outcome);
  [[nodiscard]] Expr returned_number(const Call& call, const library::Outcome& outcome);
  [[nodiscard]] Expr written_value(const Call& call, const library::Outcome& outcome,
                                   const library::Write& write);
  void note_facts(const Call& call, const library::Outcome& outcome);
  [[nodiscard]] Expr first_content(const std::string& kind, Expr same_for, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t place_object(const Call& call, const Ending& ending, NativeCall& done);
  void give_result(const Call& call, const library::Outcome& outcome, std::uint64_t object, NativeCall& done);
  void write_results(const Call& call, const library::Outcome& outcome, std::uint64_t object,
                     NativeCall& done);
  void leave_state(const Call& call, const library::Outcome& outcome);
  void lose_registers(const std::string& label, NativeCall& done);
  void set(NativeCall& done, x86::Gpr gpr, Expr value);
  [[nodiscard]] Expr evaluate(const Call& call, const library::Condition& condition, Expr value = {});
  [[nodiscard]] Expr evaluate(const Call& call, const library::Term& term, std::uint32_t width, Expr value);
  /// The arguments of a function of the abstract state, or of what an object depends on, one behind the
  /// other.
  [[nodiscard]] Expr arguments(const Call& call, const std::vector<library::Term>& terms);
  [[nodiscard]] Expr passed(const Call& call, std::uint64_t position);
  [[nodiscard]] Expr known(const std::string& function, Expr arguments, std::uint32_t width);
  [[nodiscard]] const Object* object_at(std::uint64_t address) const;

  // Calls of functions that do something to memory (library::MemoryFunction).
  struct Effect;
  Step do_to_memory(Call& call, std::uint64_t return_address);
  [[nodiscard]] Step effect_of(const Call& call, Effect& effect);
  [[nodiscard]] Step copy(const Call& call, Effect& effect);
  [[nodiscard]] Step fill(const Call& call, Effect& effect);
  [[nodiscard]] Step compare(const Call& call, Effect& effect);
  [[nodiscard]] Step scan(const Call& call, Effect& effect);
  [[nodiscard]] Step keep_what_is_behind(Effect& effect, const Reach& count);
  [[nodiscard]] Expr difference(Expr first, Expr second);
  [[nodiscard]] std::optional<Reach> count_within(const Call& call);
  [[nodiscard]] std::uint64_t room(const Call& call) const;
  [[nodiscard]] std::uint64_t room_behind(std::uint64_t address, bool writes) const;

  // States that meet.
  [[nodiscard]] bool refill() override;
  void abandon(const std::string& reason) override;
  struct Parked {
    NativeState state;
    Bindings sample;  // of inputs and of the state's symbols; empty: none is known
  };
  /// What states have in common that may be merged, the number of instructions first.
  using MergeKey = std::vector<std::uint64_t>;
  [[nodiscard]] MergeKey merge_key(std::uint64_t address) const;
  Step park(std::uint64_t address);
  [[nodiscard]] bool can_merge(const NativeState& a, const NativeState& b) const;
  [[nodiscard]] bool is_code(Expr value) const;
  void release(std::vector<Parked> members);
  [[nodiscard]] NativeState merge(std::vector<Parked>& members);
  struct Merging;  // machine_merge.cpp
  void merge_registers(Merging& merging);
  void merge_memory(Merging& merging);
  void merge_constraints(Merging& merging);
  void demand_bounds(Merging& merging);
  void demand_relations(Merging& merging);
  void add_samples(Merging& merging);
  [[nodiscard]] Expr merged_value(Merging& merging, const std::string& name, std::span<const Expr> values);
  [[nodiscard]] std::string merged_name(std::uint64_t address, std::uint32_t bytes) const;
  /// Whether it speaks of symbols that are this state's only: of merges and reads.
  [[nodiscard]] bool is_local(Expr expr);

  // Inputs that come through merges.
  struct Trial;  // machine_realize.cpp
  /// As check(constraints of the state that runs), but sat only where an input takes the state's whole way.
  [[nodiscard]] smt::Answer check_whole(Bindings* sample = nullptr);
  [[nodiscard]] smt::Answer try_ways(const Segment& last, Bindings* sample);
  /// Every model of the state's constraints is an input that comes here.
  [[nodiscard]] bool is_exact();
  [[nodiscard]] smt::Answer check_exact(Bindings* sample);
  [[nodiscard]] smt::Answer check_trial(const Trial& trial);
  /// The state's own symbols are kept where the segment is the last one.
  void advance(Trial& trial, const Segment& segment, bool is_last);
  [[nodiscard]] std::shared_ptr<smt::Model> model_of(const Trial& trial, const smt::Model& inputs);
  [[nodiscard]] Bindings sample_of(const Trial& trial, const smt::Model& model);
  using Arrivals = std::map<const Merge*, std::shared_ptr<const smt::Model>>;
  /// The values of the merge's symbols beside those of the inputs; null: the inputs do not come there.
  [[nodiscard]] std::shared_ptr<const smt::Model> arrive(const Merge* merge,
                                                         const std::shared_ptr<const smt::Model>& inputs,
                                                         Arrivals& known);
  /// Adds the values of the segment's reads; null: its constraints do not hold.
  [[nodiscard]] std::shared_ptr<smt::Model> pass(const smt::Constraints& constraints,
                                                 std::span<const Read> reads, smt::Model model);

  // The end.
  Step finish_path();
  Step fail(const std::string& error);
  /// The instruction that runs cannot be executed: it is not counted.
  Step fault(const std::string& what);
  void found(NativeVerdict verdict, Expr port);
  void show_input(NativePath& path, std::shared_ptr<const smt::Model> model);
  [[nodiscard]] NativeWitness witness(smt::Evaluation& evaluation, const NativePath& path);
  [[nodiscard]] static process::Cut::Result result(const NativeCall& call, smt::Evaluation& evaluation);
  [[nodiscard]] process::Input input(smt::Evaluation& evaluation);

  const process::Process& process_;
  const NativeOptions& options_;
  llvm::LLVMContext llvm_;
  lift::Lifter lifter_;
  std::shared_ptr<const Snapshot> snapshot_;
  const Layout* layout_;  // of the registers
  std::unordered_map<std::uint64_t, NativeBlock> blocks_;
  Expr length_, port_, now_ns_;
  std::vector<Expr> bytes_;           // of the packet
  std::uint64_t packet_ = 0;          // address
  std::uint64_t return_address_ = 0;  // of the entry function
  std::uint64_t stack_ = 0;           // the stack pointer as the entry is reached
  std::uint64_t stack_end_ = 0;       // how far the stack can grow down
  std::uint64_t stack_top_ = 0;       // behind its memory

  std::map<std::uint64_t, std::uint32_t> written_;  // outside stack and packet: address and most bytes
  std::map<std::uint64_t, Expr> opened_;            // what was written: address and symbol
  std::map<std::array<std::uint64_t, 4>, std::shared_ptr<const TableIndex>>
      tables_;  // low, high, step, bytes
  /// By address (its id), bytes and stores before.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, Expr> read_symbols_;
  std::map<std::string, std::uint32_t> names_;  // of those, and how many have it
  std::map<std::uint64_t, CutMethod> methods_;  // by address
  struct ById {
    bool operator()(Expr a, Expr b) const { return a.id() < b.id(); }
  };
  std::set<Expr, ById> lost_;  // symbols of registers that calls have left unknown
  Structures structures_;
  // Of objects that methods give pointers to: `records.cell`; names of assumptions on their content.
  std::set<std::string> kinds_of_objects_, assumed_of_objects_;
  std::map<std::pair<std::string, std::uint32_t>, Expr>
      fact_symbols_;  // by function and arguments (their id)
  std::vector<std::string> pcv_names_;
  std::unordered_map<std::uint64_t, std::uint32_t> marks_;  // address and number of the PCV
  std::map<MergeKey, std::vector<Parked>> parked_;
  std::vector<std::uint64_t> merged_at_;  // marks where states were merged
  std::vector<bool> local_symbols_;       // by number
  smt::NodeMap<bool> locals_;             // what is_local has found
  smt::NodeMap<Expr> put_in_;             // by `advance`
  // What a path begins with, where it is made of symbols.
  std::vector<std::pair<std::uint64_t, Expr>> first_memory_;
  std::shared_ptr<const Region> first_registers_;
  std::vector<NativePath> found_;
};

}  // namespace perfpact::explore
