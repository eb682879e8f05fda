// A checked program: the syntax tree, and what the checker found out about its nodes. The tree itself is not
// changed.
//
// In: ast::Ast. Out: names resolved, every expression typed, implicit casts made visible, calls bound to what
// they call with arguments in parameter order, compile-time constants folded.
// Generic declarations are checked once; types inside them contain type variables, which the lowering
// replaces per use (Substitution).
// Tested by tests/p4/check/ and tests/golden.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "p4/check/constant.h"
#include "p4/check/types.h"
#include "p4/syntax/ast.h"

namespace perfpact::p4 {

enum class CallKind : std::uint8_t {
  Function,        // declaration: ast::Function with a body
  ExternFunction,  // declaration: ast::Function without
  Action,          // a direct call; declaration: ast::Action
  ExternMethod,    // declaration: ast::Method; receiver
  TableApply,      // declaration: ast::Table
  ParserApply,     // declaration: ast::Parser; receiver (an instance, or a TypeName for Type.apply())
  ControlApply,    // declaration: ast::Control; receiver
  // methods of headers, unions and stacks; receiver
  IsValid,
  SetValid,
  SetInvalid,
  PushFront,
  PopFront,
  // of types and values (specification 9.1), compile-time unless varbits are involved; receiver
  MinSizeInBits,
  MinSizeInBytes,
  MaxSizeInBits,
  MaxSizeInBytes,
  Constructor,  // ConstructorCall or Instance: declaration Extern, Parser, Control or Package
};

struct BoundArgument {
  const ast::Parameter* parameter = nullptr;
  const Type* type = nullptr;              // of the parameter, for this call
  const ast::Expression* value = nullptr;  // null: `_`, or left out (then the parameter is optional)
  bool is_default = false;                 // value is the parameter's default value
};

/// What a call calls. Kept for Call, ConstructorCall and Instance nodes.
struct CallTarget {
  CallKind kind{};
  const ast::Declaration* declaration = nullptr;  // see CallKind; null for methods of headers and stacks
  const ast::Expression* receiver = nullptr;      // the object before the dot
  const ast::Method* constructor = nullptr;       // Constructor of an extern
  const Type* type = nullptr;                     // Constructor: the type made; else the result type
  Substitution type_arguments;                    // of the generic function, method or constructed type
  std::vector<BoundArgument> arguments;           // in parameter order
  std::vector<std::uint32_t> evaluation_order;    // indices into arguments, as written
};

/// An action in `actions`, in `default_action` or in an entry, with what is bound to its parameters.
struct ActionReference {
  const ast::Action* action = nullptr;
  std::vector<BoundArgument> arguments;  // of all parameters; value null: left to the control plane
};

/// What the checker found out about a table.
struct TableInfo {
  struct Key {
    const ast::KeyElement* element;
    std::string match_kind;  // exact, lpm, ternary, range, optional, selector
    const Type* type;
  };
  struct Action {
    const ast::ActionElement* element;
    ActionReference reference;
  };
  struct Entry {
    const ast::TableEntry* element;
    std::vector<const ast::Expression*> keys;  // one per key: a value, Mask, Range or DefaultKey
    std::uint32_t action;                      // index into actions
    ActionReference reference;
    std::optional<Integer> priority;  // of all entries where one has it written, else of none
  };
  std::vector<Key> keys;
  std::vector<Action> actions;  // NoAction is added when it is the implicit default and not listed
  std::optional<std::uint32_t> default_action;  // index into actions; nothing: NoAction, implicit
  ActionReference default_reference;
  bool default_is_const = false;
  std::vector<Entry> entries;
  bool entries_are_const = false;
  bool largest_priority_wins = true;
  Integer priority_delta = 1;
  std::optional<Integer> size;                              // where the checker knows it
  const ast::Expression* size_expression = nullptr;         // may speak of constructor parameters
  std::vector<const ast::TableProperty*> other_properties;  // implementation, counters, ...
};

/// What nodes mean. Filled by the checker, read by the lowering.
class TypedProgram {
 public:
  explicit TypedProgram(std::shared_ptr<const ast::Ast> ast);

  [[nodiscard]] const ast::Ast& ast() const { return *ast_; }
  [[nodiscard]] TypeTable& types() const { return *types_; }

  /// The type of an expression before any implicit cast. Never null after checking.
  [[nodiscard]] const Type* type_of(const ast::Expression& expression) const;
  /// The type that the context converts the expression to; null when it stays as it is.
  [[nodiscard]] const Type* cast_of(const ast::Expression& expression) const;
  /// cast_of, else type_of.
  [[nodiscard]] const Type* final_type_of(const ast::Expression& expression) const;
  /// The type that a type expression denotes.
  [[nodiscard]] const Type* denoted(const ast::Type& type) const;
  /// The declared type of a variable, constant, parameter, field, instance, value set.
  [[nodiscard]] const Type* type_of(const ast::Declaration& declaration) const;
  /// What a Name, NamedType, Member (of an enum, error, match_kind; a field: ast::Field) stands for.
  [[nodiscard]] const ast::Declaration* target(const ast::Node& node) const;
  /// The value of an expression (before its implicit cast) where it is known at compile time.
  [[nodiscard]] const Constant* value_of(const ast::Expression& expression) const;
  /// The value of a constant declaration or of an enum member.
  [[nodiscard]] const Constant* value_of(const ast::Declaration& declaration) const;
  [[nodiscard]] const CallTarget* call(const ast::Node& call_or_instance) const;
  [[nodiscard]] const TableInfo* table(const ast::Table& table) const;
  /// The number of an error member (NoError is 0, then in order of declaration) or enum member.
  [[nodiscard]] std::uint32_t ordinal(const ast::EnumMember& member) const;
  [[nodiscard]] const std::vector<const ast::EnumMember*>& errors() const { return errors_; }
  /// The package instance `main`, or null.
  [[nodiscard]] const ast::Instance* main() const { return main_; }

 private:
  friend class CheckerState;  // the checker's access
  std::shared_ptr<const ast::Ast> ast_;
  std::unique_ptr<TypeTable> types_;
  std::vector<const Type*> node_types_;           // by NodeId: expressions, types, declarations
  std::vector<const Type*> casts_;                // by NodeId
  std::vector<const ast::Declaration*> targets_;  // by NodeId
  std::unordered_map<const ast::Node*, Constant> values_;
  std::unordered_map<const ast::Node*, CallTarget> calls_;
  std::unordered_map<const ast::Table*, TableInfo> tables_;
  std::unordered_map<const ast::EnumMember*, std::uint32_t> ordinals_;
  std::vector<const ast::EnumMember*> errors_;
  const ast::Instance* main_ = nullptr;
};

/// Checks a whole program. Reports every fault found; gives a program only when there was none.
[[nodiscard]] Result<std::shared_ptr<const TypedProgram>> check(std::shared_ptr<const ast::Ast> ast,
                                                                Diagnostics& diagnostics);

}  // namespace perfpact::p4
