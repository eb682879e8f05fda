// Expressions and types as P4 text.
#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "p4/syntax/ast.h"
#include "p4/syntax/ast_text.h"

namespace perfpact::p4::ast {
namespace {

constexpr int kTernary = 0;
constexpr int kUnary = 11;
constexpr int kPostfix = 12;

int precedence(BinaryOperator op) {
  using enum BinaryOperator;
  switch (op) {
    case Or:
      return 1;
    case And:
      return 2;
    case Equal:
    case NotEqual:
      return 3;
    case Less:
    case LessEqual:
    case Greater:
    case GreaterEqual:
      return 4;
    case BitOr:
      return 5;
    case BitXor:
      return 6;
    case BitAnd:
      return 7;
    case ShiftLeft:
    case ShiftRight:
      return 8;
    case Add:
    case Subtract:
    case AddSaturate:
    case SubtractSaturate:
    case Concat:
      return 9;
    case Multiply:
    case Divide:
    case Modulo:
      return 10;
  }
  PERFPACT_CHECK(false, "operator {}", static_cast<int>(op));
}

int precedence(const Expression& expression) {
  if (isa<Conditional>(&expression)) return kTernary;
  if (const auto* binary = dyn_cast<Binary>(&expression)) return precedence(binary->op);
  if (isa<Unary>(&expression) || isa<Cast>(&expression)) return kUnary;
  return kPostfix;
}

std::string text(const Expression* expression) {
  return to_source(*expression);
}

/// In parentheses if it binds weaker than `minimum`.
std::string operand(const Expression* expression, int minimum) {
  std::string result = text(expression);
  return precedence(*expression) < minimum ? fmt::format("({})", result) : result;
}

std::string quoted(const std::string& value) {
  std::string result = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

std::string number(const IntegerLiteral& literal) {
  std::string result = literal.spelling;
  std::erase(result, '_');
  return result;
}

std::string call(const std::string& callee, const std::vector<Type*>& types,
                 const std::vector<Argument>& arguments) {
  std::string result = callee;
  if (!types.empty())
    result += fmt::format("<{}>", join_text(types, [](const Type* t) { return to_source(*t); }));
  auto argument = [](const Argument& a) {
    std::string value = a.value == nullptr ? "_" : text(a.value);
    return a.name ? fmt::format("{} = {}", a.name->text, value) : value;
  };
  return fmt::format("{}({})", result, join_text(arguments, argument));
}

std::string struct_literal(const StructLiteral& literal) {
  std::string fields = join_text(literal.fields, [](const auto& field) {
    return fmt::format("{} = {}", field.first.text, text(field.second));
  });
  return fmt::format("{{{}{}}}", fields, literal.has_dots ? ", ..." : "");
}

std::string operators(const Expression& e) {
  if (const auto* unary = dyn_cast<Unary>(&e))
    return fmt::format("{}{}", spelling(unary->op), operand(unary->operand, kUnary));
  if (const auto* binary = dyn_cast<Binary>(&e)) {
    int own = precedence(binary->op);
    return fmt::format("{} {} {}", operand(binary->left, own), spelling(binary->op),
                       operand(binary->right, own + 1));
  }
  if (const auto* conditional = dyn_cast<Conditional>(&e))
    return fmt::format("{} ? {} : {}", operand(conditional->condition, kTernary + 1),
                       text(conditional->then_value), text(conditional->else_value));
  const auto* cast_node = cast<Cast>(&e);
  return fmt::format("({}) {}", to_source(*cast_node->type), operand(cast_node->operand, kUnary));
}

std::string postfixes(const Expression& e) {
  switch (e.kind) {
    case NodeKind::Member: {
      const auto& member = *cast<Member>(&e);
      return fmt::format("{}.{}", operand(member.object, kPostfix), member.member.text);
    }
    case NodeKind::Index: {
      const auto& index = *cast<Index>(&e);
      return fmt::format("{}[{}]", operand(index.object, kPostfix), text(index.index));
    }
    case NodeKind::Slice: {
      const auto& slice = *cast<Slice>(&e);
      return fmt::format("{}[{}:{}]", operand(slice.object, kPostfix), text(slice.high), text(slice.low));
    }
    case NodeKind::PlusSlice: {
      const auto& slice = *cast<PlusSlice>(&e);
      return fmt::format("{}[{} +: {}]", operand(slice.object, kPostfix), text(slice.low), text(slice.width));
    }
    case NodeKind::Call: {
      const auto& node = *cast<Call>(&e);
      return call(operand(node.callee, kPostfix), node.type_arguments, node.arguments);
    }
    default: {
      const auto& node = *cast<ConstructorCall>(&e);
      return call(to_source(*node.type), {}, node.arguments);
    }
  }
}

std::string keysets(const Expression& e) {
  if (const auto* mask = dyn_cast<Mask>(&e))
    return fmt::format("{} &&& {}", text(mask->value), text(mask->mask));
  if (const auto* range = dyn_cast<Range>(&e))
    return fmt::format("{} .. {}", text(range->low), text(range->high));
  if (const auto* tuple = dyn_cast<TupleKey>(&e))
    return fmt::format("({})", join_text(tuple->elements, text));
  return "default";
}

}  // namespace

std::string to_source(const Expression& e) {
  switch (e.kind) {
    case NodeKind::IntegerLiteral:
      return number(*cast<IntegerLiteral>(&e));
    case NodeKind::BoolLiteral:
      return cast<BoolLiteral>(&e)->value ? "true" : "false";
    case NodeKind::StringLiteral:
      return quoted(cast<StringLiteral>(&e)->value);
    case NodeKind::Name:
      return (cast<Name>(&e)->absolute ? "." : "") + cast<Name>(&e)->name.text;
    case NodeKind::TypeName:
      return to_source(*cast<TypeName>(&e)->type);
    case NodeKind::This:
      return "this";
    case NodeKind::Dots:
      return "...";
    case NodeKind::InvalidHeader:
      return "{#}";
    case NodeKind::List:
      return fmt::format("{{{}}}", join_text(cast<List>(&e)->elements, text));
    case NodeKind::StructLiteral:
      return struct_literal(*cast<StructLiteral>(&e));
    case NodeKind::Unary:
    case NodeKind::Binary:
    case NodeKind::Conditional:
    case NodeKind::Cast:
      return operators(e);
    case NodeKind::Mask:
    case NodeKind::Range:
    case NodeKind::TupleKey:
    case NodeKind::DefaultKey:
      return keysets(e);
    default:
      return postfixes(e);
  }
}

std::string to_source(const Type& t) {
  auto types = [](const std::vector<Type*>& list) {
    return join_text(list, [](const Type* each) { return to_source(*each); });
  };
  switch (t.kind) {
    case NodeKind::BitType: {
      const auto& bits = *cast<BitType>(&t);
      std::string_view name = bits.is_signed ? "int" : "bit";
      return bits.width == nullptr ? std::string(name)
                                   : fmt::format("{}<{}>", name, operand(bits.width, kUnary));
    }
    case NodeKind::VarbitType:
      return fmt::format("varbit<{}>", operand(cast<VarbitType>(&t)->width, kUnary));
    case NodeKind::InfIntType:
      return "int";
    case NodeKind::BoolType:
      return "bool";
    case NodeKind::ErrorType:
      return "error";
    case NodeKind::MatchKindType:
      return "match_kind";
    case NodeKind::StringType:
      return "string";
    case NodeKind::VoidType:
      return "void";
    case NodeKind::DontCareType:
      return "_";
    case NodeKind::NamedType:
      return (cast<NamedType>(&t)->absolute ? "." : "") + cast<NamedType>(&t)->name.text;
    case NodeKind::SpecializedType: {
      const auto& special = *cast<SpecializedType>(&t);
      return fmt::format("{}<{}>", to_source(*special.base), types(special.arguments));
    }
    case NodeKind::ArrayType: {
      const auto& array = *cast<ArrayType>(&t);
      return fmt::format("{}[{}]", to_source(*array.element), text(array.size));
    }
    case NodeKind::TupleType:
      return fmt::format("tuple<{}>", types(cast<TupleType>(&t)->elements));
    default:
      return fmt::format("list<{}>", to_source(*cast<ListType>(&t)->element));
  }
}

}  // namespace perfpact::p4::ast
