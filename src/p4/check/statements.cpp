#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {
constexpr unsigned kMaxStatementDepth = 1000;
}

bool Checker::check_statement(const ast::Statement& statement) {
  if (depth_ >= kMaxStatementDepth) {
    diagnostics_.report(diag::kNestedTooDeeply, statement.span);
    return true;
  }
  const Restore<unsigned> restore(depth_);
  ++depth_;
  using ast::NodeKind;
  switch (statement.kind) {
    case NodeKind::Assign:
      check_assign(*ast::cast<ast::Assign>(&statement));
      return true;
    case NodeKind::CallStatement:
      check_expression(*ast::cast<ast::CallStatement>(&statement)->call);
      return true;
    case NodeKind::If:
      return check_if(*ast::cast<ast::If>(&statement));
    case NodeKind::Block:
      return check_block(*ast::cast<ast::Block>(&statement));
    case NodeKind::Return:
      return check_return(*ast::cast<ast::Return>(&statement));
    case NodeKind::Exit:
      if (context_.place != Place::ControlBody && context_.place != Place::Action) {
        diagnostics_.report(diag::kMisplaced, statement.span, "'exit'", place_name());
      }
      return false;
    case NodeKind::Break:
      check_jump(statement, "'break'");
      return false;
    case NodeKind::Continue:
      check_jump(statement, "'continue'");
      return false;
    case NodeKind::Switch:
      return check_switch(*ast::cast<ast::Switch>(&statement));
    case NodeKind::For:
      return check_for(*ast::cast<ast::For>(&statement));
    case NodeKind::ForIn:
      return check_for_in(*ast::cast<ast::ForIn>(&statement));
    case NodeKind::DeclarationStatement:
      check_declaration(*ast::cast<ast::DeclarationStatement>(&statement)->declaration);
      return true;
    default:
      return true;
  }
}

void Checker::check_jump(const ast::Statement& statement, std::string_view name) {
  if (context_.loops == 0)
    diagnostics_.report(diag::kMisplaced, statement.span, name, "a place outside of loops");
}

bool Checker::check_block(const ast::Block& block) {
  NewScope scope(*this);
  return check_statements(block.statements);
}

bool Checker::check_body(const ast::Block& block) {
  return check_block(block);
}

bool Checker::check_statements(const std::vector<ast::Statement*>& statements) {
  bool reaches_end = true;
  for (const ast::Statement* statement : statements) reaches_end = check_statement(*statement) && reaches_end;
  return reaches_end;
}

void Checker::check_assign(const ast::Assign& assign) {
  const Type* left = check_expression(*assign.left);
  check_expression(*assign.right);
  if (left->is(TypeKind::Unknown) || !require_assignable(*assign.left)) return;
  if (assign.op) {
    check_compound(assign, left);
  } else {
    fit(*assign.right, left);
  }
}

void Checker::check_compound(const ast::Assign& assign, const Type* type) {
  const Type* right = state_.type(*assign.right);
  if (right->is(TypeKind::Unknown)) return;
  auto bad = [&] {
    diagnostics_.report(diag::kBadOperands, assign.span, fmt::format("{}=", ast::spelling(*assign.op)),
                        to_string(type), to_string(right));
  };
  if (!type->is(TypeKind::Bits)) return bad();
  switch (*assign.op) {
    case ast::BinaryOperator::ShiftLeft:
    case ast::BinaryOperator::ShiftRight: {
      const Type* amount = as_number(*assign.right, right);
      if (amount == nullptr || (amount->is(TypeKind::Bits) && amount->is_signed)) return bad();
      auto value = known_value(*assign.right);
      if (value && *value->integer() < 0) return bad();
      return;
    }
    case ast::BinaryOperator::Divide:
    case ast::BinaryOperator::Modulo: {
      if (type->is_signed) return bad();
      if (!fit(*assign.right, type)) return;
      auto value = known_value(*assign.right);
      if (value && *value->integer() == 0)
        diagnostics_.report(diag::kDivision, assign.right->span, "division by zero");
      return;
    }
    default:
      fit(*assign.right, type);
  }
}

bool Checker::check_if(const ast::If& statement) {
  bool reaches_end = false;
  for (const ast::If* current = &statement;;) {
    check_condition(*current->condition);
    {
      NewScope scope(*this);
      reaches_end = check_statement(*current->then_branch) || reaches_end;
    }
    if (current->else_branch == nullptr) return true;
    if (const auto* next = ast::dyn_cast<ast::If>(current->else_branch)) {
      current = next;
      continue;
    }
    NewScope scope(*this);
    return check_statement(*current->else_branch) || reaches_end;
  }
}

bool Checker::check_return(const ast::Return& statement) {
  if (statement.value != nullptr) check_expression(*statement.value);
  const Type* expected = context_.return_type;
  if (expected == nullptr) {
    diagnostics_.report(diag::kMisplaced, statement.span, "'return'", place_name());
  } else if (expected->is(TypeKind::Void)) {
    if (statement.value != nullptr && !state_.type(*statement.value)->is(TypeKind::Unknown)) {
      diagnostics_.report(diag::kBadReturn, statement.value->span,
                          "nothing is returned here, but a value is given");
    }
  } else if (statement.value == nullptr) {
    diagnostics_.report(diag::kBadReturn, statement.span,
                        fmt::format("a value of type '{}' must be returned", to_string(expected)));
  } else {
    fit(*statement.value, expected);
  }
  return false;
}

bool Checker::check_switch(const ast::Switch& statement) {
  if (context_.place == Place::State)
    diagnostics_.report(diag::kMisplaced, statement.span, "'switch'", place_name());
  const Type* type = check_expression(*statement.subject);
  const bool is_action_run = type->is(TypeKind::ActionRun);
  if (type->is(TypeKind::InfInt) || type->is(TypeKind::String) || (!is_action_run && !is_comparable(type))) {
    diagnostics_.report(diag::kBadLabel, statement.subject->span,
                        fmt::format("'{}' cannot be switched on", to_string(type)));
    type = unknown_;
  }
  std::unordered_set<const ast::Declaration*> actions;
  std::vector<Constant> values;
  const ast::SwitchCase* default_case = nullptr;
  bool reaches_end = false;
  for (const ast::SwitchCase* branch : statement.cases) {
    if (default_case != nullptr && !ast::isa<ast::DefaultKey>(branch->label)) {
      diagnostics_.report(diag::kBadLabel, branch->label->span, "a case after 'default' is never reached");
    }
    if (ast::isa<ast::DefaultKey>(branch->label)) {
      state_.set_type(*branch->label, type);
      if (default_case != nullptr) diagnostics_.report(diag::kDuplicateLabel, branch->label->span);
      default_case = branch;
    } else if (is_action_run) {
      check_action_label(*branch->label, *ast::cast<ast::Table>(type->declaration), actions);
    } else {
      check_value_label(*branch->label, type, values);
    }
    if (branch->body != nullptr) reaches_end = check_block(*branch->body) || reaches_end;
  }
  const bool ends_open = !statement.cases.empty() && statement.cases.back()->body == nullptr;
  return reaches_end || default_case == nullptr || ends_open;
}

void Checker::check_action_label(const ast::Expression& label, const ast::Table& table,
                                 std::unordered_set<const ast::Declaration*>& seen) {
  state_.set_type(label, unknown_);
  const auto* name = ast::dyn_cast<ast::Name>(&label);
  if (name == nullptr) {
    diagnostics_.report(diag::kBadLabel, label.span,
                        fmt::format("a label must be an action of table '{}'", table.name.text));
    return;
  }
  const TableInfo* info = program_.table(table);
  if (info == nullptr) return;
  std::vector<std::string> known;
  for (const TableInfo::Action& action : info->actions) {
    const ast::Action* declaration = action.reference.action;
    if (declaration == nullptr) return;
    known.push_back(declaration->name.text);
    if (declaration->name.text != name->name.text) continue;
    state_.set_target(*name, declaration);
    state_.set_type(label, types_.declared(TypeKind::Action, declaration));
    if (!seen.insert(declaration).second) diagnostics_.report(diag::kDuplicateLabel, label.span);
    return;
  }
  diagnostics_.report(diag::kBadLabel, label.span,
                      fmt::format("'{}' is no action of table '{}'{}", name->name.text, table.name.text,
                                  did_you_mean(name->name.text, known)));
  note_declaration(table);
}

void Checker::check_value_label(const ast::Expression& label, const Type* type, std::vector<Constant>& seen) {
  if (!check_fit(label, type)) return;
  auto value = known_value(label);
  if (!value) {
    if (!is_compile_time(label)) diagnostics_.report(diag::kNotKnown, label.span, "the label of a case");
    return;
  }
  if (std::ranges::any_of(seen, [&](const Constant& other) { return equal(other, *value); })) {
    diagnostics_.report(diag::kDuplicateLabel, label.span);
  }
  seen.push_back(std::move(*value));
}

bool Checker::check_for(const ast::For& statement) {
  NewScope scope(*this);
  for (const ast::Statement* part : statement.init) check_statement(*part);
  if (statement.condition != nullptr) check_condition(*statement.condition);
  for (const ast::Statement* part : statement.update) check_statement(*part);
  const Restore<Context> restore(context_);
  ++context_.loops;
  check_statement(*statement.body);
  return true;
}

bool Checker::check_for_in(const ast::ForIn& statement) {
  NewScope scope(*this);
  const Type* element = check_value_type(*statement.variable->type, "a variable");
  const ast::Expression& collection = *statement.collection;
  if (const auto* range = ast::dyn_cast<ast::Range>(&collection)) {
    check_fit(*range->low, element);
    check_fit(*range->high, element);
    state_.set_type(*range, types_.get({.kind = TypeKind::Set, .arguments = {element}}));
    if (!representation(element)->is(TypeKind::Bits) && !element->is(TypeKind::Unknown)) {
      diagnostics_.report(diag::kBadType, statement.variable->type->span, "the variable of a range",
                          to_string(element));
    }
  } else {
    const Type* type = check_expression(collection);
    const bool is_array = type->is(TypeKind::Stack) || type->is(TypeKind::List);
    if (is_array && type->arguments[0] != element && !element->is(TypeKind::Unknown)) {
      diagnostics_.report(diag::kTypeMismatch, statement.variable->type->span, to_string(type->arguments[0]),
                          to_string(element));
    } else if (!is_array) {
      fit(collection, types_.get({.kind = TypeKind::List, .arguments = {element}}));
    }
  }
  state_.set_type(*statement.variable, element);
  declare(*statement.variable);
  const Restore<Context> restore(context_);
  ++context_.loops;
  check_statement(*statement.body);
  return true;
}

}  // namespace perfpact::p4
