// Statements.
#include "p4/syntax/parser_impl.h"

namespace perfpact::p4 {

using enum TokenKind;
using ast::BinaryOperator;

ast::Block* Parser::block(ast::Annotations annotations) {
  auto* node = start<ast::Block>();
  node->annotations = std::move(annotations);
  Scope scope(types_);
  braced(Level::Statements, [&] { node->statements.push_back(statement(true)); });
  return finish(node);
}

/// `declarations_allowed`: in a block, not as the branch of an `if` or the body of a loop.
ast::Statement* Parser::statement(bool declarations_allowed) {
  Nesting nesting(*this);
  ast::Annotations found = annotations();
  if (ast::Statement* result = keyword_statement(found)) return result;
  if (at(Const) || at_typed_declaration())
    return declaration_statement(std::move(found), declarations_allowed);
  if (!found.empty()) report(diag::kAnnotationNotHere, found.front()->span);
  ast::Statement* result = assignment_or_call();
  expect_after(Semicolon, ast::isa<ast::Assign>(result) ? "the assignment" : "the call");
  return finish(result);
}

/// The statement that the keyword or punctuation at the current token starts, or null.
ast::Statement* Parser::keyword_statement(ast::Annotations annotations) {
  auto simple = [this]<class T>(T* node) -> ast::Statement* {
    std::string keyword = describe(take());
    expect_after(Semicolon, keyword);
    return finish(node);
  };
  if (at(LeftBrace)) return block(std::move(annotations));
  if (at(For)) return for_statement(std::move(annotations));
  switch (kind()) {
    case Semicolon:
    case If:
    case Switch:
    case Return:
    case Exit:
    case Break:
    case Continue:
      if (!annotations.empty()) report(diag::kAnnotationNotHere, annotations.front()->span);
      break;
    default:
      return nullptr;
  }
  switch (kind()) {
    case If:
      return if_statement();
    case Switch:
      return switch_statement();
    case Exit:
      return simple(start<ast::Exit>());
    case Break:
      return simple(start<ast::Break>());
    case Continue:
      return simple(start<ast::Continue>());
    case Return: {
      auto* node = start<ast::Return>();
      take();
      if (!at(Semicolon)) node->value = expression();
      expect_after(Semicolon, "the return statement");
      return finish(node);
    }
    default: {
      auto* node = start<ast::Empty>();
      expect(Semicolon);
      return node;
    }
  }
}

ast::Statement* Parser::declaration_statement(ast::Annotations annotations, bool allowed) {
  auto* node = start<ast::DeclarationStatement>();
  if (!allowed) report(diag::kDeclarationNotHere, peek().span);
  node->declaration = at(Const) ? static_cast<ast::Declaration*>(constant()) : variable_or_instance();
  node->declaration->annotations = std::move(annotations);
  return finish(node);
}

std::optional<BinaryOperator> Parser::accept_assignment(bool& accepted) {
  accepted = true;
  if (accept(Assign)) return std::nullopt;
  if (accept(PlusAssign)) return BinaryOperator::Add;
  if (accept(MinusAssign)) return BinaryOperator::Subtract;
  if (accept(StarAssign)) return BinaryOperator::Multiply;
  if (accept(SlashAssign)) return BinaryOperator::Divide;
  if (accept(PercentAssign)) return BinaryOperator::Modulo;
  if (accept(AndAssign)) return BinaryOperator::BitAnd;
  if (accept(OrAssign)) return BinaryOperator::BitOr;
  if (accept(XorAssign)) return BinaryOperator::BitXor;
  if (accept(ShiftLeftAssign)) return BinaryOperator::ShiftLeft;
  if (accept(PlusSaturateAssign)) return BinaryOperator::AddSaturate;
  if (accept(MinusSaturateAssign)) return BinaryOperator::SubtractSaturate;
  if (at(Greater) && peek().joined && kind(1) == GreaterEqual) {
    take();
    take();
    return BinaryOperator::ShiftRight;
  }
  accepted = false;
  return std::nullopt;
}

// lvalue "=" expression | lvalue op "=" expression | lvalue [ typeArguments ] "(" arguments ")"; without the
// ";"
ast::Statement* Parser::assignment_or_call() {
  bool starts_lvalue = at_name() || at(Dot) || at(This) || at(LeftParenthesis);
  if (!starts_lvalue) fail(diag::kExpectedStatement, peek().span, describe(peek()), "");
  expression_depth_ = 0;
  ast::Expression* left = postfix(primary(), true);
  bool is_assignment = false;
  std::optional<BinaryOperator> op = accept_assignment(is_assignment);
  if (is_assignment) {
    auto* node = ast_.make<ast::Assign>(left->span);
    node->op = op;
    node->left = left;
    node->right = expression();
    finish(node);
    return node;
  }
  auto* called = ast::dyn_cast<ast::Call>(left);
  if (called == nullptr) {
    if (operator_here()) fail(diag::kNotAStatement, left->span);
    report(diag::kNotAStatement, left->span);
    accept(Semicolon);
    throw Abandon{};
  }
  auto* node = ast_.make<ast::CallStatement>(left->span);
  node->call = called;
  return node;
}

// "if" "(" expression ")" statement [ "else" statement ]
ast::If* Parser::if_statement() {
  auto* node = start<ast::If>();
  take();
  Span open = peek().span;
  expect(LeftParenthesis);
  node->condition = expression();
  expect_closing(RightParenthesis, open);
  node->then_branch = statement(false);
  if (accept(Else)) node->else_branch = statement(false);
  return finish(node);
}

// "switch" "(" expression ")" "{" { label ":" [ block ] } "}"
ast::Switch* Parser::switch_statement() {
  auto* node = start<ast::Switch>();
  take();
  Span open = peek().span;
  expect(LeftParenthesis);
  node->subject = expression();
  expect_closing(RightParenthesis, open);
  braced(Level::Statements, [&] {
    auto* label = start<ast::SwitchCase>();
    if (at(Default)) {
      label->label = start<ast::DefaultKey>();
      take();
    } else {
      label->label = expression();
    }
    expect_after(Colon, "the label");
    if (at(LeftBrace) || at(At) || at(Pragma)) label->body = block(annotations());
    node->cases.push_back(finish(label));
  });
  return finish(node);
}

// "for" "(" clauses ";" expression ";" clauses ")" statement
// | "for" "(" annotations typeRef name "in" (expression | expression ".." expression) ")" statement
ast::Statement* Parser::for_statement(ast::Annotations annotations_of_loop) {
  Span start_span = take().span;
  Scope scope(types_);
  Span open = peek().span;
  expect(LeftParenthesis);
  std::vector<ast::Statement*> init;
  ast::Annotations found = annotations();
  if (at_typed_declaration()) {
    auto* first = start<ast::DeclarationStatement>();
    Span variable_start = peek().span;
    ast::Variable* declared = variable(type(), variable_start);
    declared->annotations = std::move(found);
    if (at(In)) return for_in(std::move(annotations_of_loop), declared, start_span);
    first->declaration = declared;
    init.push_back(finish(first));
    if (!at(Semicolon)) expect(Comma);
  }
  auto* node = ast_.make<ast::For>(start_span);
  node->annotations = std::move(annotations_of_loop);
  node->init = for_clauses(Semicolon, std::move(init));
  expect_after(Semicolon, "the start of the loop");
  node->condition = expression();
  expect_after(Semicolon, "the condition of the loop");
  node->update = for_clauses(RightParenthesis, {});
  expect_closing(RightParenthesis, open);
  node->body = statement(false);
  return finish(node);
}

ast::Statement* Parser::for_in(ast::Annotations annotations, ast::Variable* variable, const Span& start) {
  auto* node = ast_.make<ast::ForIn>(start);
  node->annotations = std::move(annotations);
  node->variable = variable;
  expect(In);
  node->collection = expression();
  if (accept(TokenKind::Range)) {
    auto* range = ast_.make<ast::Range>(node->collection->span);
    range->low = node->collection;
    range->high = expression();
    node->collection = finish(range);
  }
  expect_after(RightParenthesis, "the collection of the loop");
  node->body = statement(false);
  return finish(node);
}

/// Declarations, assignments and calls between commas.
std::vector<ast::Statement*> Parser::for_clauses(TokenKind closes, std::vector<ast::Statement*> clauses) {
  comma_list(closes, false, [&] {
    ast::Annotations found = annotations();
    if (at_typed_declaration()) {
      auto* node = start<ast::DeclarationStatement>();
      Span variable_start = peek().span;
      node->declaration = variable(type(), variable_start);
      node->declaration->annotations = std::move(found);
      clauses.push_back(finish(node));
    } else {
      clauses.push_back(assignment_or_call());
    }
  });
  return clauses;
}

}  // namespace perfpact::p4
