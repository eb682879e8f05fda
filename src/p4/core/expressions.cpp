// Expressions to values: names, members, elements, slices, literals, conditionals. Operators are in
// operators.cpp, calls in calls.cpp.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {
namespace {

/// The name at the root of `a.b[i].c`; null when the root is no name.
const ast::Name* root_name(const ast::Expression& expression) {
  const ast::Expression* at = &expression;
  while (true) {
    if (const auto* member = ast::dyn_cast<ast::Member>(at))
      at = member->object;
    else if (const auto* element = ast::dyn_cast<ast::Index>(at))
      at = element->object;
    else
      return ast::dyn_cast<ast::Name>(at);
  }
}

/// Whether `holds` is true of the expression and all its parts.
template <class F>
bool all_of(const ast::Expression& e, const F& holds) {
  if (!holds(e)) return false;
  const auto part = [&](const ast::Expression* p) { return p == nullptr || all_of(*p, holds); };
  const auto parts = [&](std::initializer_list<const ast::Expression*> list) {
    return std::all_of(list.begin(), list.end(), part);
  };
  if (const auto* x = ast::dyn_cast<ast::Member>(&e)) return part(x->object);
  if (const auto* x = ast::dyn_cast<ast::Index>(&e)) return parts({x->object, x->index});
  if (const auto* x = ast::dyn_cast<ast::Slice>(&e)) return part(x->object);
  if (const auto* x = ast::dyn_cast<ast::PlusSlice>(&e)) return part(x->object);
  if (const auto* x = ast::dyn_cast<ast::Unary>(&e)) return part(x->operand);
  if (const auto* x = ast::dyn_cast<ast::Binary>(&e)) return parts({x->left, x->right});
  if (const auto* x = ast::dyn_cast<ast::Conditional>(&e))
    return parts({x->condition, x->then_value, x->else_value});
  if (const auto* x = ast::dyn_cast<ast::Cast>(&e)) return part(x->operand);
  if (const auto* x = ast::dyn_cast<ast::List>(&e))
    return std::all_of(x->elements.begin(), x->elements.end(), part);
  if (const auto* x = ast::dyn_cast<ast::StructLiteral>(&e))
    return std::all_of(x->fields.begin(), x->fields.end(), [&](const auto& f) { return part(f.second); });
  if (const auto* x = ast::dyn_cast<ast::Call>(&e)) {
    const auto* callee = ast::dyn_cast<ast::Member>(x->callee);
    return (callee == nullptr || part(callee->object)) &&
           std::all_of(x->arguments.begin(), x->arguments.end(),
                       [&](const auto& a) { return part(a.value); });
  }
  return true;
}

bool is_query(const ast::Expression& e) {
  const auto* call = ast::dyn_cast<ast::Call>(&e);
  if (call == nullptr) return true;
  const auto* callee = ast::dyn_cast<ast::Member>(call->callee);
  return callee != nullptr && call->arguments.empty() && callee->member.text == "isValid";
}

}  // namespace

const Type* Lowering::resolve(const Type* type) {
  return context_.frame == nullptr ? type : typed_.types().substitute(type, context_.frame->types);
}

std::optional<Constant> Lowering::constant(const ast::Expression& expression) {
  EvaluationContext context;
  context.lookup = [this](const ast::Declaration& declaration) -> const Constant* {
    Binding* binding = find_binding(declaration);
    return binding == nullptr ? nullptr : std::get_if<Constant>(binding);
  };
  context.substitution = context_.frame == nullptr ? nullptr : &context_.frame->types;
  return p4::evaluate(typed_, expression, context);
}

std::optional<std::uint64_t> Lowering::constant_u64(const ast::Expression& expression) {
  auto value = constant(expression);
  if (!value || value->integer() == nullptr || *value->integer() < 0 || *value->integer() > all_ones(64))
    return std::nullopt;
  return value->integer()->convert_to<std::uint64_t>();
}

bool Lowering::is_pure(const ast::Expression& expression) {
  return all_of(expression, is_query);
}

bool Lowering::is_silent(const ast::Expression& expression) {
  return all_of(expression, [](const ast::Expression& e) {
    if (const auto* member = ast::dyn_cast<ast::Member>(&e))
      return member->member.text != "next" && member->member.text != "last";
    return is_query(e) && !ast::isa<ast::Unary>(&e) && !ast::isa<ast::Binary>(&e) &&
           !ast::isa<ast::Conditional>(&e);
  });
}

Value Lowering::evaluate(const ast::Expression& expression) {
  const Type* cast = typed_.cast_of(expression);
  if (auto known = constant(expression))
    return constant_value(*known, typed_.final_type_of(expression), expression.span);
  if (cast != nullptr) {
    cast = resolve(cast);
    if (ast::isa<ast::List>(&expression) || ast::isa<ast::StructLiteral>(&expression))
      return evaluate_list(expression, cast);
    if (ast::isa<ast::InvalidHeader>(&expression) || ast::isa<ast::Dots>(&expression))
      return zero_value(cast);
    return convert(expression.span, evaluate_raw(expression), cast);
  }
  return evaluate_raw(expression);
}

Value Lowering::evaluate_raw(const ast::Expression& expression) {
  if (const auto* e = ast::dyn_cast<ast::Name>(&expression)) return evaluate_name(*e);
  if (const auto* e = ast::dyn_cast<ast::Member>(&expression)) return evaluate_member(*e);
  if (const auto* e = ast::dyn_cast<ast::Index>(&expression)) return evaluate_index(*e);
  if (const auto* e = ast::dyn_cast<ast::Unary>(&expression)) return evaluate_unary(*e);
  if (const auto* e = ast::dyn_cast<ast::Binary>(&expression)) return evaluate_binary(*e);
  if (const auto* e = ast::dyn_cast<ast::Conditional>(&expression)) return evaluate_conditional(*e);
  if (const auto* e = ast::dyn_cast<ast::Call>(&expression)) return lower_call(*e);
  if (const auto* e = ast::dyn_cast<ast::Cast>(&expression)) {
    const Type* to = resolve(typed_.denoted(*e->type));
    if (ast::isa<ast::InvalidHeader>(e->operand)) return zero_value(to);
    const bool literal = ast::isa<ast::List>(e->operand) || ast::isa<ast::StructLiteral>(e->operand);
    if (literal && typed_.cast_of(*e->operand) == nullptr) return evaluate_list(*e->operand, to);
    return convert(e->span, evaluate(*e->operand), to);
  }
  if (const auto* e = ast::dyn_cast<ast::Slice>(&expression)) {
    auto high = constant_u64(*e->high);
    auto low = constant_u64(*e->low);
    if (high && low)
      return evaluate_slice(*e->object, static_cast<std::uint32_t>(*high), static_cast<std::uint32_t>(*low),
                            *e);
    diagnostics_.report(diag::kNotConstant, e->span, "the bounds of a slice");
    return zero_value(type_of(expression));
  }
  if (const auto* e = ast::dyn_cast<ast::PlusSlice>(&expression)) {
    auto low = constant_u64(*e->low);
    auto width = constant_u64(*e->width);
    if (low && width)
      return evaluate_slice(*e->object, static_cast<std::uint32_t>(*low + *width - 1),
                            static_cast<std::uint32_t>(*low), *e);
    unsupported(e->span, "a slice whose lower bound is not known at compile time");
    return zero_value(type_of(expression));
  }
  if (ast::isa<ast::List>(&expression) || ast::isa<ast::StructLiteral>(&expression))
    return evaluate_list(expression, type_of(expression));
  unsupported(expression.span, "this expression");
  return zero_value(type_of(expression));
}

Value Lowering::evaluate_name(const ast::Name& name) {
  const ast::Declaration* target = typed_.target(name);
  Binding* binding = target == nullptr ? nullptr : find_binding(*target);
  if (binding != nullptr) {
    if (const auto* value = std::get_if<Value>(binding)) return *value;
    if (const auto* known = std::get_if<Constant>(binding))
      return constant_value(*known, typed_.type_of(*target), name.span);
    Value value;
    value.type = type_of(name);
    return value;
  }
  unsupported(name.span, fmt::format("'{}' as a value", name.name.text));
  return zero_value(type_of(name));
}

Value Lowering::evaluate_member(const ast::Member& member) {
  const Type* object_type = representation(type_of(*member.object));
  const std::string& name = member.member.text;
  if (object_type->is(TypeKind::ApplyResult)) {
    const CallTarget* target = typed_.call(*member.object);
    PERFPACT_CHECK(target != nullptr, "an apply result that is no call");
    TableInstance& table = apply_table(*ast::cast<ast::Table>(target->declaration), member.object->span);
    Value value;
    value.type = type_of(member);
    if (name == "hit")
      value.scalar = of(table.hit);
    else if (name == "miss")
      value.scalar = bool_not(member.span, of(table.hit));
    else
      unsupported(member.span, "action_run outside the head of a switch");
    return value;
  }
  if (object_type->is(TypeKind::Stack) && (name == "size" || name == "lastIndex")) {
    Value value;
    value.type = type_of(member);
    if (name == "size") {
      value.scalar = Operand::constant(32, object_type->width);
    } else {
      Operand next = evaluate(*member.object).next_index;
      value.scalar = compute(member.span, Op::Sub, 32, {next, Operand::constant(32, 1)});
    }
    return value;
  }
  if (const ast::Name* root = root_name(member); root != nullptr && typed_.target(*root) != nullptr)
    if (Binding* binding = find_binding(*typed_.target(*root));
        binding != nullptr && std::holds_alternative<Value>(*binding))
      return read(member.span, lvalue(member));
  Value object = evaluate(*member.object);
  if (const Value* field = find_field(object, name)) return *field;
  unsupported(member.span, fmt::format("'.{}' of this expression", name));
  return zero_value(type_of(member));
}

Value Lowering::evaluate_index(const ast::Index& element) {
  if (root_name(element) != nullptr) return read(element.span, lvalue(element));
  Value object = evaluate(*element.object);
  if (auto position = constant_u64(*element.index); position && *position < object.parts.size())
    return object.parts[*position];
  unsupported(element.span, "an index into this expression");
  return zero_value(type_of(element));
}

Value Lowering::evaluate_slice(const ast::Expression& object, std::uint32_t high, std::uint32_t low,
                               const ast::Expression& at) {
  Value whole = evaluate(object);
  Value value;
  value.type = type_of(at);
  value.scalar = compute(at.span, Op::Extract, high - low + 1, {whole.scalar}, high, low);
  return value;
}

Value Lowering::evaluate_conditional(const ast::Conditional& conditional) {
  Operand condition = scalar(*conditional.condition);
  if (condition.is_constant)
    return evaluate(condition.value != 0 ? *conditional.then_value : *conditional.else_value);
  Value result = make_place(type_of(conditional), fmt::format("%{}", program_->slots.size()));
  BlockId then_block = new_block();
  BlockId else_block = new_block();
  BlockId after = new_block();
  branch(conditional.span, condition, then_block, else_block, true);
  enter(then_block);
  copy(conditional.span, result, convert(conditional.span, evaluate(*conditional.then_value), result.type));
  jump(conditional.span, after);
  enter(else_block);
  copy(conditional.span, result, convert(conditional.span, evaluate(*conditional.else_value), result.type));
  jump(conditional.span, after);
  enter(after);
  return result;
}

Value Lowering::evaluate_list(const ast::Expression& expression, const Type* type) {
  type = resolve(type);
  const Type* shape = representation(type);
  Value value;
  value.type = type;
  std::vector<const ast::Expression*> given;
  std::vector<std::size_t> positions;
  const bool has_fields = shape->is(TypeKind::Struct) || shape->is(TypeKind::Header);
  std::vector<const Type*> types;
  std::vector<std::string_view> names;
  if (has_fields) {
    for (const FieldType& field : typed_.types().fields(shape)) {
      types.push_back(field.type);
      names.push_back(field.field->name.text);
    }
  } else if (shape->is(TypeKind::Stack)) {
    types.assign(shape->width, shape->arguments.at(0));
  } else if (shape->is(TypeKind::List)) {
    types.assign(ast::isa<ast::List>(&expression) ? ast::cast<ast::List>(&expression)->elements.size() : 0,
                 shape->arguments.at(0));
  } else {
    types = shape->arguments;
    names.assign(shape->names.begin(), shape->names.end());
  }
  if (const auto* list = ast::dyn_cast<ast::List>(&expression)) {
    for (std::size_t i = 0; i < list->elements.size(); ++i)
      if (!ast::isa<ast::Dots>(list->elements[i])) {
        given.push_back(list->elements[i]);
        positions.push_back(i);
      }
  } else {
    for (const auto& [field, element] : ast::cast<ast::StructLiteral>(&expression)->fields) {
      auto found = std::find(names.begin(), names.end(), field.text);
      if (found == names.end()) continue;
      given.push_back(element);
      positions.push_back(static_cast<std::size_t>(found - names.begin()));
    }
  }
  for (const Type* part : types) value.parts.push_back(zero_value(part));
  for (std::size_t i = 0; i < given.size(); ++i) {
    PERFPACT_CHECK(positions[i] < types.size(), "a list of {} elements for {}", given.size(),
                   to_string(shape));
    Value part = convert(given[i]->span, evaluate(*given[i]), types[positions[i]]);
    const bool later_calls = std::any_of(given.begin() + static_cast<std::ptrdiff_t>(i) + 1, given.end(),
                                         [](const ast::Expression* e) { return !is_pure(*e); });
    value.parts[positions[i]] = later_calls ? snapshot(given[i]->span, part) : part;
  }
  if (shape->is(TypeKind::Header)) value.valid = Operand::constant(1, 1);
  if (shape->is(TypeKind::Stack)) value.next_index = Operand::constant(32, 0);
  return value;
}

}  // namespace perfpact::p4::core
