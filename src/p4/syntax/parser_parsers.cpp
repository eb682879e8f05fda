// Parsers with their states, and controls.
#include "p4/syntax/parser_impl.h"

namespace perfpact::p4 {

using enum TokenKind;

Parser::Head Parser::head() {
  Head result;
  result.start = peek().span;
  TokenKind keyword = take().kind;
  result.name = identifier(fmt::format("the name of the {}", spelling(keyword)));
  result.type_parameters = type_parameters();
  result.parameters = parameters();
  return result;
}

// head ";" | head [ "(" parameters ")" ] "{" { local } state { state } "}"
ast::Declaration* Parser::parser_declaration() {
  if (at_name(1)) types_.declare_type(std::string(peek(1).text));
  Scope scope(types_);
  Head parts = head();
  auto fill = [&]<class T>(T* node) {
    node->name = std::move(parts.name);
    node->type_parameters = std::move(parts.type_parameters);
    node->parameters = std::move(parts.parameters);
    return node;
  };
  if (accept(Semicolon)) return finish(fill(ast_.make<ast::ParserType>(parts.start)));
  auto* node = fill(ast_.make<ast::Parser>(parts.start));
  if (at(LeftParenthesis)) node->constructor_parameters = parameters();
  braced(Level::Members, [&] { parser_local(*node); });
  if (node->states.empty() && errors_ == 0) report(diag::kNoStates, node->name.span, node->name.text);
  return finish(node);
}

void Parser::parser_local(ast::Parser& parser) {
  ast::Annotations found = annotations();
  if (!at(State) && !parser.states.empty()) correct_keyword("a state", {State});
  ast::Declaration* local = nullptr;
  if (at(State) && at_name(1)) {
    local = parser.states.emplace_back(state());
  } else if (!parser.states.empty()) {
    fail(diag::kExpectedDeclaration, peek().span, "a state (other declarations come before the states)",
         describe(peek()), "");
  } else if (at(Const)) {
    local = parser.locals.emplace_back(constant());
  } else if (at(ValueSet)) {
    local = parser.locals.emplace_back(value_set());
  } else if (at_typed_declaration()) {
    if (kind(2) == LeftBrace && correct_keyword("a state", {State}))
      local = parser.states.emplace_back(state());
    else
      local = parser.locals.emplace_back(variable_or_instance());
  } else {
    fail(diag::kExpectedDeclaration, peek().span, "a state or a declaration", describe(peek()), "");
  }
  local->annotations = std::move(found);
}

// "value_set" "<" type ">" "(" expression ")" name ";"
ast::ValueSet* Parser::value_set() {
  auto* node = start<ast::ValueSet>();
  expect(ValueSet);
  expect(Less);
  node->element = type();
  expect_closing_angle();
  Span open = peek().span;
  expect(LeftParenthesis);
  node->size = expression();
  expect_closing(RightParenthesis, open);
  node->name = identifier("the name of the value set");
  expect_after(Semicolon, "the value set");
  types_.declare_value(node->name.text);
  return finish(node);
}

// "state" name "{" { statement } [ transition ] "}"
ast::State* Parser::state() {
  auto* node = start<ast::State>();
  expect(State);
  node->name = identifier("the name of the state");
  Scope scope(types_);
  braced(Level::Statements, [&] {
    if (node->has_transition)
      fail(diag::kExpectedToken, peek().span, "'}' after the transition", describe(peek()));
    if (at(Transition)) return transition(*node);
    switch (kind()) {
      case Return:
      case Exit:
      case Switch:
      case For:
      case Break:
      case Continue:
        report(diag::kStatementNotInState, peek().span, describe(peek()));
        break;
      default:
        break;
    }
    node->statements.push_back(statement(true));
  });
  return finish(node);
}

// "transition" name ";" | "transition" "select" "(" expressions ")" "{" { selectCase } "}"
void Parser::transition(ast::State& state) {
  state.transition_span = take().span;
  state.has_transition = true;
  if (accept(Select)) {
    state.is_select = true;
    Span open = peek().span;
    expect(LeftParenthesis);
    comma_list(RightParenthesis, false, [&] { state.select_arguments.push_back(expression()); });
    expect_closing(RightParenthesis, open);
    braced(Level::Statements, [&] { state.cases.push_back(select_case()); });
  } else {
    state.next_state = identifier("the name of a state or 'select'");
    expect_after(Semicolon, "the transition");
  }
  state.transition_span = join(state.transition_span, previous().span);
}

// keyset ":" name ";"
ast::SelectCase* Parser::select_case() {
  auto* node = start<ast::SelectCase>();
  node->keyset = keyset();
  expect(Colon);
  node->state = identifier("the name of a state");
  expect_after(Semicolon, "the case");
  return finish(node);
}

// head ";" | head [ "(" parameters ")" ] "{" { local } "apply" block "}"
ast::Declaration* Parser::control_declaration() {
  if (at_name(1)) types_.declare_type(std::string(peek(1).text));
  Scope scope(types_);
  Head parts = head();
  auto fill = [&]<class T>(T* node) {
    node->name = std::move(parts.name);
    node->type_parameters = std::move(parts.type_parameters);
    node->parameters = std::move(parts.parameters);
    return node;
  };
  if (accept(Semicolon)) return finish(fill(ast_.make<ast::ControlType>(parts.start)));
  auto* node = fill(ast_.make<ast::Control>(parts.start));
  if (at(LeftParenthesis)) node->constructor_parameters = parameters();
  braced(Level::Members, [&] { control_local(*node); });
  if (node->body == nullptr && errors_ == 0) report(diag::kMissingApply, node->name.span, node->name.text);
  return finish(node);
}

// constant | action | table | instance | variable | "apply" block
void Parser::control_local(ast::Control& control) {
  static const std::vector<TokenKind> kKeywords = {Action, Apply, Const, Table};
  if (control.body != nullptr)
    fail(diag::kExpectedToken, peek().span, "'}' after the apply block", describe(peek()));
  ast::Annotations found = annotations();
  bool is_keyword_form =
      kind(1) == LeftBrace || (at_name(1) && (kind(2) == LeftBrace || kind(2) == LeftParenthesis));
  if (is_keyword_form) correct_keyword("a declaration or 'apply'", kKeywords);
  if (at(Apply) && kind(1) != Semicolon) {
    if (!found.empty()) report(diag::kAnnotationNotHere, found.front()->span);
    take();
    control.body = block(annotations());
    return;
  }
  ast::Declaration* local = nullptr;
  if (at(Action))
    local = action();
  else if (at(Table))
    local = table();
  else if (at(Const))
    local = constant();
  else if (at_typed_declaration())
    local = variable_or_instance();
  else
    fail(diag::kExpectedDeclaration, peek().span, "a declaration or 'apply'", describe(peek()), "");
  local->annotations = std::move(found);
  control.locals.push_back(local);
}

}  // namespace perfpact::p4
