// Statements.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {

using program::EventKind;

void Lowering::lower(const ast::Statement& statement) {
  if (context_.terminated) return;  // behind a return or exit
  switch (statement.kind) {
    case ast::NodeKind::Assign:
      lower_assign(*ast::cast<ast::Assign>(&statement));
      break;
    case ast::NodeKind::CallStatement:
      lower_call(*ast::cast<ast::CallStatement>(&statement)->call);
      break;
    case ast::NodeKind::If:
      lower_if(*ast::cast<ast::If>(&statement));
      break;
    case ast::NodeKind::Block:
      lower_block(*ast::cast<ast::Block>(&statement));
      break;
    case ast::NodeKind::Empty:
      break;
    case ast::NodeKind::Return:
      lower_return(*ast::cast<ast::Return>(&statement));
      break;
    case ast::NodeKind::Exit:
      lower_exit(statement.span);
      break;
    case ast::NodeKind::Break:
      jump(statement.span, context_.loops.back().break_to);
      break;
    case ast::NodeKind::Continue:
      jump(statement.span, context_.loops.back().continue_to);
      break;
    case ast::NodeKind::Switch:
      lower_switch(*ast::cast<ast::Switch>(&statement));
      break;
    case ast::NodeKind::For:
      lower_for(*ast::cast<ast::For>(&statement));
      break;
    case ast::NodeKind::ForIn:
      lower_for_in(*ast::cast<ast::ForIn>(&statement));
      break;
    case ast::NodeKind::DeclarationStatement:
      lower_declaration(*ast::cast<ast::DeclarationStatement>(&statement)->declaration);
      break;
    default:
      unsupported(statement.span, "this statement");
  }
}

void Lowering::lower_block(const ast::Block& block) {
  for (const ast::Statement* statement : block.statements) lower(*statement);
}

void Lowering::lower_assign(const ast::Assign& assign) {
  LValue target = lvalue(*assign.left);
  Value value;
  if (assign.op) {
    Value old = read(assign.left->span, target);
    if (!is_pure(*assign.right)) old = snapshot(assign.left->span, old);
    Value right = evaluate(*assign.right);
    event(assign.span, EventKind::Compute, {std::string(spelling(*assign.op))}, {number(old.scalar.width)});
    value.type = old.type;
    value.scalar = binary_operation(assign.span, *assign.op, old, right, old.type);
  } else {
    value = evaluate(*assign.right);
    if (ast::isa<ast::List>(assign.right) || ast::isa<ast::StructLiteral>(assign.right))
      value = snapshot(assign.span, value);
  }
  value = convert(assign.span, value, target.type);
  event(assign.span, EventKind::Assign, {}, {number(data_bits(typed_.types(), value.type))});
  write(assign.span, target, value);
}

void Lowering::lower_if(const ast::If& statement) {
  Operand condition = scalar(*statement.condition);
  if (condition.is_constant) {
    if (condition.value != 0)
      lower(*statement.then_branch);
    else if (statement.else_branch != nullptr)
      lower(*statement.else_branch);
    return;
  }
  BlockId then_block = new_block();
  BlockId else_block = statement.else_branch != nullptr ? new_block() : BlockId{};
  BlockId after = new_block();
  if (statement.else_branch == nullptr) else_block = after;
  branch(statement.span, condition, then_block, else_block, true);
  enter(then_block);
  lower(*statement.then_branch);
  jump(statement.span, after);
  if (statement.else_branch != nullptr) {
    enter(else_block);
    lower(*statement.else_branch);
    jump(statement.span, after);
  }
  enter(after);
}

void Lowering::lower_switch(const ast::Switch& statement) {
  const TableInstance* table = nullptr;
  Select select;
  if (const auto* member = ast::dyn_cast<ast::Member>(statement.subject);
      member != nullptr && typed_.type_of(*member)->is(TypeKind::ActionRun)) {
    const CallTarget* apply = typed_.call(*member->object);
    if (apply == nullptr || apply->kind != CallKind::TableApply) {
      unsupported(statement.subject->span, "action_run of anything but a table's apply()");
      return;
    }
    table = &apply_table(*ast::cast<ast::Table>(apply->declaration), member->object->span);
    select.operands = {of(table->action)};
  } else {
    select.operands = {snapshot(statement.span, evaluate(*statement.subject)).scalar};
    select.is_decision = !select.operands.front().is_constant;
    if (select.is_decision) select.decision = new_decision();
  }

  BlockId after = new_block();
  select.default_block = after;
  std::vector<std::pair<BlockId, const ast::Block*>> bodies;
  std::vector<const ast::Expression*> labels;  // of the cases without a body so far
  for (const ast::SwitchCase* one : statement.cases) {
    labels.push_back(one->label);
    if (one->body == nullptr) continue;
    BlockId body = new_block();
    bodies.emplace_back(body, one->body);
    for (const ast::Expression* label : labels) {
      if (ast::isa<ast::DefaultKey>(label)) {
        select.default_block = body;
      } else if (table != nullptr) {
        const ast::Declaration* action = typed_.target(*label);
        for (std::size_t i = 0; i < table->info->actions.size(); ++i)
          if (table->info->actions[i].reference.action == action)
            select.cases.push_back({{{false, Integer(i), all_ones(32)}}, body});
      } else {
        select.cases.push_back({{pattern_of(*label, select.operands.front().width)}, body});
      }
    }
    labels.clear();
  }
  // The default comes last whatever its place: a case that matches wins.
  terminate(statement.span, select);
  for (const auto& [block, body] : bodies) {
    enter(block);
    lower_block(*body);
    jump(statement.span, after);
  }
  enter(after);
}

void Lowering::lower_return(const ast::Return& statement) {
  if (statement.value != nullptr) {
    Value value = evaluate(*statement.value);
    if (context_.result)
      copy(statement.span, *context_.result, convert(statement.span, value, context_.result->type));
  }
  jump(statement.span, context_.epilogue);
}

void Lowering::lower_exit(const Span& at) {
  assign(at, exited_, Operand::constant(1, 1));
  context_.may_exit = true;
  jump(at, context_.epilogue);
}

void Lowering::follow_exit(const Span& at) {
  context_.may_exit = true;
  BlockId after = new_block();
  branch(at, of(exited_), context_.epilogue, after, false);
  enter(after);
}

void Lowering::lower_for(const ast::For& statement) {
  for (const ast::Statement* init : statement.init) lower(*init);
  BlockId head = new_block();
  BlockId body = new_block();
  BlockId update = new_block();
  BlockId after = new_block();
  jump(statement.span, head);
  enter(head);
  branch(statement.span, scalar(*statement.condition), body, after, true);
  enter(body);
  context_.loops.push_back({after, update});
  lower(*statement.body);
  context_.loops.pop_back();
  jump(statement.span, update);
  enter(update);
  for (const ast::Statement* step : statement.update) lower(*step);
  jump(statement.span, head);
  enter(after);
}

void Lowering::lower_for_in(const ast::ForIn& statement) {
  const Span& at = statement.span;
  const Type* type = resolve(typed_.type_of(*static_cast<const ast::Declaration*>(statement.variable)));
  BlockId after = new_block();
  if (const auto* range = ast::dyn_cast<ast::Range>(statement.collection)) {
    Value low = snapshot(at, convert(at, evaluate(*range->low), type));
    Value high = snapshot(at, convert(at, evaluate(*range->high), type));
    Value variable = make_place(type, context_.frame->prefix + statement.variable->name.text);
    context_.frame->bindings[statement.variable] = variable;
    BlockId head = new_block();
    BlockId body = new_block();
    BlockId next = new_block();
    BlockId step = new_block();
    copy(at, variable, low);
    jump(at, head);
    enter(head);
    const Op less_equal = core::is_signed(type) ? Op::LessEqualSigned : Op::LessEqual;
    branch(at, compute(at, less_equal, 1, {variable.scalar, high.scalar}), body, after, true);
    enter(body);
    context_.loops.push_back({after, next});
    lower(*statement.body);
    context_.loops.pop_back();
    jump(at, next);
    enter(next);
    // The last value may be the largest of its width.
    branch(at, compute(at, Op::Equal, 1, {variable.scalar, high.scalar}), after, step, false);
    enter(step);
    emit(at,
         Compute{
             Op::Add, variable.scalar.slot, {variable.scalar, Operand::constant(variable.scalar.width, 1)}});
    jump(at, head);
    enter(after);
    return;
  }
  Value collection = snapshot(at, evaluate(*statement.collection));
  Value variable = make_place(type, context_.frame->prefix + statement.variable->name.text);
  context_.frame->bindings[statement.variable] = variable;
  for (const Value& element : collection.parts) {
    BlockId next = new_block();
    copy(at, variable, convert(at, element, type));
    context_.loops.push_back({after, next});
    lower(*statement.body);
    context_.loops.pop_back();
    jump(at, next);
    enter(next);
  }
  jump(at, after);
  enter(after);
}

void Lowering::lower_declaration(const ast::Declaration& declaration) {
  Frame& frame = *context_.frame;
  if (const auto* variable = ast::dyn_cast<ast::Variable>(&declaration)) {
    const Type* type = resolve(typed_.type_of(declaration));
    std::optional<Value> initial;
    if (variable->initializer != nullptr)
      initial = convert(variable->span, snapshot(variable->span, evaluate(*variable->initializer)), type);
    auto known = frame.bindings.find(&declaration);
    if (known == frame.bindings.end())
      known =
          frame.bindings.emplace(&declaration, make_place(type, frame.prefix + declaration.name.text)).first;
    const Value place = std::get<Value>(known->second);
    if (initial) {
      event(variable->span, EventKind::Assign, {}, {number(data_bits(typed_.types(), type))});
      copy(variable->span, place, *initial);
    } else {
      initialize_out(variable->span, place);
    }
  } else if (const auto* constant_declaration = ast::dyn_cast<ast::Constant>(&declaration)) {
    if (auto known = constant(*constant_declaration->value))
      frame.bindings[&declaration] = *known;
    else
      diagnostics_.report(diag::kNotConstant, constant_declaration->value->span, "the value of a constant");
  } else if (const auto* instance = ast::dyn_cast<ast::Instance>(&declaration)) {
    if (!frame.bindings.contains(&declaration)) {
      const CallTarget* target = typed_.call(*instance);
      PERFPACT_CHECK(target != nullptr, "instance {} without its constructor", declaration.name.text);
      frame.bindings[&declaration] =
          make_instance(*target, control_plane_name(declaration), declaration.span);
    }
  } else if (ast::isa<ast::ValueSet>(&declaration)) {
    // Looked up by select; empty unless the control plane fills it.
  }
}

}  // namespace perfpact::p4::core
