// The abstract syntax tree of a P4_16 program: the whole grammar (P4_16 specification, appendix "P4
// Grammar"), as written, with spans. Names are not resolved, constants not folded; the checker adds what it
// finds in tables beside the tree, indexed by NodeId (check/typed_program.h).
//
// Nodes are owned by an Ast and never move; they refer to each other by plain pointers. Node kinds are told
// apart with llvm::isa / cast / dyn_cast.
//
// Dump: `perfpact predict PROGRAM --dump=ast`. Tested by tests/p4/syntax.
#pragma once
#include <llvm/Support/Casting.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/source.h"

namespace perfpact::p4::ast {

using llvm::cast;
using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;

/// Dense index of a node within its Ast.
enum class NodeId : std::uint32_t {};

enum class NodeKind : std::uint8_t {
  // expressions
  IntegerLiteral,
  BoolLiteral,
  StringLiteral,
  Name,
  Member,
  Index,
  Slice,
  PlusSlice,
  Unary,
  Binary,
  Conditional,
  Cast,
  Call,
  ConstructorCall,
  List,
  StructLiteral,
  InvalidHeader,
  Dots,
  This,
  TypeName,
  Mask,
  Range,
  DefaultKey,
  TupleKey,
  // types
  BitType,
  VarbitType,
  InfIntType,
  BoolType,
  ErrorType,
  MatchKindType,
  StringType,
  VoidType,
  DontCareType,
  NamedType,
  SpecializedType,
  ArrayType,
  TupleType,
  ListType,
  // statements
  Assign,
  CallStatement,
  If,
  Block,
  Empty,
  Return,
  Exit,
  Break,
  Continue,
  Switch,
  For,
  ForIn,
  DeclarationStatement,
  // declarations
  Constant,
  Variable,
  Instance,
  ValueSet,
  Extern,
  Method,
  Function,
  Action,
  Parser,
  ParserType,
  Control,
  ControlType,
  Package,
  Struct,
  Enum,
  ErrorDeclaration,
  MatchKindDeclaration,
  Typedef,
  Newtype,
  Table,
  State,
  Parameter,
  TypeParameter,
  EnumMember,
  Field,
  // parts
  Annotation,
  SelectCase,
  SwitchCase,
  KeyElement,
  ActionElement,
  TableEntry,
  TableProperty,
};

struct Node {
  NodeKind kind;
  NodeId id{};
  Span span;  // the whole construct

  explicit Node(NodeKind k) : kind(k) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;
};

struct Identifier {
  std::string text;
  Span span;
};

struct Expression;
struct Type;
struct Statement;
struct Declaration;
struct Block;

/// Defines the constructor and the classof of a node type that is one NodeKind.
#define PERFPACT_AST_NODE(TYPE, BASE)     \
  TYPE() : BASE(NodeKind::TYPE) {}        \
  static bool classof(const Node* node) { \
    return node->kind == NodeKind::TYPE;  \
  }
#define PERFPACT_AST_GROUP(TYPE, FIRST, LAST)                             \
  using Node::Node;                                                       \
  static bool classof(const Node* node) {                                 \
    return node->kind >= NodeKind::FIRST && node->kind <= NodeKind::LAST; \
  }

// ---- annotations -----------------------------------------------------------------------------------------

/// `@name`, `@name(tokens)`, `@name[expressions]`, `@name[key = value]`, `@pragma name tokens`.
struct Annotation : Node {
  PERFPACT_AST_NODE(Annotation, Node)
  Identifier name;
  bool structured = false;
  std::string body;                                         // unstructured: the text of the tokens
  std::vector<std::string> strings;                         // unstructured: its string literals, unescaped
  std::vector<Expression*> expressions;                     // structured
  std::vector<std::pair<Identifier, Expression*>> entries;  // structured
};
using Annotations = std::vector<Annotation*>;

// ---- expressions -----------------------------------------------------------------------------------------

struct Expression : Node {
  PERFPACT_AST_GROUP(Expression, IntegerLiteral, TupleKey)
};

/// `12`, `8w0x1F`, `4s-1` has a Unary around. `width` absent: type int.
struct IntegerLiteral : Expression {
  PERFPACT_AST_NODE(IntegerLiteral, Expression)
  Integer value;
  std::optional<std::uint32_t> width;
  bool is_signed = false;
  std::string spelling;
};
struct BoolLiteral : Expression {
  PERFPACT_AST_NODE(BoolLiteral, Expression)
  bool value = false;
};
struct StringLiteral : Expression {
  PERFPACT_AST_NODE(StringLiteral, Expression)
  std::string value;
};
/// `x`, `.x`
struct Name : Expression {
  PERFPACT_AST_NODE(Name, Expression)
  Identifier name;
  bool absolute = false;
};
/// A type where an expression is expected: `E` in `E.a`, `error` in `error.NoError`, `C` in `C.apply()`.
struct TypeName : Expression {
  PERFPACT_AST_NODE(TypeName, Expression)
  Type* type = nullptr;
};
/// `object.member`
struct Member : Expression {
  PERFPACT_AST_NODE(Member, Expression)
  Expression* object = nullptr;
  Identifier member;
};
/// `object[index]`
struct Index : Expression {
  PERFPACT_AST_NODE(Index, Expression)
  Expression* object = nullptr;
  Expression* index = nullptr;
};
/// `object[high:low]`
struct Slice : Expression {
  PERFPACT_AST_NODE(Slice, Expression)
  Expression* object = nullptr;
  Expression* high = nullptr;
  Expression* low = nullptr;
};
/// `object[low +: width]`
struct PlusSlice : Expression {
  PERFPACT_AST_NODE(PlusSlice, Expression)
  Expression* object = nullptr;
  Expression* low = nullptr;
  Expression* width = nullptr;
};
enum class UnaryOperator : std::uint8_t { Not, Complement, Negate, Plus };
struct Unary : Expression {
  PERFPACT_AST_NODE(Unary, Expression)
  UnaryOperator op{};
  Expression* operand = nullptr;
};
enum class BinaryOperator : std::uint8_t {
  Multiply,
  Divide,
  Modulo,
  Add,
  Subtract,
  AddSaturate,
  SubtractSaturate,
  ShiftLeft,
  ShiftRight,
  LessEqual,
  GreaterEqual,
  Less,
  Greater,
  NotEqual,
  Equal,
  BitAnd,
  BitXor,
  BitOr,
  Concat,
  And,
  Or,
};
struct Binary : Expression {
  PERFPACT_AST_NODE(Binary, Expression)
  BinaryOperator op{};
  Expression* left = nullptr;
  Expression* right = nullptr;
  Span operator_span;
};
struct Conditional : Expression {
  PERFPACT_AST_NODE(Conditional, Expression)
  Expression* condition = nullptr;
  Expression* then_value = nullptr;
  Expression* else_value = nullptr;
};
struct Cast : Expression {
  PERFPACT_AST_NODE(Cast, Expression)
  Type* type = nullptr;
  Expression* operand = nullptr;
};
/// `value`, `name = value`, `_` (value null), `name = _`
struct Argument {
  std::optional<Identifier> name;
  Expression* value = nullptr;
  Span span;
};
/// `callee<T...>(arguments)`
struct Call : Expression {
  PERFPACT_AST_NODE(Call, Expression)
  Expression* callee = nullptr;
  std::vector<Type*> type_arguments;
  std::vector<Argument> arguments;
};
/// `Type(arguments)` as an expression: an anonymous instance.
struct ConstructorCall : Expression {
  PERFPACT_AST_NODE(ConstructorCall, Expression)
  Type* type = nullptr;
  std::vector<Argument> arguments;
};
/// `{a, b}`; a `...` at the end is an element of kind Dots.
struct List : Expression {
  PERFPACT_AST_NODE(List, Expression)
  std::vector<Expression*> elements;
};
/// `{a = x, b = y}`, `{a = x, ...}`
struct StructLiteral : Expression {
  PERFPACT_AST_NODE(StructLiteral, Expression)
  std::vector<std::pair<Identifier, Expression*>> fields;
  bool has_dots = false;
};
/// `{#}`
struct InvalidHeader : Expression {
  PERFPACT_AST_NODE(InvalidHeader, Expression)
};
/// `...`
struct Dots : Expression {
  PERFPACT_AST_NODE(Dots, Expression)
};
struct This : Expression {
  PERFPACT_AST_NODE(This, Expression)
};
/// Keysets: `value &&& mask`
struct Mask : Expression {
  PERFPACT_AST_NODE(Mask, Expression)
  Expression* value = nullptr;
  Expression* mask = nullptr;
};
/// `low .. high`
struct Range : Expression {
  PERFPACT_AST_NODE(Range, Expression)
  Expression* low = nullptr;
  Expression* high = nullptr;
};
/// `default` or `_`
struct DefaultKey : Expression {
  PERFPACT_AST_NODE(DefaultKey, Expression)
};
/// `(a, b &&& c, _)`; one element only as `(default)`, `(_)`, `(a &&& b)`, `(a .. b)`.
struct TupleKey : Expression {
  PERFPACT_AST_NODE(TupleKey, Expression)
  std::vector<Expression*> elements;
};

// ---- types -----------------------------------------------------------------------------------------------

struct Type : Node {
  PERFPACT_AST_GROUP(Type, BitType, ListType)
};

/// `bit` (width null: 1), `bit<w>`, `int<w>`
struct BitType : Type {
  PERFPACT_AST_NODE(BitType, Type)
  bool is_signed = false;
  Expression* width = nullptr;
};
struct VarbitType : Type {
  PERFPACT_AST_NODE(VarbitType, Type)
  Expression* width = nullptr;
};
struct InfIntType : Type {
  PERFPACT_AST_NODE(InfIntType, Type)
};
struct BoolType : Type {
  PERFPACT_AST_NODE(BoolType, Type)
};
struct ErrorType : Type {
  PERFPACT_AST_NODE(ErrorType, Type)
};
struct MatchKindType : Type {
  PERFPACT_AST_NODE(MatchKindType, Type)
};
struct StringType : Type {
  PERFPACT_AST_NODE(StringType, Type)
};
struct VoidType : Type {
  PERFPACT_AST_NODE(VoidType, Type)
};
/// `_` as a type argument
struct DontCareType : Type {
  PERFPACT_AST_NODE(DontCareType, Type)
};
struct NamedType : Type {
  PERFPACT_AST_NODE(NamedType, Type)
  Identifier name;
  bool absolute = false;
};
/// `Name<arguments>`
struct SpecializedType : Type {
  PERFPACT_AST_NODE(SpecializedType, Type)
  NamedType* base = nullptr;
  std::vector<Type*> arguments;
};
/// `element[size]`
struct ArrayType : Type {
  PERFPACT_AST_NODE(ArrayType, Type)
  Type* element = nullptr;
  Expression* size = nullptr;
};
struct TupleType : Type {
  PERFPACT_AST_NODE(TupleType, Type)
  std::vector<Type*> elements;
};
/// `list<T>`
struct ListType : Type {
  PERFPACT_AST_NODE(ListType, Type)
  Type* element = nullptr;
};

// ---- statements ------------------------------------------------------------------------------------------

struct Statement : Node {
  PERFPACT_AST_GROUP(Statement, Assign, DeclarationStatement)
};

/// `left = right`; with `op` a compound assignment `left op= right`.
struct Assign : Statement {
  PERFPACT_AST_NODE(Assign, Statement)
  std::optional<BinaryOperator> op;
  Expression* left = nullptr;
  Expression* right = nullptr;
};
struct CallStatement : Statement {
  PERFPACT_AST_NODE(CallStatement, Statement)
  Call* call = nullptr;
};
struct If : Statement {
  PERFPACT_AST_NODE(If, Statement)
  Expression* condition = nullptr;
  Statement* then_branch = nullptr;
  Statement* else_branch = nullptr;  // or null
};
struct Block : Statement {
  PERFPACT_AST_NODE(Block, Statement)
  Annotations annotations;
  std::vector<Statement*> statements;
};
struct Empty : Statement {
  PERFPACT_AST_NODE(Empty, Statement)
};
struct Return : Statement {
  PERFPACT_AST_NODE(Return, Statement)
  Expression* value = nullptr;  // or null
};
struct Exit : Statement {
  PERFPACT_AST_NODE(Exit, Statement)
};
struct Break : Statement {
  PERFPACT_AST_NODE(Break, Statement)
};
struct Continue : Statement {
  PERFPACT_AST_NODE(Continue, Statement)
};
/// `label: { ... }`; without a body it falls through to the next case that has one.
struct SwitchCase : Node {
  PERFPACT_AST_NODE(SwitchCase, Node)
  Expression* label = nullptr;  // DefaultKey for `default`
  Block* body = nullptr;        // or null
};
struct Switch : Statement {
  PERFPACT_AST_NODE(Switch, Statement)
  Expression* subject = nullptr;
  std::vector<SwitchCase*> cases;
};
/// `for (init; condition; update) body`
struct For : Statement {
  PERFPACT_AST_NODE(For, Statement)
  Annotations annotations;
  std::vector<Statement*> init;
  Expression* condition = nullptr;
  std::vector<Statement*> update;
  Statement* body = nullptr;
};
struct Variable;
/// `for (T x in collection) body`; the collection is a Range or any expression.
struct ForIn : Statement {
  PERFPACT_AST_NODE(ForIn, Statement)
  Annotations annotations;
  Variable* variable = nullptr;
  Expression* collection = nullptr;
  Statement* body = nullptr;
};
/// A variable, constant or instance among statements.
struct DeclarationStatement : Statement {
  PERFPACT_AST_NODE(DeclarationStatement, Statement)
  Declaration* declaration = nullptr;
};

// ---- declarations ----------------------------------------------------------------------------------------

struct Declaration : Node {
  PERFPACT_AST_GROUP(Declaration, Constant, Field)
  Annotations annotations;
  Identifier name;
};

enum class Direction : std::uint8_t { None, In, Out, InOut };
struct Parameter : Declaration {
  PERFPACT_AST_NODE(Parameter, Declaration)
  Direction direction = Direction::None;
  Type* type = nullptr;
  Expression* default_value = nullptr;  // or null
};
struct TypeParameter : Declaration {
  PERFPACT_AST_NODE(TypeParameter, Declaration)
};

struct Constant : Declaration {
  PERFPACT_AST_NODE(Constant, Declaration)
  Type* type = nullptr;
  Expression* value = nullptr;
};
struct Variable : Declaration {
  PERFPACT_AST_NODE(Variable, Declaration)
  Type* type = nullptr;
  Expression* initializer = nullptr;  // or null
};
/// `Type(arguments) name;` or `... name = { abstract methods };`. For `Type(arguments) name[n];` the type is
/// an ArrayType.
struct Instance : Declaration {
  PERFPACT_AST_NODE(Instance, Declaration)
  Type* type = nullptr;
  std::vector<Argument> arguments;
  bool has_block = false;
  std::vector<Declaration*> block;  // Function and Instance
};
/// `value_set<T>(size) name;`
struct ValueSet : Declaration {
  PERFPACT_AST_NODE(ValueSet, Declaration)
  Type* element = nullptr;
  Expression* size = nullptr;
};

/// A method of an extern, an extern function, or the head of a function. A constructor has no return type.
struct Method : Declaration {
  PERFPACT_AST_NODE(Method, Declaration)
  Type* return_type = nullptr;  // null: constructor
  std::vector<TypeParameter*> type_parameters;
  std::vector<Parameter*> parameters;
  bool is_abstract = false;
  [[nodiscard]] bool is_constructor() const { return return_type == nullptr; }
};
/// `extern Name<T> { methods }`, or `extern Name;` (forward declaration: is_forward).
struct Extern : Declaration {
  PERFPACT_AST_NODE(Extern, Declaration)
  bool is_forward = false;
  std::vector<TypeParameter*> type_parameters;
  std::vector<Method*> methods;
};
/// A function with a body; `extern R f(...);` is a Function with a null body.
struct Function : Declaration {
  PERFPACT_AST_NODE(Function, Declaration)
  Type* return_type = nullptr;
  std::vector<TypeParameter*> type_parameters;
  std::vector<Parameter*> parameters;
  Block* body = nullptr;  // null: extern
  [[nodiscard]] bool is_extern() const { return body == nullptr; }
};
struct Action : Declaration {
  PERFPACT_AST_NODE(Action, Declaration)
  std::vector<Parameter*> parameters;
  Block* body = nullptr;
};

/// `parser P<T>(parameters);`
struct ParserType : Declaration {
  PERFPACT_AST_NODE(ParserType, Declaration)
  std::vector<TypeParameter*> type_parameters;
  std::vector<Parameter*> parameters;
};
struct ControlType : Declaration {
  PERFPACT_AST_NODE(ControlType, Declaration)
  std::vector<TypeParameter*> type_parameters;
  std::vector<Parameter*> parameters;
};
struct Package : Declaration {
  PERFPACT_AST_NODE(Package, Declaration)
  std::vector<TypeParameter*> type_parameters;
  std::vector<Parameter*> parameters;
};

struct State;
/// `keyset: state;`
struct SelectCase : Node {
  PERFPACT_AST_NODE(SelectCase, Node)
  Expression* keyset = nullptr;
  Identifier state;
};
/// A parser state. Without a transition (implicit reject) `has_transition` is false; `transition name;` sets
/// next_state; `transition select(...) {...}` sets select_arguments and cases.
struct State : Declaration {
  PERFPACT_AST_NODE(State, Declaration)
  std::vector<Statement*> statements;
  bool has_transition = false;
  bool is_select = false;
  Identifier next_state;
  std::vector<Expression*> select_arguments;
  std::vector<SelectCase*> cases;
  Span transition_span;  // of the keyword to the end
};
struct Parser : Declaration {
  PERFPACT_AST_NODE(Parser, Declaration)
  std::vector<TypeParameter*> type_parameters;
  std::vector<Parameter*> parameters;
  std::vector<Parameter*> constructor_parameters;
  std::vector<Declaration*> locals;
  std::vector<State*> states;
};
struct Control : Declaration {
  PERFPACT_AST_NODE(Control, Declaration)
  std::vector<TypeParameter*> type_parameters;
  std::vector<Parameter*> parameters;
  std::vector<Parameter*> constructor_parameters;
  std::vector<Declaration*> locals;
  Block* body = nullptr;
};

struct Field : Declaration {
  PERFPACT_AST_NODE(Field, Declaration)
  Type* type = nullptr;
};
enum class StructKind : std::uint8_t { Struct, Header, HeaderUnion };
struct Struct : Declaration {
  PERFPACT_AST_NODE(Struct, Declaration)
  StructKind struct_kind{};
  std::vector<TypeParameter*> type_parameters;
  std::vector<Field*> fields;
};
/// A member of an enum, error or match_kind declaration. `value` for serializable enums.
struct EnumMember : Declaration {
  PERFPACT_AST_NODE(EnumMember, Declaration)
  Expression* value = nullptr;
};
/// `enum E {...}`; with an underlying type serializable.
struct Enum : Declaration {
  PERFPACT_AST_NODE(Enum, Declaration)
  Type* underlying = nullptr;  // or null
  std::vector<EnumMember*> members;
};
struct ErrorDeclaration : Declaration {
  PERFPACT_AST_NODE(ErrorDeclaration, Declaration)
  std::vector<EnumMember*> members;
};
struct MatchKindDeclaration : Declaration {
  PERFPACT_AST_NODE(MatchKindDeclaration, Declaration)
  std::vector<EnumMember*> members;
};
/// `typedef T name;`, `typedef struct S {...} name;` (then `declared` is the struct and `type` names it).
struct Typedef : Declaration {
  PERFPACT_AST_NODE(Typedef, Declaration)
  Type* type = nullptr;
  Declaration* declared = nullptr;
};
/// `type T name;`
struct Newtype : Declaration {
  PERFPACT_AST_NODE(Newtype, Declaration)
  Type* type = nullptr;
};

/// `expression: match_kind annotations;`
struct KeyElement : Node {
  PERFPACT_AST_NODE(KeyElement, Node)
  Expression* expression = nullptr;
  Identifier match_kind;
  Annotations annotations;
};
/// `a;` or `a(bound arguments);` in `actions = {...}`.
struct ActionElement : Node {
  PERFPACT_AST_NODE(ActionElement, Node)
  Annotations annotations;
  Name* action = nullptr;
  bool has_arguments = false;
  std::vector<Argument> arguments;
};
/// `[const] [priority = p:] keyset: action(arguments) annotations;`
struct TableEntry : Node {
  PERFPACT_AST_NODE(TableEntry, Node)
  bool is_const = false;
  Expression* priority = nullptr;  // or null
  Expression* keyset = nullptr;    // TupleKey or a single one
  ActionElement* action = nullptr;
  Annotations annotations;
};
/// Any property other than key, actions and entries: `default_action = a(1);`, `size = 10;`, ...
struct TableProperty : Node {
  PERFPACT_AST_NODE(TableProperty, Node)
  Annotations annotations;
  bool is_const = false;
  Identifier name;
  Expression* value = nullptr;
};
struct Table : Declaration {
  PERFPACT_AST_NODE(Table, Declaration)
  bool has_key = false;
  std::vector<KeyElement*> keys;
  bool has_actions = false;
  std::vector<ActionElement*> actions;
  bool has_entries = false;
  bool entries_are_const = false;
  Annotations entries_annotations;
  std::vector<TableEntry*> entries;
  std::vector<TableProperty*> properties;
  std::vector<std::pair<std::string, Span>> property_order;  // every property as written, for duplicates
};

#undef PERFPACT_AST_NODE
#undef PERFPACT_AST_GROUP

// ---- the tree --------------------------------------------------------------------------------------------

/// A whole program: its declarations in order, the files that it includes among them. Owns all nodes.
class Ast {
 public:
  /// Makes a node and gives it the next id.
  template <class T>
  T* make(const Span& span) {
    auto node = std::make_unique<T>();
    node->id = static_cast<NodeId>(nodes_.size());
    node->span = span;
    T* result = node.get();
    nodes_.push_back(std::move(node));
    return result;
  }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] const Node& node(NodeId id) const { return *nodes_[static_cast<std::size_t>(id)]; }

  std::vector<Declaration*> declarations;

 private:
  std::deque<std::unique_ptr<Node>> nodes_;
};

/// `name` of the annotation, or null.
[[nodiscard]] const Annotation* find_annotation(const Annotations& annotations, std::string_view name);
/// The string of `@name("text")`, its parts joined (`"te" ++ "xt"`); empty where there is none.
[[nodiscard]] std::string annotation_string(const Annotations& annotations, std::string_view name);
/// `+`, `|+|`, `&&`: as written in P4.
[[nodiscard]] std::string_view spelling(BinaryOperator op);
[[nodiscard]] std::string_view spelling(UnaryOperator op);
/// An expression in canonical P4 text: `hdr.ipv4.dstAddr`, `meta.x & 15`. Used for the names of keys.
[[nodiscard]] std::string to_source(const Expression& expression);
/// A type in canonical P4 text: `bit<32>`, `register<bit<8>>`.
[[nodiscard]] std::string to_source(const Type& type);

}  // namespace perfpact::p4::ast
