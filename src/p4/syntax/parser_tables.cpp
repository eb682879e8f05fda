// Tables, their properties, keysets.
#include "p4/syntax/parser_impl.h"

namespace perfpact::p4 {

using enum TokenKind;

ast::Table* Parser::table() {
  auto* node = start<ast::Table>();
  expect(Table);
  node->name = identifier("the name of the table");
  braced(Level::Members, [&] { table_property(*node); });
  return finish(node);
}

// "key" "=" "{" { keyElement } "}" | "actions" "=" "{" { action ";" } "}"
// | annotations [ "const" ] "entries" "=" "{" { entry } "}" | annotations [ "const" ] name "=" expression ";"
void Parser::table_property(ast::Table& table) {
  ast::Annotations found = annotations();
  Span start_span = peek().span;
  bool is_const = accept(Const);
  if ((at(Key) || at(Actions)) && (!found.empty() || is_const))
    report(diag::kAnnotationNotHere, found.empty() ? start_span : found.front()->span);
  TokenKind property = kind();
  ast::Identifier name = identifier("a table property");
  table.property_order.emplace_back(name.text, name.span);
  expect_after(Assign, fmt::format("the property '{}'", name.text));
  if (property == Key) {
    table.has_key = true;
    braced(Level::Statements, [&] { table.keys.push_back(key_element()); });
  } else if (property == Actions) {
    table.has_actions = true;
    braced(Level::Statements, [&] { table.actions.push_back(action_element()); });
  } else if (property == Entries) {
    table.has_entries = true;
    table.entries_are_const = is_const;
    table.entries_annotations = std::move(found);
    braced(Level::Statements, [&] { table.entries.push_back(table_entry()); });
  } else {
    auto* node = ast_.make<ast::TableProperty>(start_span);
    node->annotations = std::move(found);
    node->is_const = is_const;
    node->name = std::move(name);
    node->value = expression();
    expect_after(Semicolon, "the value of a table property");
    table.properties.push_back(finish(node));
  }
}

// expression ":" name annotations ";"
ast::KeyElement* Parser::key_element() {
  auto* node = start<ast::KeyElement>();
  node->expression = expression();
  expect_after(Colon, "the key field: its match kind is missing");
  node->match_kind = identifier("a match kind");
  node->annotations = annotations();
  expect_after(Semicolon, "the key field");
  return finish(node);
}

ast::ActionElement* Parser::action_element() {
  ast::Annotations found = annotations();
  ast::ActionElement* node = action_reference();
  node->annotations = std::move(found);
  expect_after(Semicolon, "the action");
  return finish(node);
}

// [ "." ] name [ "(" arguments ")" ]
ast::ActionElement* Parser::action_reference() {
  auto* node = start<ast::ActionElement>();
  node->action = start<ast::Name>();
  node->action->absolute = accept(Dot);
  node->action->name = identifier("the name of an action");
  finish(node->action);
  if (at(LeftParenthesis)) {
    node->has_arguments = true;
    node->arguments = arguments();
  }
  return finish(node);
}

// [ "const" ] [ "priority" "=" (number | "(" expression ")") ":" ] keyset ":" action annotations ";"
ast::TableEntry* Parser::table_entry() {
  auto* node = start<ast::TableEntry>();
  node->is_const = accept(Const);
  if (at(Priority) && kind(1) == Assign) {
    take();
    take();
    node->priority = primary();
    expect_after(Colon, "the priority");
  }
  node->keyset = keyset();
  expect_after(Colon, "the keys of the entry");
  node->action = action_reference();
  node->annotations = annotations();
  expect_after(Semicolon, "the entry");
  return finish(node);
}

// keyset: simpleKeyset | "(" simpleKeyset { "," simpleKeyset } ")"; `(expression)` alone is an expression.
ast::Expression* Parser::keyset() {
  std::optional<std::size_t> behind = at(LeftParenthesis) ? behind_brackets(index_) : std::nullopt;
  if (!behind || tokens_[*behind].kind != Colon) return simple_keyset();
  auto* node = start<ast::TupleKey>();
  Span open = take().span;
  comma_list(RightParenthesis, false, [&] { node->elements.push_back(simple_keyset()); });
  expect_closing(RightParenthesis, open);
  finish(node);
  if (node->elements.empty()) fail(diag::kExpectedExpression, previous().span, "')'");
  const ast::Expression* only = node->elements.front();
  bool is_tuple = node->elements.size() > 1 || ast::isa<ast::DefaultKey>(only) || ast::isa<ast::Mask>(only) ||
                  ast::isa<ast::Range>(only);
  return is_tuple ? node : node->elements.front();
}

// expression | expression "&&&" expression | expression ".." expression | "default" | "_"
ast::Expression* Parser::simple_keyset() {
  if (at(Default) || at(Underscore)) {
    auto* node = start<ast::DefaultKey>();
    take();
    return node;
  }
  ast::Expression* first = expression();
  if (accept(TokenKind::Mask)) {
    auto* node = ast_.make<ast::Mask>(first->span);
    node->value = first;
    node->mask = expression();
    return finish(node);
  }
  if (accept(TokenKind::Range)) {
    auto* node = ast_.make<ast::Range>(first->span);
    node->low = first;
    node->high = expression();
    return finish(node);
  }
  return first;
}

}  // namespace perfpact::p4
