// Types.
#include "base/spelling.h"
#include "p4/syntax/parser_impl.h"

namespace perfpact::p4 {

using enum TokenKind;

bool Parser::at_type_keyword(std::size_t ahead) const {
  switch (kind(ahead)) {
    case Bit:
    case Bool:
    case Int:
    case MatchKind:
    case StringType:
    case Tuple:
    case Varbit:
      return true;
    case Error:
      return kind(ahead + 1) != Dot;
    case List:
      return kind(ahead + 1) == Less;
    default:
      return false;
  }
}

bool Parser::at_type_name(std::size_t ahead) const {
  if (kind(ahead) == Dot) return at_name(ahead + 1) && types_.is_global_type(peek(ahead + 1).text);
  return is_name(kind(ahead)) && types_.is_type(peek(ahead).text);
}

std::size_t Parser::behind_named_type(std::size_t index) const {
  if (tokens_[index].kind == Dot) ++index;
  ++index;
  if (tokens_[index].kind != Less) return index;
  return behind_type_arguments(index).value_or(index);
}

bool Parser::at_typed_declaration() const {
  if (at_type_keyword() || at(Void)) return true;
  if (at_type_name()) return tokens_[behind_named_type(index_)].kind != Dot;
  return at(Identifier) && at_name(1);
}

// typeRef: baseType | typeName | typeName "<" typeArguments ">" | tuple | list | typeRef "[" expression "]"
ast::Type* Parser::type() {
  Nesting nesting(*this);
  ast::Type* result = at_type_keyword() ? base_type() : named_type();
  std::size_t dimensions = 0;
  while (at(LeftBracket)) {
    if (++dimensions > kMaxDepth) too_deep();
    auto* array = ast_.make<ast::ArrayType>(result->span);
    Span open = take().span;
    array->element = result;
    bool outer = std::exchange(no_greater_, false);
    array->size = expression();
    no_greater_ = outer;
    expect_closing(RightBracket, open);
    result = finish(array);
  }
  return result;
}

// A return type may be a type parameter that is declared behind it.
ast::Type* Parser::type_or_void() {
  if (at(Void)) {
    auto* result = start<ast::VoidType>();
    take();
    return result;
  }
  if (at(Identifier) && !at_type_name() && kind(1) != Less) {
    auto* result = start<ast::NamedType>();
    result->name = identifier();
    return result;
  }
  return type();
}

ast::Expression* Parser::width() {
  expect(Less);
  bool outer = std::exchange(no_greater_, true);
  ast::Expression* result = expression();
  no_greater_ = outer;
  expect_closing_angle();
  return result;
}

ast::Type* Parser::base_type() {
  auto simple = [this]<class T>(T* node) -> ast::Type* {
    take();
    return node;
  };
  switch (kind()) {
    case Bool:
      return simple(start<ast::BoolType>());
    case Error:
      return simple(start<ast::ErrorType>());
    case MatchKind:
      return simple(start<ast::MatchKindType>());
    case StringType:
      return simple(start<ast::StringType>());
    case Int:
      if (kind(1) != Less) return simple(start<ast::InfIntType>());
      [[fallthrough]];
    case Bit: {
      auto* bits = start<ast::BitType>();
      bits->is_signed = take().kind == Int;
      if (at(Less)) bits->width = width();
      return finish(bits);
    }
    case Varbit: {
      auto* bits = start<ast::VarbitType>();
      take();
      bits->width = width();
      return finish(bits);
    }
    case Tuple: {
      auto* tuple = start<ast::TupleType>();
      take();
      tuple->elements = type_arguments();
      return finish(tuple);
    }
    default: {
      auto* list = start<ast::ListType>();
      expect(List);
      expect(Less);
      list->element = type_argument();
      expect_closing_angle();
      return finish(list);
    }
  }
}

ast::Type* Parser::named_type() {
  bool known = at_type_name();
  if (!known && !at(Dot)) unknown_type();
  if (at_type_keyword()) return base_type();
  auto* name = start<ast::NamedType>();
  name->absolute = accept(Dot);
  if (!known && name->absolute) unknown_type();
  name->name = identifier("a type");
  finish(name);
  if (!at(Less)) return name;
  auto* result = ast_.make<ast::SpecializedType>(name->span);
  result->base = name;
  result->arguments = type_arguments();
  return finish(result);
}

/// Reports that the current token is no type. A name in a place that fits a type is taken for one from then
/// on; a misspelt keyword is taken for that keyword.
void Parser::unknown_type() {
  static const std::vector<std::string> kTypeKeywords = {"bit",    "bool",  "error",  "int",
                                                         "string", "tuple", "varbit", "void"};
  static const std::vector<std::string> kStatementKeywords = {"action", "break",  "const",  "continue",
                                                              "exit",   "return", "switch", "table"};
  const Token& token = peek();
  std::optional<std::string> nearest;
  if (at_name()) {
    std::vector<std::string> candidates = types_.types();
    candidates.insert(candidates.end(), kTypeKeywords.begin(), kTypeKeywords.end());
    if (level_ != Level::Program)
      candidates.insert(candidates.end(), kStatementKeywords.begin(), kStatementKeywords.end());
    nearest = nearest_name(token.text, candidates);
  }
  std::string suggestion = nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
  bool fits = at_name() && (at_name(1) || kind(1) == Less || kind(1) == LeftBracket || kind(1) == Greater ||
                            kind(1) == Comma || kind(1) == RightParenthesis || kind(1) == LeftParenthesis);
  if (!fits) fail(diag::kExpectedType, token.span, describe(token), suggestion);
  report(diag::kExpectedType, token.span, describe(token), suggestion);
  if (nearest && std::ranges::find(kTypeKeywords, *nearest) != kTypeKeywords.end())
    tokens_[index_].kind = *keyword_kind(*nearest);
  else
    types_.declare_global_type(std::string(token.text));
}

// typeArg: typeRef | name | "void" | "_"
ast::Type* Parser::type_argument() {
  if (at(Underscore)) {
    auto* result = start<ast::DontCareType>();
    take();
    return result;
  }
  if (is_name(kind()) && !at_type_name() && !at_type_keyword() && kind(1) != Less) {
    auto* result = start<ast::NamedType>();
    result->name = identifier("a type");
    return result;
  }
  return at(Void) ? type_or_void() : type();
}

std::vector<ast::Type*> Parser::type_arguments() {
  std::vector<ast::Type*> result;
  expect(Less);
  bool outer = std::exchange(no_greater_, true);
  comma_list(Greater, false, [&] { result.push_back(type_argument()); });
  no_greater_ = outer;
  expect_closing_angle();
  return result;
}

std::optional<std::size_t> Parser::behind_type_arguments(std::size_t index) const {
  std::size_t angles = 0;
  while (index < tokens_.size()) {
    switch (tokens_[index].kind) {
      case Less:
        ++angles;
        break;
      case Greater:
        if (--angles == 0) return index + 1;
        break;
      case LeftParenthesis:
      case LeftBracket: {
        std::optional<std::size_t> behind = behind_brackets(index);
        if (!behind) return std::nullopt;
        index = *behind;
        continue;
      }
      case Dot:
        if (is_name(tokens_[index - 1].kind)) return std::nullopt;
        break;
      case Comma:
      case Integer:
      case Underscore:
      case Void:
      case Plus:
      case Minus:
      case Star:
      case Slash:
      case Percent:
      case Bit:
      case Bool:
      case Int:
      case MatchKind:
      case StringType:
      case Tuple:
      case Varbit:
      case Error:
        break;
      case Semicolon:
      case LeftBrace:
      case RightBrace:
      case RightParenthesis:
      case AndAnd:
      case OrOr:
      case End:
        return std::nullopt;
      default:
        // Other operators are in the width of a `bit<w>` only.
        if (angles < 2 && !is_name(tokens_[index].kind)) return std::nullopt;
    }
    ++index;
  }
  return std::nullopt;
}

}  // namespace perfpact::p4
