// The semantic types of P4_16 (specification, section 7). Types are interned: equal types are the same
// object, so they compare by pointer.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "p4/syntax/ast.h"

namespace perfpact::p4 {

enum class TypeKind : std::uint8_t {
  Unknown,  // of an expression that was wrong; compatible with everything, so that one fault is told once
  Void,
  Bool,
  String,
  InfInt,  // int
  Bits,    // bit<w>, int<w>
  Varbit,
  Error,
  MatchKind,
  Enum,              // without representation
  SerializableEnum,  // arguments[0]: the underlying type
  Newtype,           // arguments[0]: the underlying type
  Struct,
  Header,
  HeaderUnion,
  Stack,         // arguments[0]: element, size
  Tuple,         // arguments: elements; also the type of {a, b}
  List,          // arguments[0]: element
  TypeVariable,  // declaration: ast::TypeParameter
  Extern,        // arguments: type arguments
  Parser,        // declaration: ast::Parser or ast::ParserType
  Control,       // declaration: ast::Control or ast::ControlType
  Package,
  Action,
  Table,
  Function,       // a function, extern function or method as a value (callee only)
  Set,            // arguments[0]: element; of keysets and value sets
  ApplyResult,    // of table.apply(); declaration: the table
  ActionRun,      // of .action_run; declaration: the table
  DontCare,       // _ as a type argument, before inference
  InvalidHeader,  // of {#}, before conversion
  Dots,           // of ..., before conversion
  Record,         // of {a = x, b = y}, before conversion or where T was inferred from it: arguments, names
  NamedType,      // of a TypeName expression: arguments[0] the type
};

struct Type {
  TypeKind kind;
  bool is_signed = false;                         // Bits
  std::uint32_t width = 0;                        // Bits, Varbit: bits; Stack: number of elements
  const ast::Declaration* declaration = nullptr;  // of declared types
  std::vector<const Type*> arguments;             // see TypeKind; Struct, Header: type arguments
  std::vector<std::string> names;                 // Record: of its fields; `...` last where it has dots

  [[nodiscard]] bool is(TypeKind k) const { return kind == k; }
};

struct FieldType {
  const ast::Field* field;
  const Type* type;
};

/// How much there is of a type: the scalars, fields and elements that it is made of (a cap stands for more),
/// and how deep they are nested in each other.
struct Extent {
  std::uint64_t parts = 1;
  std::uint32_t depth = 1;
};

/// Type variables to types.
using Substitution = std::unordered_map<const ast::TypeParameter*, const Type*>;

/// Makes and owns types.
class TypeTable {
 public:
  TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;
  ~TypeTable();

  /// The one type with these parts.
  const Type* get(Type type);
  const Type* get(TypeKind kind) { return get(Type{kind}); }
  const Type* bits(std::uint32_t width, bool is_signed = false);
  const Type* varbit(std::uint32_t max_width);
  const Type* stack(const Type* element, std::uint32_t size);
  const Type* tuple(std::vector<const Type*> elements);
  const Type* declared(TypeKind kind, const ast::Declaration* declaration,
                       std::vector<const Type*> arguments = {});

  /// The type with its variables replaced.
  const Type* substitute(const Type* type, const Substitution& substitution);

  /// Fields of a Struct, Header or HeaderUnion, with its type arguments put in. Set once per declaration by
  /// the checker: the declared (generic) field types.
  [[nodiscard]] std::vector<FieldType> fields(const Type* type);
  void set_declared_fields(const ast::Struct* declaration, std::vector<FieldType> fields);
  /// Of a type whose declarations have their fields. Known types are cheap: what a type is made of is looked
  /// at once.
  Extent extent(const Type* type);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// `bit<8>`, `int<4>`, `header ipv4_t`, `tuple<bit<8>, bool>`: as in P4 text.
[[nodiscard]] std::string to_string(const Type* type);
/// A Bits, SerializableEnum or Newtype down to what it is represented by.
[[nodiscard]] const Type* representation(const Type* type);
/// Whether a type variable stands anywhere in it.
[[nodiscard]] bool has_type_variable(const Type* type);
/// Bits of a value: the least and the most (varbits and header unions differ); nothing where it has no size.
struct SizeInBits {
  Integer least;
  Integer most;
};
[[nodiscard]] std::optional<SizeInBits> size_in_bits(TypeTable& types, const Type* type);

}  // namespace perfpact::p4
