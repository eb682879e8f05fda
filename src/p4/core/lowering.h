// The lowering from the checked program to the core form, behind lower.h. One class, one file per kind of
// construct; what each file does stands above its functions here.
//
// Every parser, control, action and function becomes a procedure per instance (per type arguments for
// functions), made when it is first needed. Parameters are slots of the procedure's frame; a call evaluates
// its arguments from left to right into temporaries, writes the parameters, calls, copies back from left to
// right, and then follows an exit.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "p4/check/evaluate.h"
#include "p4/check/typed_program.h"
#include "p4/core/core.h"
#include "p4/core/diagnostics.h"
#include "p4/core/value.h"

namespace perfpact::p4::core {

struct Frame;
struct Instance;

/// What a declaration stands for in a frame: a place, a compile-time value, an instance.
using Binding = std::variant<Value, Constant, Instance*>;

/// An instance of an extern, parser, control: what its declaration or constructor call made.
struct Instance {
  const CallTarget* target = nullptr;  // the constructor call
  const Type* type = nullptr;          // concrete
  std::string name;                    // control-plane name: "ingress.my_register"
  Span at;
  std::unordered_map<const ast::Declaration*, Binding> arguments;  // constructor parameters
  std::optional<ObjectId> object;                                  // registers, counters, meters
  Frame* frame = nullptr;  // parsers, controls: of their body, once lowered
  std::optional<ProcedureId> procedure;
  std::vector<std::optional<Value>> shared;  // parameters that are places of whoever applied it first
  bool may_exit = false;
};

/// The surroundings of code being lowered: what its names mean and what its type variables are.
struct Frame {
  Frame* parent = nullptr;
  const ast::Declaration* owner = nullptr;  // the parser or control whose frame it is
  std::string prefix;                       // "ingress." or ""
  Substitution types;                       // includes the parent's
  std::unordered_map<const ast::Declaration*, Binding> bindings;
  bool in_parser = false;
};

/// A function or action that is lowered once per frame and type arguments.
struct Callable {
  ProcedureId procedure{};
  std::vector<Value> parameters;  // places
  std::optional<Value> result;    // place
  bool may_exit = false;
};

/// One table of one control instance.
struct TableInstance {
  tables::TableId id{};
  SlotId hit{}, action{}, entries{}, visited{}, prefix_length{};
  std::vector<Callable*> actions;  // by index of the schema
  const TableInfo* info = nullptr;
  bool may_exit = false;
  Instance* direct_counter = nullptr;
  std::optional<SlotId> entry;  // with a direct counter
};

/// Thrown when the program grows beyond a limit, after that was reported; ends the lowering.
struct TooLarge {};

class Lowering {
 public:
  Lowering(const TypedProgram& typed, const std::string& name, Diagnostics& diagnostics);
  /// The program, or nullptr when something was reported.
  std::unique_ptr<Program> run();

 private:
  /// Parameters that are places of the caller; the others get places of their own.
  using Places = std::vector<std::optional<Value>>;
  // ---- building (builder.cpp) ----
  struct Loop {
    BlockId break_to{}, continue_to{};
  };
  /// The procedure that is being written.
  struct Context {
    ProcedureId procedure{};
    BlockId block{};
    bool terminated = false;      // the current block has its terminator; what follows is unreachable
    BlockId epilogue{};           // returns
    std::optional<Value> result;  // place for `return value`
    Frame* frame = nullptr;
    std::vector<Loop> loops;
    std::optional<BlockId> reject;  // parsers: sets `rejected` and returns
    bool may_exit = false;
  };
  ProcedureId declare_procedure(std::string name);
  /// Begins to write a procedure; what was being written goes to `saved` and comes back with end_procedure.
  void open_procedure(ProcedureId procedure, Frame* frame, Context& saved);
  ProcedureId begin_procedure(std::string name, Frame* frame, Context& saved);
  void end_procedure(Context& saved);
  /// Reports and gives up when the program has grown too large. Programs whose instances, calls or fields
  /// multiply are of any size, however short their text is.
  void require_room();
  BlockId new_block();
  void enter(BlockId block);
  void emit(const Span& at, Action action);
  void terminate(const Span& at, Terminator terminator);
  void jump(const Span& at, BlockId to);
  void branch(const Span& at, const Operand& condition, BlockId then_block, BlockId else_block,
              bool is_decision);
  SlotId new_slot(std::string name, std::uint32_t width);
  SlotId new_temporary(std::uint32_t width);
  Operand compute(const Span& at, Op op, std::uint32_t width, std::vector<Operand> from,
                  std::uint32_t high = 0, std::uint32_t low = 0);
  void assign(const Span& at, SlotId to, const Operand& from);
  Operand of(SlotId slot) const;
  Operand bool_and(const Span& at, const Operand& a, const Operand& b);
  Operand bool_or(const Span& at, const Operand& a, const Operand& b);
  Operand bool_not(const Span& at, const Operand& a);
  Operand resize(const Span& at, const Operand& a, std::uint32_t width, bool sign);
  void event(const Span& at, program::EventKind kind, std::vector<std::string> texts,
             std::vector<Operand> numbers);
  static Operand number(std::uint64_t value) { return Operand::constant(64, value); }
  DecisionId new_decision();
  /// Runs `body` in a block of its own while `condition` holds at run time, and goes on behind it.
  void when(const Span& at, const Operand& condition, bool is_decision, const std::function<void()>& body);

  // ---- values and places (places.cpp) ----
  Value make_place(const Type* type, const std::string& name);
  Value zero_value(const Type* type);
  /// All slots of a place.
  static void collect_slots(const Value& place, std::vector<SlotId>& slots);
  static bool same_slots(const Value& a, const Value& b);
  void copy(const Span& at, const Value& place, const Value& value);
  void copy_if(const Span& at, const std::optional<Operand>& guard, const Value& place, const Value& value);
  Value snapshot(const Span& at, const Value& value);
  Value choose(const Span& at, const Operand& condition, const Value& a, const Value& b);
  Value constant_value(const Constant& constant, const Type* type, const Span& at);
  /// The value as another type: implicit and explicit casts.
  Value convert(const Span& at, const Value& value, const Type* to);
  void set_valid(const Span& at, const Value& header, const Operand& guard);
  void set_invalid(const Span& at, const Value& header, const Operand& guard);
  /// Headers invalid, stacks empty: the start of an `out` parameter.
  void initialize_out(const Span& at, const Value& place);
  Operand is_valid(const Span& at, const Value& header_or_union);
  LValue lvalue(const ast::Expression& expression);
  LValue lvalue_index(const ast::Index& expression);
  LValue lvalue_member(const ast::Member& expression);
  LValue stack_element(const Span& at, const LValue& stack, const Operand& index);
  Value read(const Span& at, const LValue& lvalue);
  void write(const Span& at, const LValue& lvalue, const Value& value);

  // ---- expressions (expressions.cpp, operators.cpp) ----
  Value evaluate(const ast::Expression& expression);  // with its implicit cast
  Value evaluate_raw(const ast::Expression& expression);
  Operand scalar(const ast::Expression& expression) { return evaluate(expression).scalar; }
  std::optional<Constant> constant(const ast::Expression& expression);
  std::optional<std::uint64_t> constant_u64(const ast::Expression& expression);
  const Type* resolve(const Type* type);
  const Type* type_of(const ast::Expression& expression) { return resolve(typed_.type_of(expression)); }
  Value evaluate_name(const ast::Name& name);
  Value evaluate_member(const ast::Member& member);
  Value evaluate_index(const ast::Index& index);
  Value evaluate_slice(const ast::Expression& object, std::uint32_t high, std::uint32_t low,
                       const ast::Expression& at);
  Value evaluate_unary(const ast::Unary& unary);
  Value evaluate_binary(const ast::Binary& binary);
  Value evaluate_logical(const ast::Binary& binary);
  Value evaluate_conditional(const ast::Conditional& conditional);
  Value evaluate_list(const ast::Expression& list, const Type* type);
  Operand binary_operation(const Span& at, ast::BinaryOperator op, const Value& left, const Value& right,
                           const Type* result);
  Operand equal(const Span& at, const Value& left, const Value& right);
  Operand shift(const Span& at, ast::BinaryOperator op, const Value& left, const Value& right);
  static bool is_pure(const ast::Expression& expression);  // no call that may change something
  bool is_silent(const ast::Expression& expression);       // pure and without events

  // ---- statements (statements.cpp) ----
  void lower(const ast::Statement& statement);
  void lower_block(const ast::Block& block);
  void lower_assign(const ast::Assign& assign);
  void lower_if(const ast::If& statement);
  void lower_switch(const ast::Switch& statement);
  void lower_return(const ast::Return& statement);
  void lower_for(const ast::For& statement);
  void lower_for_in(const ast::ForIn& statement);
  void lower_declaration(const ast::Declaration& declaration);
  void lower_exit(const Span& at);
  void follow_exit(const Span& at);

  // ---- calls (calls.cpp) ----
  Value lower_call(const ast::Call& call);
  struct PreparedArgument {
    const BoundArgument* bound = nullptr;
    Value value;                   // in, inout
    std::optional<LValue> target;  // out, inout
  };
  std::vector<PreparedArgument> prepare(const CallTarget& target, const std::vector<std::uint32_t>& order);
  void copy_in(const Span& at, std::vector<PreparedArgument>& arguments,
               const std::vector<Value>& parameters);
  void copy_out(const Span& at, std::vector<PreparedArgument>& arguments,
                const std::vector<Value>& parameters);
  Value call_callable(const Span& at, const CallTarget& target, Callable& callable);
  Value call_header_method(const ast::Call& call, const CallTarget& target);
  void push_pop(const Span& at, const LValue& stack, std::uint32_t count, bool push);
  void call_apply(const ast::Call& call, const CallTarget& target);
  Places shared_places(const CallTarget& target);
  std::optional<Value> named_place(const ast::Expression& expression);
  Callable& function(const ast::Function& function, const Substitution& type_arguments);
  Callable& action(const ast::Action& action);
  Frame* frame_declaring(const ast::Declaration& declaration);

  // ---- instances (instances.cpp) ----
  Instance* make_instance(const CallTarget& target, const std::string& name, const Span& at);
  Instance* instance_of(const ast::Expression& receiver);
  Binding* find_binding(const ast::Declaration& declaration);
  std::string control_plane_name(const ast::Declaration& declaration) const;
  static std::string control_plane_name_in(const Frame* frame, const ast::Declaration& declaration);
  Frame& instance_frame(Instance& instance, const std::vector<ast::TypeParameter*>& type_parameters);
  void lower_locals(const std::vector<ast::Declaration*>& locals);
  void bind_parameters(Frame& frame, const std::vector<ast::Parameter*>& parameters, const Places& places);
  void lower_control(Instance& instance, const Places& places);
  void lower_parser(Instance& instance, const Places& places);
  std::vector<Value> parameter_places(Instance& instance);

  // ---- parsers (parsers.cpp) ----
  void lower_state(const ast::State& state, const std::map<std::string, BlockId>& states);
  void lower_select(const ast::State& state, const std::map<std::string, BlockId>& states);
  /// A case that holds only while a value set has the values of its operands.
  struct SetUse {
    std::size_t case_index = 0;
    SlotId hit{};
  };
  void append_patterns(const ast::Expression& keyset, const Select& select, std::vector<SetUse>& sets,
                       SelectCase& lowered);
  Pattern pattern_of(const ast::Expression& key, std::uint32_t width);
  void reject_with(const Span& at, std::string_view error);
  /// Leaves to reject with the error unless the condition holds.
  void require(const Span& at, const Operand& condition, std::string_view error);
  Value packet_in_call(const ast::Call& call, const CallTarget& target, std::string_view method);
  void extract(const ast::Call& call, const CallTarget& target);
  void advance_next(const ast::Expression& destination);
  void extract_into(const Span& at, const LValue& header, const std::optional<Operand>& varbit_bits);
  Value peek(const Span& at, const Type* type, std::uint32_t& offset);

  // ---- tables (tables.cpp) ----
  TableInstance& table(const ast::Table& table);
  void bind_direct(const Instance& instance, tables::TableId table);
  std::int64_t entry_priority(const std::optional<Integer>& number, const Span& at);
  std::optional<tables::ProfileSchema> profile_schema(const ast::Expression& implementation);
  tables::TableSchema table_schema(const ast::Table& table, const TableInfo& info);
  tables::Match table_match(const ast::Expression& key, const tables::KeySchema& schema);
  void add_initial_entries(const TableInfo& info, tables::TableSchema& schema);
  std::vector<Integer> action_data(const ActionReference& listed, const ActionReference& given);
  TableInstance& apply_table(const ast::Table& table, const Span& at);
  void run_table_action(TableInstance& instance, std::size_t action_index, const Span& at);
  Operand table_key(const TableInfo::Key& key, std::uint32_t width);

  // ---- value sets (value_sets.cpp) ----
  tables::TableId value_set(const ast::ValueSet& declaration);
  tables::TableSchema value_set_schema(const ast::ValueSet& declaration);
  SlotId look_up_in_set(const ast::ValueSet& declaration, std::span<const Operand> operands, const Span& at);

  // ---- externs (externs.cpp) ----
  Value call_extern_function(const ast::Call& call, const CallTarget& target);
  Value call_extern_method(const ast::Call& call, const CallTarget& target);
  void emit_headers(const Span& at, const Value& value, const std::string& name);
  void emit_fields(const Span& at, const Value& field);
  std::vector<DataItem> data_items(const ast::Expression& expression);
  static void append_data(const Value& value, Operand valid, std::vector<DataItem>& items);
  Operand data_bits_of(const Span& at, const std::vector<DataItem>& items);
  std::optional<HashAlgorithm> hash_algorithm(const ast::Expression& expression);
  Value call_checksum(const ast::Call& call, const CallTarget& target, bool update, bool payload);
  using ExternHandler = Value (Lowering::*)(const ast::Call&, const CallTarget&);
  static const std::map<std::string_view, ExternHandler, std::less<>>& extern_functions();
  Value extern_verify(const ast::Call& call, const CallTarget& target);
  Value extern_mark_to_drop(const ast::Call& call, const CallTarget& target);
  Value extern_verify_checksum(const ast::Call& call, const CallTarget& target);
  Value extern_update_checksum(const ast::Call& call, const CallTarget& target);
  Value extern_verify_checksum_payload(const ast::Call& call, const CallTarget& target);
  Value extern_update_checksum_payload(const ast::Call& call, const CallTarget& target);
  Value extern_hash(const ast::Call& call, const CallTarget& target);
  Value extern_random(const ast::Call& call, const CallTarget& target);
  Value extern_digest(const ast::Call& call, const CallTarget& target);
  Value extern_truncate(const ast::Call& call, const CallTarget& target);
  Value extern_assert(const ast::Call& call, const CallTarget& target);
  Value extern_log(const ast::Call& call, const CallTarget& target);
  Value extern_clone(const ast::Call& call, const CallTarget& target);
  Value extern_resubmit(const ast::Call& call, const CallTarget& target);
  Value extern_recirculate(const ast::Call& call, const CallTarget& target);
  void call_register(const ast::Call& call, const CallTarget& target, Instance& instance,
                     std::string_view method);
  /// A register's cell as one bit vector: the parts from left to right.
  Operand pack(const Span& at, const Value& value);
  Value unpack(const Span& at, const Type* type, const Operand& packed, std::uint32_t& low);
  void write_back(const Span& at, const CallTarget& target, std::size_t argument, const Value& value);

  // ---- the v1model pipeline (pipeline.cpp) ----
  /// What clone, resubmit and recirculate ask the traffic manager for.
  struct Request {
    SlotId wanted{}, session{}, field_list{};
    std::set<std::uint64_t> field_lists;  // every id that some call asks for
  };
  bool lower_pipeline();
  bool make_pipeline_places();
  /// A procedure that raises start(kind) and calls `body`.
  ProcedureId pass(PassKind kind, ProcedureId body);
  void lower_ingress_pass();
  void lower_egress_pass();
  void lower_clone_pass();
  void traffic_manager(const Span& at);
  Instance* pipeline_part(std::size_t argument);
  void call_part(std::size_t argument);
  Operand metadata(std::string_view field);
  void set_metadata(const Span& at, std::string_view field, const Operand& value);
  std::vector<SlotId> pipeline_slots(bool with_headers);
  std::vector<SlotId> kept_by_field_list(std::uint64_t field_list);
  void collect_field_list(const Value& place, std::uint64_t field_list, std::vector<SlotId>& slots);
  bool lists_field(const ast::Annotations& annotations, std::uint64_t field_list);
  std::optional<Integer> constant_named(const std::string& name);
  void ask(const Span& at, Request& request, const Operand& session, const ast::Expression* field_list);
  void for_field_lists(const Span& at, const Request& request,
                       const std::function<void(std::uint64_t)>& body);
  void add_header_type(const ast::Declaration& declaration);

  void unsupported(const Span& at, const std::string& what);

  const TypedProgram& typed_;
  Diagnostics& diagnostics_;
  std::unique_ptr<Program> program_;
  Context context_;
  std::size_t instructions_ = 0;
  unsigned open_procedures_ = 0;
  std::deque<Frame> frames_;
  Frame* global_ = nullptr;
  std::deque<Instance> instances_;
  std::unordered_map<const ast::Node*, std::map<Frame*, Instance*>> anonymous_;  // of Type.apply()
  std::deque<CallTarget> synthetic_targets_;
  std::unordered_map<const ast::Declaration*, const ast::Declaration*>
      local_owner_;  // action, table, value set -> its control or parser
  std::map<std::pair<Frame*, const ast::Action*>, std::unique_ptr<Callable>> actions_;
  std::map<std::string, std::unique_ptr<Callable>> functions_;
  std::map<std::pair<Frame*, const ast::Table*>, std::unique_ptr<TableInstance>> tables_;
  std::map<std::pair<Frame*, const ast::ValueSet*>, tables::TableId> value_sets_;
  SlotId exited_{}, rejected_{}, parser_error_{};

  // v1model
  Instance* main_ = nullptr;
  Value headers_, metadata_, standard_metadata_;
  ProcedureId ingress_body_{}, egress_body_{}, clone_body_{};
  ProcedureId resubmit_pass_{}, recirculate_pass_{}, replica_pass_{}, clone_ingress_pass_{},
      clone_egress_pass_{};
  Request clone_ingress_, clone_egress_, resubmit_, recirculate_;
};

}  // namespace perfpact::p4::core
