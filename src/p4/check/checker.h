// The checker behind check(): one class, its member functions in one file per area.
//
// Declarations are checked in the order of the program and become visible when they are reached; states of a
// parser are visible in all of it. An expression is checked bottom-up to its own type (check_expression),
// then fitted to what its context needs (fit), which records the implicit cast. A type is Unknown where a
// fault was reported, and fits everything.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "p4/check/diagnostics.h"
#include "p4/check/evaluate.h"
#include "p4/check/typed_program.h"

namespace perfpact::p4 {

/// Writes into a TypedProgram.
class CheckerState {
 public:
  explicit CheckerState(TypedProgram& program) : program_(program) {}

  void set_type(const ast::Node& node, const Type* type) { program_.node_types_[index(node)] = type; }
  [[nodiscard]] const Type* type(const ast::Node& node) const { return program_.node_types_[index(node)]; }
  void set_cast(const ast::Expression& expression, const Type* type) {
    program_.casts_[index(expression)] = type;
  }
  void set_target(const ast::Node& node, const ast::Declaration* declaration) {
    program_.targets_[index(node)] = declaration;
  }
  void set_value(const ast::Node& node, Constant value) { program_.values_[&node] = std::move(value); }
  void forget_value(const ast::Node& node) { program_.values_.erase(&node); }
  CallTarget& set_call(const ast::Node& node, CallTarget target) {
    return program_.calls_[&node] = std::move(target);
  }
  TableInfo& table(const ast::Table& table) { return program_.tables_[&table]; }
  void set_ordinal(const ast::EnumMember& member, std::uint32_t number) {
    program_.ordinals_[&member] = number;
  }
  std::vector<const ast::EnumMember*>& errors() { return program_.errors_; }
  void set_main(const ast::Instance* instance) { program_.main_ = instance; }

 private:
  static std::size_t index(const ast::Node& node) { return static_cast<std::size_t>(node.id); }
  TypedProgram& program_;
};

/// It has a default value or is marked @optional.
[[nodiscard]] bool may_be_left_out(const ast::Parameter& parameter);

class Checker {
 public:
  Checker(TypedProgram& program, Diagnostics& diagnostics);
  void run();

 private:
  using Declarations = std::vector<const ast::Declaration*>;
  using Parameters = std::vector<ast::Parameter*>;
  using TypeParameters = std::vector<ast::TypeParameter*>;
  using Arguments = std::vector<ast::Argument>;

  enum class Place : std::uint8_t {
    Global,
    ParserLocals,
    State,
    ControlLocals,
    ControlBody,
    Action,
    Function
  };
  /// Where we are: what is allowed there and what `return` and `this` mean.
  struct Context {
    Place place = Place::Global;
    const Type* return_type = nullptr;
    unsigned loops = 0;
    const Type* this_type = nullptr;
  };
  template <class T>
  class Restore {
   public:
    explicit Restore(T& variable) : variable_(variable), saved_(variable) {}
    Restore(const Restore&) = delete;
    Restore& operator=(const Restore&) = delete;
    ~Restore() { variable_ = std::move(saved_); }

   private:
    T& variable_;
    T saved_;
  };
  class NewScope {
   public:
    explicit NewScope(Checker& checker) : checker_(checker) { checker_.scopes_.emplace_back(); }
    NewScope(const NewScope&) = delete;
    NewScope& operator=(const NewScope&) = delete;
    ~NewScope() { checker_.scopes_.pop_back(); }

   private:
    Checker& checker_;
  };
  /// Marks a declaration as being checked, so that a use of it from within is seen as recursion.
  class Within {
   public:
    Within(Checker& checker, const ast::Declaration& declaration) : checker_(checker) {
      checker_.open_.push_back(&declaration);
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() { checker_.open_.pop_back(); }

   private:
    Checker& checker_;
  };

  // ---- scopes.cpp
  void declare(const ast::Declaration& declaration);
  /// What statements declare must not have the name of a parameter.
  void check_hiding(const ast::Declaration& declaration);
  [[nodiscard]] const Declarations* find(std::string_view name, bool absolute) const;
  /// As find, but what is being checked at the moment only when there is nothing else.
  [[nodiscard]] Declarations find_callable(const ast::Name& name) const;
  [[nodiscard]] std::vector<std::string> visible_names(bool (*wanted)(const ast::Declaration&)) const;
  [[nodiscard]] bool is_open(const ast::Declaration& declaration) const;
  [[nodiscard]] std::string place_name() const;
  void note_declaration(const ast::Declaration& declaration);

  // ---- type_expressions.cpp
  const Type* resolve(const ast::Type& type);
  /// Whether values of the type are small enough to be worked with; reports when not.
  bool check_extent(const Type* type, const Span& span);
  const Type* resolve_bits(const ast::BitType& type);
  const Type* resolve_array(const ast::ArrayType& type);
  const Type* resolve_named(const ast::NamedType& name, const std::vector<ast::Type*>* arguments,
                            const Span& span);
  const Type* type_of_declaration(const ast::Declaration& declaration, std::vector<const Type*> arguments);
  /// The declaration that a type name stands for, or null after a report.
  const ast::Declaration* find_type(const ast::NamedType& name);
  std::optional<std::uint32_t> width(const ast::Expression& expression, std::string_view what,
                                     unsigned least);
  const Type* check_value_type(const ast::Type& type, std::string_view what);
  static const TypeParameters* type_parameters_of(const ast::Declaration& declaration);

  // ---- well_formed.cpp
  void check_field_type(const ast::Struct& declaration, const ast::Field& field, const Type* type);
  /// A header that is extracted has one varbit field at most.
  bool check_varbits(const Type* header, const Span& extraction);
  bool fits_in_header(const Type* type);
  bool check_type_arguments(const ast::Declaration& declaration, const std::vector<const Type*>& arguments,
                            const Span& span);
  /// The fields of a generic struct with its type arguments put in.
  bool check_specialized(const Type* type, const Span& span);

  // ---- annotations.cpp
  void check_annotations(const ast::Annotations& annotations);
  void check_structured_annotation(const ast::Annotation& annotation);
  void check_unstructured_annotation(const ast::Annotation& annotation);

  // ---- declarations.cpp
  void check_declaration(const ast::Declaration& declaration);
  void check_struct(const ast::Struct& declaration);
  void check_enum(const ast::Enum& declaration);
  void check_typedef(const ast::Typedef& declaration);
  void check_newtype(const ast::Newtype& declaration);
  void check_errors(const ast::ErrorDeclaration& declaration);
  void check_match_kinds(const ast::MatchKindDeclaration& declaration);
  void check_extern(const ast::Extern& declaration);
  void check_function(const ast::Function& declaration);
  void check_action(const ast::Action& declaration);
  void check_control(const ast::Control& declaration);
  void check_block_type(const ast::Declaration& declaration, const TypeParameters& type_parameters,
                        const Parameters& parameters, TypeKind kind);
  void check_constant(const ast::Constant& declaration);
  void check_variable(const ast::Variable& declaration);
  void check_value_set(const ast::ValueSet& declaration);
  void declare_type_parameters(const TypeParameters& parameters);
  /// Of what the parameters are: packages and constructors of parsers and controls may be given such blocks.
  enum class ParametersOf : std::uint8_t { Apply, Function, Extern, Constructor, Package };
  void check_parameters(const Parameters& parameters, ParametersOf owner);
  void check_parameter(const ast::Parameter& parameter, ParametersOf owner);
  /// A control has no parsers in it, a parser no controls.
  void refuse_blocks(const Parameters& constructor_parameters, TypeKind kind);
  void check_parameter_type(const ast::Parameter& parameter, const Type* type, ParametersOf owner);
  void check_default(const ast::Parameter& parameter, const Type* type);

  // ---- parsers.cpp
  void check_parser(const ast::Parser& declaration);
  void check_state(const ast::Parser& parser, const ast::State& state);
  void check_transition_name(const ast::Parser& parser, const ast::Identifier& name);
  void check_reachability(const ast::Parser& parser);
  void check_select(const ast::Parser& parser, const ast::State& state);

  // ---- keysets.cpp
  /// The elements of a keyset, one per key; reports a wrong number.
  std::vector<const ast::Expression*> check_keyset(const ast::Expression& keyset,
                                                   const std::vector<const Type*>& keys);
  void check_keyset_element(const ast::Expression& element, const Type* key);
  /// The types of all fields of nested structs and tuples, in order.
  void flatten(const Type* type, std::vector<const Type*>& parts);
  bool is_whole_value_set(const ast::Expression& keyset, const std::vector<const Type*>& keys);

  // ---- expressions.cpp
  const Type* check_expression(const ast::Expression& expression);
  const Type* check_node(const ast::Expression& expression);
  const Type* check_name(const ast::Name& name);
  const Type* check_index(const ast::Index& index);
  const Type* check_slice(const ast::Slice& slice);
  const Type* check_plus_slice(const ast::PlusSlice& slice);
  const Type* check_conditional(const ast::Conditional& conditional);
  const Type* check_cast(const ast::Cast& cast);
  const Type* check_struct_literal(const ast::StructLiteral& literal);
  const Type* check_list(const ast::List& list);
  const Type* check_integer(const ast::IntegerLiteral& literal);
  /// Checks an expression and fits it to a type. Unknown after a fault.
  bool check_fit(const ast::Expression& expression, const Type* target);
  void check_condition(const ast::Expression& expression);
  /// Folds the expression from its operands and keeps the value.
  void remember_value(const ast::Expression& expression);
  [[nodiscard]] std::optional<Constant> known_value(const ast::Expression& expression) const;
  std::optional<Integer> constant_integer(const ast::Expression& expression, std::string_view what);
  [[nodiscard]] bool is_compile_time(const ast::Expression& expression) const;

  // ---- operators.cpp
  const Type* check_binary_chain(const ast::Binary& binary);
  const Type* finish_binary(const ast::Binary& binary, const Type* left, const Type* right);
  const Type* finish_shift(const ast::Binary& binary, const Type* left, const Type* right);
  const Type* finish_concat(const ast::Binary& binary, const Type* left, const Type* right);
  const Type* finish_equality(const ast::Binary& binary, const Type* left, const Type* right);
  const Type* finish_arithmetic(const ast::Binary& binary, const Type* left, const Type* right);
  const Type* check_unary(const ast::Unary& unary);
  const Type* bad_operands(const ast::Binary& binary, const Type* left, const Type* right);
  /// Brings two operands of numbers to one type with implicit casts; null where there is none.
  const Type* common_number(const ast::Expression& left_operand, const Type* left,
                            const ast::Expression& right_operand, const Type* right);
  const Type* as_number(const ast::Expression& operand, const Type* type);
  void check_divisor(const ast::Binary& binary, const Type* type);
  [[nodiscard]] static bool is_comparable(const Type* type);

  // ---- members.cpp
  const Type* check_member(const ast::Member& member);
  const Type* check_type_member(const ast::Member& member, const Type* type);
  const Type* check_field(const ast::Member& member, const Type* type);
  const Type* check_stack_member(const ast::Member& member, const Type* type);
  const Type* check_apply_member(const ast::Member& member, const Type* type);
  const Type* unknown_member(const ast::Member& member, const Type* type,
                             const std::vector<std::string>& known);

  // ---- lvalues.cpp
  /// Reports when the expression cannot be written.
  bool require_assignable(const ast::Expression& expression);
  [[nodiscard]] std::optional<std::string> why_not_assignable(const ast::Expression& expression) const;

  // ---- conversions.cpp
  /// Makes a checked expression fit a type, recording implicit casts; reports and gives false where it
  /// cannot.
  bool fit(const ast::Expression& expression, const Type* target);
  bool fit_list(const ast::List& list, const Type* target);
  bool fit_elements(const ast::List& list, const Type* target, const std::vector<const Type*>& types);
  bool fit_record(const ast::StructLiteral& literal, const Type* target);
  bool fit_conditional(const ast::Conditional& conditional, const Type* target);
  bool fit_integer(const ast::Expression& expression, const Type* target);
  bool mismatch(const ast::Expression& expression, const Type* target);
  void convert_implicitly(const ast::Expression& expression, const Type* target);
  void check_range(const ast::Expression& expression, const Type* target);
  [[nodiscard]] bool can_cast(const Type* from, const Type* to) const;
  /// What `...` stands for.
  [[nodiscard]] static bool has_default_value(const Type* type);
  [[nodiscard]] bool needs_literal_fit(const ast::Expression& expression) const;

  // ---- unify.cpp
  struct Inference {
    std::unordered_set<const ast::TypeParameter*> variables;
    Substitution bindings;
  };
  static void collect_variables(const Type* type, Inference& inference);
  bool unify(const Type* parameter, const Type* argument, Inference& inference);
  bool bind(const ast::TypeParameter* variable, const Type* argument, Inference& inference);
  bool unify_all(const std::vector<const Type*>& parameters, const std::vector<const Type*>& arguments,
                 Inference& inference);
  bool unify_fields(const Type* parameter, const Type* argument, Inference& inference);
  bool unify_blocks(const Type* parameter, const Type* argument, Inference& inference);
  [[nodiscard]] Substitution substitution_of(const Type* type) const;

  // ---- arguments.cpp, calls.cpp
  /// Something that takes arguments.
  struct Signature {
    const ast::Declaration* declaration = nullptr;
    std::string name;
    const TypeParameters* type_parameters = nullptr;
    const Parameters* parameters = nullptr;
    bool is_action = false;
    bool is_constructor = false;
  };
  struct CallSite {
    Span span;
    const Arguments* arguments = nullptr;
    const std::vector<const Type*>* type_arguments = nullptr;  // null: none given
  };
  const Type* check_call(const ast::Call& call);
  const Type* call_name(const ast::Call& call, const ast::Name& name);
  const Type* call_action(const ast::Call& call, const ast::Action& action);
  const Type* call_member(const ast::Call& call, const ast::Member& member);
  const Type* call_extern_method(const ast::Call& call, const ast::Member& member, const Type* type);
  const Type* call_apply(const ast::Call& call, const ast::Member& member, const Type* type);
  const Type* call_builtin(const ast::Call& call, const ast::Member& member, const Type* type);
  const Type* call_push_pop(const ast::Call& call, const ast::Member& member, CallKind kind);
  const Type* finish_call(const ast::Call& call, CallTarget target, const Signature& signature,
                          const ast::Type& return_type, Substitution outer);
  /// What a type variable may stand for: not int, which has no width.
  bool check_inferred(const ast::Call& call, const ast::TypeParameter& variable, const Type* type,
                      const Signature& signature);
  [[nodiscard]] bool is_only_in_left_out(const ast::TypeParameter& variable, const CallTarget& target) const;
  /// Rules of core.p4's methods that their declarations do not say.
  void check_core_call(const ast::Call& call, const CallTarget& target);
  const Type* wrong_call(const ast::Call& call);
  void check_arguments(const Arguments& arguments);
  bool require_no_arguments(const ast::Call& call, std::string_view name);
  /// The one signature that takes the arguments; null after a report.
  const Signature* select(const std::vector<Signature>& candidates, const CallSite& site);
  [[nodiscard]] static bool accepts(const Signature& signature, const Arguments& arguments);
  /// Arguments (already checked) by parameter; false after a report.
  bool match_arguments(const Signature& signature, const CallSite& site, CallTarget& target);
  /// Infers type arguments, fits the arguments. `outer` are the type arguments of what the method belongs to.
  bool bind_arguments(const Signature& signature, const CallSite& site, CallTarget& target,
                      Substitution outer);
  bool infer(const Signature& signature, const CallSite& site, CallTarget& target, const Substitution& outer);
  bool fit_argument(const Signature& signature, BoundArgument& argument);
  std::vector<const Type*> resolve_all(const std::vector<ast::Type*>& types);

  // ---- constructors.cpp
  const Type* construct(const ast::Node& node, const ast::Type& type, const Arguments& arguments);
  const Type* check_constructor_call(const ast::ConstructorCall& call);
  void check_instance(const ast::Instance& instance);
  void check_instance_block(const ast::Instance& instance, const Type* type);
  void check_abstract_methods(const ast::Instance& instance, const ast::Extern& declaration);

  // ---- statements.cpp: each gives whether the end can be reached
  bool check_statement(const ast::Statement& statement);
  bool check_block(const ast::Block& block);
  bool check_body(const ast::Block& block);
  bool check_statements(const std::vector<ast::Statement*>& statements);
  void check_assign(const ast::Assign& assign);
  void check_compound(const ast::Assign& assign, const Type* type);
  bool check_if(const ast::If& statement);
  bool check_return(const ast::Return& statement);
  bool check_switch(const ast::Switch& statement);
  void check_action_label(const ast::Expression& label, const ast::Table& table,
                          std::unordered_set<const ast::Declaration*>& seen);
  void check_value_label(const ast::Expression& label, const Type* type, std::vector<Constant>& seen);
  bool check_for(const ast::For& statement);
  bool check_for_in(const ast::ForIn& statement);
  void check_jump(const ast::Statement& statement, std::string_view name);

  // ---- tables.cpp
  void check_table(const ast::Table& table);
  void check_keys(const ast::Table& table, TableInfo& info);
  void check_actions(const ast::Table& table, TableInfo& info);
  void check_properties(const ast::Table& table, TableInfo& info);
  void check_default_action(const ast::TableProperty& property, const ast::Table& table, TableInfo& info);
  static Span property_span(const ast::Table& table, std::string_view name);
  void require_order(const ast::Table& table, std::string_view first, std::string_view second);
  /// What is bound to a parameter with a direction in `actions` can be repeated, but not changed.
  bool is_bound_alike(const BoundArgument& listed, const BoundArgument& given);
  void check_size(const ast::TableProperty& property, TableInfo& info);
  const ast::Action* find_action(const ast::Name& name);
  std::optional<std::uint32_t> listed_action(const ast::Name& name, const ast::Table& table,
                                             const TableInfo& info);
  bool bind_action(const ast::Action& action, const Arguments& arguments, const Span& span,
                   const ActionReference* listed, ActionReference& reference);
  void add_no_action(const ast::Table& table, TableInfo& info);
  void check_delta(const ast::TableProperty& property, TableInfo& info);

  // ---- entries.cpp
  void check_entries(const ast::Table& table, TableInfo& info);
  void check_entry_key(const ast::Expression& key, const TableInfo::Key& info);
  void check_entry(const ast::TableEntry& entry, const ast::Table& table, TableInfo& info);
  void check_key_is_known(const ast::Expression& key, std::string_view what);
  /// Checks written priorities and gives the others theirs.
  void check_priorities(const ast::Table& table, TableInfo& info);

  TypedProgram& program_;
  CheckerState state_;
  Diagnostics& diagnostics_;
  TypeTable& types_;
  const Type* unknown_;
  const Type* bool_;
  const Type* int_;
  const Type* void_;

  struct Scope {
    std::unordered_map<std::string_view, Declarations> names;
  };
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, const ast::Extern*> whole_externs_;
  std::unordered_map<std::string_view, const ast::EnumMember*> error_members_;
  std::unordered_map<std::string_view, const ast::EnumMember*> match_kinds_;
  std::unordered_set<const Type*> specialized_;  // by check_specialized
  bool has_errors_ = false;                      // the program declares errors
  Declarations open_;
  Context context_;
  unsigned depth_ = 0;
};

}  // namespace perfpact::p4
