// Annotations and declarations.
#include "p4/syntax/parser_impl.h"

namespace perfpact::p4 {

using enum TokenKind;

void Parser::parse_program() {
  try {
    while (!at(End)) {
      std::size_t start = index_;
      if (accept(Semicolon)) continue;
      try {
        if (at(RightBrace)) {
          if (!brace_missing_) report(diag::kExtraBrace, peek().span);
          take();
          continue;
        }
        ast_.declarations.push_back(declaration());
      } catch (Abandon) {
        recover(Level::Program, start, 0, 1);
      }
    }
  } catch (TooManyErrors) {
    return;
  }
}

ast::Declaration* Parser::declaration() {
  ast::Annotations found = annotations();
  ast::Declaration* result = keyword_declaration();
  if (result == nullptr) {
    static const std::vector<TokenKind> kKeywords = {
        Action,      Const,   Control,           Enum,   Extern, Header,
        HeaderUnion, Package, TokenKind::Parser, Struct, Typedef};
    bool is_generic = at_function() && kind(2) == Less;
    if (!is_generic && correct_keyword("a declaration", kKeywords))
      result = keyword_declaration();
    else if (at_type_keyword() || at(Void) || at_type_name() || (at_name() && at_name(1)))
      result = function_or_instance();
    else
      fail(diag::kExpectedDeclaration, peek().span, "a declaration", describe(peek()), "");
  }
  result->annotations.insert(result->annotations.begin(), found.begin(), found.end());
  return result;
}

/// The declaration that the keyword at the current token starts, or null.
ast::Declaration* Parser::keyword_declaration() {
  switch (kind()) {
    case Const:
      return constant();
    case Extern:
      return extern_declaration();
    case Action:
      return action();
    case TokenKind::Parser:
      return parser_declaration();
    case Control:
      return control_declaration();
    case Package:
      return package();
    case Header:
    case HeaderUnion:
    case Struct:
      return struct_declaration();
    case Enum:
      return enum_declaration();
    case Typedef:
      return typedef_declaration();
    case Type:
      return newtype_declaration();
    case Error:
      return kind(1) == LeftBrace ? error_declaration() : nullptr;
    case MatchKind:
      return kind(1) == LeftBrace ? match_kind_declaration() : nullptr;
    default:
      return nullptr;
  }
}

ast::Annotations Parser::annotations() {
  ast::Annotations result;
  while (at(At) || at(Pragma)) result.push_back(annotation());
  return result;
}

// annotation: "@" name [ "(" tokens ")" | "[" expressions or key = value "]" ] | "@pragma" name tokens
// END_OF_LINE
ast::Annotation* Parser::annotation() {
  auto* node = start<ast::Annotation>();
  bool is_pragma = take().kind == Pragma;
  if (!at_name() && !is_keyword(kind()))
    fail(diag::kExpectedToken, peek().span, "the name of an annotation", describe(peek()));
  const Token& name = take();
  node->name = {std::string(name.text), name.span};
  if (is_pragma) {
    unstructured_annotation(*node, EndPragma);
  } else if (at(LeftParenthesis)) {
    take();
    unstructured_annotation(*node, RightParenthesis);
  } else if (at(LeftBracket)) {
    structured_annotation(*node);
  }
  return finish(node);
}

void Parser::structured_annotation(ast::Annotation& annotation) {
  annotation.structured = true;
  Span open = take().span;
  comma_list(RightBracket, true, [&] {
    if (at_name() && kind(1) == Assign) {
      ast::Identifier key = identifier();
      take();
      annotation.entries.emplace_back(std::move(key), expression());
    } else {
      annotation.expressions.push_back(expression());
    }
  });
  expect_closing(RightBracket, open);
}

/// Any tokens, parentheses balanced.
void Parser::unstructured_annotation(ast::Annotation& annotation, TokenKind closes) {
  Span open = previous().span;
  std::size_t braces_before = open_.size();
  std::size_t depth = 0;
  while (depth > 0 || !at(closes)) {
    if (at(End)) expect_closing(closes, open);
    if (at(LeftParenthesis)) ++depth;
    if (at(RightParenthesis) && depth > 0) --depth;
    bool space_before = !annotation.body.empty() && !previous().joined;
    const Token& token = take();
    if (token.kind == String) annotation.strings.push_back(unescape(token.text));
    if (space_before) annotation.body += ' ';
    annotation.body += token.text;
  }
  take();
  open_.resize(std::min(open_.size(), braces_before));  // braces here need not match
}

// "<" name { "," name } ">"
std::vector<ast::TypeParameter*> Parser::type_parameters() {
  std::vector<ast::TypeParameter*> result;
  if (!accept(Less)) return result;
  comma_list(Greater, false, [&] {
    auto* parameter = start<ast::TypeParameter>();
    parameter->name = identifier("the name of a type parameter");
    types_.declare_type(parameter->name.text);
    result.push_back(parameter);
  });
  expect_closing_angle();
  return result;
}

std::vector<ast::Parameter*> Parser::parameters() {
  std::vector<ast::Parameter*> result;
  Span open = peek().span;
  expect(LeftParenthesis);
  comma_list(RightParenthesis, false, [&] { result.push_back(parameter()); });
  expect_closing(RightParenthesis, open);
  for (const ast::Parameter* parameter : result) types_.declare_value(parameter->name.text);
  return result;
}

// annotations [ "in" | "out" | "inout" ] typeRef name [ "=" expression ]
ast::Parameter* Parser::parameter() {
  ast::Annotations found = annotations();
  auto* node = start<ast::Parameter>();
  node->annotations = std::move(found);
  if (accept(In))
    node->direction = ast::Direction::In;
  else if (accept(Out))
    node->direction = ast::Direction::Out;
  else if (accept(InOut))
    node->direction = ast::Direction::InOut;
  node->type = declarator(type(), node->name);
  if (accept(Assign)) node->default_value = expression();
  return finish(node);
}

// name { "[" expression "]" }
ast::Type* Parser::declarator(ast::Type* type, ast::Identifier& name) {
  name = identifier();
  std::size_t dimensions = 0;
  while (at(LeftBracket)) {
    if (++dimensions > kMaxDepth) too_deep();
    auto* array = ast_.make<ast::ArrayType>(type->span);
    Span open = take().span;
    array->element = type;
    array->size = expression();
    expect_closing(RightBracket, open);
    type = finish(array);
  }
  return type;
}

ast::Constant* Parser::constant() {
  auto* node = start<ast::Constant>();
  expect(Const);
  node->type = declarator(type(), node->name);
  expect_after(Assign, fmt::format("the name of the constant '{}'", node->name.text));
  node->value = expression();
  expect_after(Semicolon, "the value of the constant");
  types_.declare_value(node->name.text);
  return finish(node);
}

ast::Declaration* Parser::variable_or_instance() {
  Span start_span = peek().span;
  ast::Type* declared = type();
  if (at(LeftParenthesis)) return instance(declared, start_span);
  ast::Variable* node = variable(declared, start_span);
  expect_after(Semicolon, "the declaration of a variable");
  return finish(node);
}

// typeRef declarator [ "=" expression ]
ast::Variable* Parser::variable(ast::Type* type, const Span& start) {
  auto* node = ast_.make<ast::Variable>(start);
  node->type = declarator(type, node->name);
  if (accept(Assign)) node->initializer = expression();
  types_.declare_value(node->name.text);
  return finish(node);
}

// typeRef "(" arguments ")" declarator [ "=" "{" { function | instance } "}" ] ";"
ast::Instance* Parser::instance(ast::Type* type, const Span& start) {
  auto* node = ast_.make<ast::Instance>(start);
  node->arguments = arguments();
  node->type = declarator(type, node->name);
  if (accept(Assign)) {
    node->has_block = true;
    Scope scope(types_);
    braced(Level::Members, [&] {
      ast::Annotations found = annotations();
      ast::Declaration* member = function_or_instance();
      member->annotations = std::move(found);
      node->block.push_back(member);
    });
  }
  expect_after(Semicolon, "the instantiation");
  types_.declare_value(node->name.text);
  return finish(node);
}

/// At `T f(` or `T f<`, where T may be a type parameter that is declared behind it.
bool Parser::at_function() const {
  return at(Identifier) && at_name(1) && (kind(2) == LeftParenthesis || kind(2) == Less);
}

ast::Declaration* Parser::function_or_instance() {
  Span start_span = peek().span;
  ast::Type* result_type = at_function() ? type_or_void() : at(Void) ? type_or_void() : type();
  if (at(LeftParenthesis)) return instance(result_type, start_span);
  if (at_name() && kind(1) != LeftParenthesis && kind(1) != Less) {
    report(diag::kVariableNotHere, peek().span);
    ast::Variable* node = variable(result_type, start_span);
    expect_after(Semicolon, "the declaration of a variable");
    return node;
  }
  ast::Function* node = function(result_type, start_span);
  return node;
}

// typeOrVoid name typeParameters "(" parameters ")" block
ast::Function* Parser::function(ast::Type* return_type, const Span& start) {
  auto* node = ast_.make<ast::Function>(start);
  node->return_type = return_type;
  node->name = identifier("the name of a function");
  types_.declare_value(node->name.text);
  Scope scope(types_);
  node->type_parameters = type_parameters();
  node->parameters = parameters();
  node->body = block();
  return finish(node);
}

// "extern" name [ typeParameters ] "{" { method } "}" | "extern" functionPrototype ";" | "extern" name ";"
ast::Declaration* Parser::extern_declaration() {
  Span start_span = take().span;
  bool is_type = at_name() && (kind(1) == LeftBrace || kind(1) == Semicolon);
  if (at_name() && kind(1) == Less)
    if (auto behind = behind_type_arguments(index_ + 1)) is_type = tokens_[*behind].kind == LeftBrace;
  if (!is_type) {
    auto* node = ast_.make<ast::Function>(start_span);
    node->return_type = type_or_void();
    node->name = identifier("the name of a function");
    types_.declare_value(node->name.text);
    Scope scope(types_);
    node->type_parameters = type_parameters();
    node->parameters = parameters();
    expect_after(Semicolon, "the declaration of an extern function");
    return finish(node);
  }
  auto* node = ast_.make<ast::Extern>(start_span);
  node->name = identifier();
  types_.declare_type(node->name.text);
  if (accept(Semicolon)) {
    node->is_forward = true;
    return finish(node);
  }
  Scope scope(types_);
  node->type_parameters = type_parameters();
  braced(Level::Members, [&] { node->methods.push_back(method(node->name.text)); });
  return finish(node);
}

// annotations [ "abstract" ] functionPrototype ";" | annotations Name "(" parameters ")" ";"
ast::Method* Parser::method(const std::string& extern_name) {
  ast::Annotations found = annotations();
  auto* node = start<ast::Method>();
  node->annotations = std::move(found);
  node->is_abstract = accept(Abstract);
  if (at_name() && kind(1) == LeftParenthesis) {
    node->name = identifier();
    if (node->name.text != extern_name)
      fail(diag::kConstructorName, node->name.span, node->name.text, extern_name);
  } else {
    node->return_type = type_or_void();
    node->name = identifier("the name of a method");
  }
  Scope scope(types_);
  node->type_parameters = type_parameters();
  node->parameters = parameters();
  expect_after(Semicolon, "the declaration of a method");
  return finish(node);
}

ast::Action* Parser::action() {
  auto* node = start<ast::Action>();
  expect(Action);
  node->name = identifier("the name of the action");
  Scope scope(types_);
  node->parameters = parameters();
  node->body = block();
  return finish(node);
}

ast::Package* Parser::package() {
  if (at_name(1)) types_.declare_type(std::string(peek(1).text));
  Scope scope(types_);
  Head parts = head();
  auto* node = ast_.make<ast::Package>(parts.start);
  node->name = std::move(parts.name);
  node->type_parameters = std::move(parts.type_parameters);
  node->parameters = std::move(parts.parameters);
  expect_after(Semicolon, "the declaration of a package");
  return finish(node);
}

// ("struct" | "header" | "header_union") name typeParameters "{" { annotations typeRef declarator ";" } "}"
ast::Struct* Parser::struct_declaration() {
  auto* node = start<ast::Struct>();
  TokenKind keyword = take().kind;
  node->struct_kind = keyword == Struct   ? ast::StructKind::Struct
                      : keyword == Header ? ast::StructKind::Header
                                          : ast::StructKind::HeaderUnion;
  node->name = identifier(fmt::format("the name of the {}", spelling(keyword)));
  types_.declare_type(node->name.text);
  Scope scope(types_);
  node->type_parameters = type_parameters();
  braced(Level::Members, [&] {
    ast::Annotations found = annotations();
    auto* field = start<ast::Field>();
    field->annotations = std::move(found);
    field->type = declarator(type(), field->name);
    expect_after(Semicolon, "the field");
    node->fields.push_back(finish(field));
  });
  return finish(node);
}

// "enum" [ typeRef ] name "{" member { "," member } [ "," ] "}"
ast::Enum* Parser::enum_declaration() {
  auto* node = start<ast::Enum>();
  expect(Enum);
  bool is_serializable = !(at_name() && kind(1) == LeftBrace);
  if (is_serializable) node->underlying = type();
  node->name = identifier("the name of the enum");
  types_.declare_type(node->name.text);
  Span open = peek().span;
  expect(LeftBrace);
  comma_list(RightBrace, true, [&] { node->members.push_back(enum_member(is_serializable)); });
  expect_closing(RightBrace, open);
  return finish(node);
}

ast::EnumMember* Parser::enum_member(bool with_value) {
  ast::Annotations found = annotations();
  auto* node = start<ast::EnumMember>();
  node->annotations = std::move(found);
  node->name = identifier();
  if (with_value) {
    expect_after(Assign,
                 fmt::format("the name '{}': members of a serializable enum have values", node->name.text));
    node->value = expression();
  }
  return finish(node);
}

ast::ErrorDeclaration* Parser::error_declaration() {
  auto* node = start<ast::ErrorDeclaration>();
  node->name = {"error", take().span};
  Span open = peek().span;
  expect(LeftBrace);
  comma_list(RightBrace, false, [&] { node->members.push_back(enum_member(false)); });
  expect_closing(RightBrace, open);
  return finish(node);
}

ast::MatchKindDeclaration* Parser::match_kind_declaration() {
  auto* node = start<ast::MatchKindDeclaration>();
  node->name = {"match_kind", take().span};
  Span open = peek().span;
  expect(LeftBrace);
  comma_list(RightBrace, true, [&] { node->members.push_back(enum_member(false)); });
  expect_closing(RightBrace, open);
  return finish(node);
}

// "typedef" (typeRef | struct or enum declaration) declarator ";"
ast::Typedef* Parser::typedef_declaration() {
  auto* node = start<ast::Typedef>();
  expect(Typedef);
  ast::Annotations found = annotations();
  ast::Type* type_of = nullptr;
  if (at(Struct) || at(Header) || at(HeaderUnion) || at(Enum)) {
    node->declared = keyword_declaration();
    node->declared->annotations = std::move(found);
    auto* named = ast_.make<ast::NamedType>(node->declared->name.span);
    named->name = node->declared->name;
    type_of = named;
  } else {
    type_of = type();
  }
  node->type = declarator(type_of, node->name);
  types_.declare_type(node->name.text);
  expect_after(Semicolon, "the typedef");
  return finish(node);
}

ast::Newtype* Parser::newtype_declaration() {
  auto* node = start<ast::Newtype>();
  expect(Type);
  node->type = declarator(type(), node->name);
  types_.declare_type(node->name.text);
  expect_after(Semicolon, "the type declaration");
  return finish(node);
}

}  // namespace perfpact::p4
