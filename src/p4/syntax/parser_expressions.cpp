// Expressions.
#include "p4/syntax/parser_impl.h"

namespace perfpact::p4 {

using enum TokenKind;
using ast::BinaryOperator;

void Parser::deepen() {
  if (++expression_depth_ > kMaxDepth) too_deep();
}

// expression: binary [ "?" expression ":" expression ]
ast::Expression* Parser::expression() {
  Nesting nesting(*this);
  std::size_t siblings = std::exchange(expression_depth_, 0);
  ast::Expression* result = binary(0);
  if (at(Question)) {
    auto* conditional = ast_.make<ast::Conditional>(result->span);
    take();
    conditional->condition = result;
    bool outer = std::exchange(no_greater_, false);
    conditional->then_value = expression();
    no_greater_ = outer;
    expect(Colon);
    conditional->else_value = expression();
    deepen();
    result = finish(conditional);
  }
  expression_depth_ = std::max(siblings, expression_depth_);
  return result;
}

std::optional<Parser::OperatorHere> Parser::operator_here() const {
  switch (kind()) {
    case OrOr:
      return {{BinaryOperator::Or, 1, 1}};
    case AndAnd:
      return {{BinaryOperator::And, 2, 1}};
    case EqualEqual:
      return {{BinaryOperator::Equal, 3, 1}};
    case NotEqual:
      return {{BinaryOperator::NotEqual, 3, 1}};
    case Less:
      return {{BinaryOperator::Less, 4, 1}};
    case LessEqual:
      return {{BinaryOperator::LessEqual, 4, 1}};
    case GreaterEqual:
      return {{BinaryOperator::GreaterEqual, 4, 1}};
    case Greater:
      if (no_greater_) return std::nullopt;
      if (peek().joined && kind(1) == Greater) return {{BinaryOperator::ShiftRight, 8, 2}};
      if (peek().joined && kind(1) == GreaterEqual) return std::nullopt;  // >>=
      return {{BinaryOperator::Greater, 4, 1}};
    case Or:
      return {{BinaryOperator::BitOr, 5, 1}};
    case Xor:
      return {{BinaryOperator::BitXor, 6, 1}};
    case And:
      return {{BinaryOperator::BitAnd, 7, 1}};
    case ShiftLeft:
      return {{BinaryOperator::ShiftLeft, 8, 1}};
    case PlusPlus:
      return {{BinaryOperator::Concat, 9, 1}};
    case Plus:
      return {{BinaryOperator::Add, 9, 1}};
    case Minus:
      return {{BinaryOperator::Subtract, 9, 1}};
    case PlusSaturate:
      return {{BinaryOperator::AddSaturate, 9, 1}};
    case MinusSaturate:
      return {{BinaryOperator::SubtractSaturate, 9, 1}};
    case Star:
      return {{BinaryOperator::Multiply, 10, 1}};
    case Slash:
      return {{BinaryOperator::Divide, 10, 1}};
    case Percent:
      return {{BinaryOperator::Modulo, 10, 1}};
    default:
      return std::nullopt;
  }
}

// All binary operators are left associative.
ast::Expression* Parser::binary(int minimum) {
  std::size_t siblings = std::exchange(expression_depth_, 0);
  ast::Expression* left = unary();
  for (auto here = operator_here(); here && here->precedence >= minimum; here = operator_here()) {
    auto* node = ast_.make<ast::Binary>(left->span);
    node->op = here->op;
    node->operator_span = take().span;
    if (here->tokens == 2) node->operator_span = join(node->operator_span, take().span);
    node->left = left;
    node->right = binary(here->precedence + 1);
    deepen();
    left = finish(node);
  }
  expression_depth_ = std::max(siblings, expression_depth_);
  return left;
}

// unary: ("!" | "~" | "-" | "+") unary | "(" typeRef ")" unary | primary { postfix }
ast::Expression* Parser::unary() {
  Nesting nesting(*this);
  auto prefixed = [this](ast::UnaryOperator op) -> ast::Expression* {
    auto* node = start<ast::Unary>();
    take();
    node->op = op;
    node->operand = unary();
    deepen();
    return finish(node);
  };
  switch (kind()) {
    case Not:
      return prefixed(ast::UnaryOperator::Not);
    case Tilde:
      return prefixed(ast::UnaryOperator::Complement);
    case Minus:
      return prefixed(ast::UnaryOperator::Negate);
    case Plus:
      return prefixed(ast::UnaryOperator::Plus);
    default:
      break;
  }
  if (!at_cast()) return postfix(primary(), false);
  auto* node = start<ast::Cast>();
  Span open = take().span;
  bool outer = std::exchange(no_greater_, false);
  node->type = type();
  no_greater_ = outer;
  expect_closing(RightParenthesis, open);
  node->operand = unary();
  deepen();
  return finish(node);
}

bool Parser::at_cast() const {
  if (!at(LeftParenthesis)) return false;
  if (at_type_keyword(1)) return true;
  if (at_type_name(1)) {
    TokenKind behind = tokens_[behind_named_type(index_ + 1)].kind;
    return behind == RightParenthesis || behind == LeftBracket;
  }
  // `(unknown) x` can only be meant as a cast.
  return kind(1) == Identifier && kind(2) == RightParenthesis &&
         (kind(3) == Identifier || kind(3) == Integer);
}

ast::Expression* Parser::postfix(ast::Expression* object, bool is_statement) {
  while (true) {
    if (at(Dot)) {
      auto* member = ast_.make<ast::Member>(object->span);
      take();
      member->object = object;
      member->member = identifier("the name of a member");
      object = finish(member);
    } else if (at(LeftBracket)) {
      object = index_or_slice(object);
    } else if (at(LeftParenthesis)) {
      object = call(object, {});
    } else if (at(Less)) {
      bool starts_type = at_type_keyword(1) || kind(1) == Underscore || kind(1) == Void || at_type_name(1);
      std::optional<std::size_t> behind =
          starts_type || is_statement ? behind_type_arguments(index_) : std::nullopt;
      if (!behind || tokens_[*behind].kind != LeftParenthesis) return object;
      std::vector<ast::Type*> types = type_arguments();
      object = call(object, std::move(types));
    } else {
      return object;
    }
    deepen();
  }
}

// "[" e "]" | "[" e ":" e "]" | "[" e "+:" e "]"
ast::Expression* Parser::index_or_slice(ast::Expression* object) {
  Span open = take().span;
  bool outer = std::exchange(no_greater_, false);
  ast::Expression* first = expression();
  ast::Expression* result = nullptr;
  if (accept(Colon)) {
    auto* slice = ast_.make<ast::Slice>(object->span);
    slice->object = object;
    slice->high = first;
    slice->low = expression();
    result = slice;
  } else if (accept(PlusColon)) {
    auto* slice = ast_.make<ast::PlusSlice>(object->span);
    slice->object = object;
    slice->low = first;
    slice->width = expression();
    result = slice;
  } else {
    auto* index = ast_.make<ast::Index>(object->span);
    index->object = object;
    index->index = first;
    result = index;
  }
  no_greater_ = outer;
  expect_closing(RightBracket, open);
  return finish(result);
}

ast::Expression* Parser::call(ast::Expression* callee, std::vector<ast::Type*> type_arguments) {
  auto* node = ast_.make<ast::Call>(callee->span);
  node->callee = callee;
  node->type_arguments = std::move(type_arguments);
  node->arguments = arguments();
  return finish(node);
}

std::vector<ast::Argument> Parser::arguments() {
  std::vector<ast::Argument> result;
  Span open = peek().span;
  expect(LeftParenthesis);
  bool outer = std::exchange(no_greater_, false);
  comma_list(RightParenthesis, false, [&] { result.push_back(argument()); });
  no_greater_ = outer;
  expect_closing(RightParenthesis, open);
  return result;
}

// argument: [ name "=" ] (expression | "_")
ast::Argument Parser::argument() {
  ast::Argument result;
  result.span = peek().span;
  if (at_name() && kind(1) == Assign) {
    result.name = identifier();
    take();
  }
  if (!accept(Underscore)) result.value = expression();
  result.span = join(result.span, previous().span);
  return result;
}

ast::Expression* Parser::primary() {
  expression_depth_ = std::max<std::size_t>(expression_depth_, 1);
  auto simple = [this]<class T>(T* node) -> ast::Expression* {
    take();
    return node;
  };
  switch (kind()) {
    case Integer: {
      auto* node = start<ast::IntegerLiteral>();
      const Token& token = take();
      node->spelling = std::string(token.text);
      if (auto value = parse_integer_token(token, diagnostics_)) {
        node->value = value->value;
        node->width = value->width;
        node->is_signed = value->is_signed;
      }
      return node;
    }
    case String: {
      auto* node = start<ast::StringLiteral>();
      node->value = unescape(take().text);
      return node;
    }
    case True:
    case False: {
      auto* node = start<ast::BoolLiteral>();
      node->value = take().kind == True;
      return node;
    }
    case This:
      return simple(start<ast::This>());
    case Dots:
      return simple(start<ast::Dots>());
    case TokenKind::InvalidHeader:
      return simple(start<ast::InvalidHeader>());
    case LeftBrace:
      return braces();
    case LeftParenthesis:
      return parenthesized();
    default:
      break;
  }
  if (at_type_name() || at(Error)) return type_primary();
  if (at_name() || (at(Dot) && at_name(1))) return named_primary();
  fail(diag::kExpectedExpression, peek().span, describe(peek()));
}

ast::Expression* Parser::parenthesized() {
  Span open = take().span;
  bool outer = std::exchange(no_greater_, false);
  ast::Expression* result = expression();
  no_greater_ = outer;
  expect_closing(RightParenthesis, open);
  return result;
}

// [ "." ] name
ast::Expression* Parser::named_primary() {
  auto* node = start<ast::Name>();
  node->absolute = accept(Dot);
  node->name = identifier();
  return finish(node);
}

// namedType "(" arguments ")" | namedType "." ... | "error" "." name
ast::Expression* Parser::type_primary() {
  Span start_span = peek().span;
  ast::Type* named = at(Error) ? base_type() : named_type();
  if (at(LeftParenthesis) && !ast::isa<ast::ErrorType>(named)) {
    auto* node = ast_.make<ast::ConstructorCall>(start_span);
    node->type = named;
    node->arguments = arguments();
    deepen();
    return finish(node);
  }
  auto* node = ast_.make<ast::TypeName>(start_span);
  node->type = named;
  finish(node);
  if (!at(Dot)) report(diag::kNotAValue, node->span, previous().text);
  return node;
}

// "{" [ expression { "," expression } [ "," ] ] "}" | "{" name "=" expression { "," ... } [ "," "..." ] [ ","
// ] "}"
ast::Expression* Parser::braces() {
  Span open = peek().span;
  bool outer = std::exchange(no_greater_, false);
  ast::Expression* result = nullptr;
  if (is_name(kind(1)) && kind(2) == Assign) {
    auto* literal = start<ast::StructLiteral>();
    take();
    comma_list(RightBrace, true, [&] {
      if (accept(Dots)) {
        literal->has_dots = true;
        return;
      }
      ast::Identifier name = identifier("the name of a field");
      expect(Assign);
      literal->fields.emplace_back(std::move(name), expression());
    });
    result = literal;
  } else {
    auto* list = start<ast::List>();
    take();
    comma_list(RightBrace, true, [&] { list->elements.push_back(expression()); });
    result = list;
  }
  no_greater_ = outer;
  expect_closing(RightBrace, open);
  deepen();
  return finish(result);
}

}  // namespace perfpact::p4
