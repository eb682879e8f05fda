// Calls of functions, actions, parsers and controls, and the methods of headers and stacks.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {

using ast::Direction;
using program::EventKind;

Value Lowering::lower_call(const ast::Call& call) {
  const CallTarget* target = typed_.call(call);
  PERFPACT_CHECK(target != nullptr, "a call that the checker did not resolve");
  Value nothing;
  nothing.type = type_of(call);
  switch (target->kind) {
    case CallKind::Function: {
      Callable& callable = function(*ast::cast<ast::Function>(target->declaration), target->type_arguments);
      return call_callable(call.span, *target, callable);
    }
    case CallKind::Action: {
      const auto& declaration = *ast::cast<ast::Action>(target->declaration);
      Callable& callable = action(declaration);
      std::uint64_t bits = 0;
      for (const BoundArgument& argument : target->arguments)
        if (argument.parameter->direction == Direction::None)
          bits += data_bits(typed_.types(), resolve(argument.type));
      event(call.span, EventKind::ActionRun, {program_->procedures[index(callable.procedure)].name},
            {number(bits)});
      return call_callable(call.span, *target, callable);
    }
    case CallKind::ExternFunction:
      return call_extern_function(call, *target);
    case CallKind::ExternMethod:
      return call_extern_method(call, *target);
    case CallKind::TableApply:
      apply_table(*ast::cast<ast::Table>(target->declaration), call.span);
      return nothing;
    case CallKind::ParserApply:
    case CallKind::ControlApply:
      call_apply(call, *target);
      return nothing;
    default:
      return call_header_method(call, *target);
  }
}

std::vector<Lowering::PreparedArgument> Lowering::prepare(const CallTarget& target,
                                                          const std::vector<std::uint32_t>& order) {
  std::vector<PreparedArgument> prepared(target.arguments.size());
  for (std::size_t i = 0; i < target.arguments.size(); ++i) prepared[i].bound = &target.arguments[i];
  for (std::size_t position = 0; position < order.size(); ++position) {
    PreparedArgument& argument = prepared.at(order[position]);
    const ast::Expression* expression = argument.bound->value;
    if (expression == nullptr) continue;
    const Span& at = expression->span;
    const Direction direction = argument.bound->parameter->direction;
    if (direction == Direction::Out || direction == Direction::InOut) argument.target = lvalue(*expression);
    if (direction == Direction::Out) continue;
    if (direction == Direction::InOut) {
      argument.value = read(at, *argument.target);
    } else {
      argument.value = convert(at, evaluate(*expression), argument.bound->type);
    }
    const bool later_calls = std::any_of(order.begin() + static_cast<std::ptrdiff_t>(position) + 1,
                                         order.end(), [&](std::uint32_t later) {
                                           const ast::Expression* e = target.arguments.at(later).value;
                                           return e != nullptr && !is_pure(*e);
                                         });
    if (later_calls) argument.value = snapshot(at, argument.value);
  }
  // Default values are no part of the call as written.
  for (PreparedArgument& argument : prepared)
    if (argument.bound->is_default && argument.bound->value != nullptr && argument.value.type == nullptr)
      argument.value =
          convert(argument.bound->value->span, evaluate(*argument.bound->value), argument.bound->type);
  return prepared;
}

void Lowering::copy_in(const Span& at, std::vector<PreparedArgument>& arguments,
                       const std::vector<Value>& parameters) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const PreparedArgument& argument = arguments[i];
    const Direction direction = argument.bound->parameter->direction;
    if (parameters.at(i).type->is(TypeKind::InfInt)) continue;  // refused by bind_parameters
    if (direction == Direction::Out || argument.bound->value == nullptr) {
      initialize_out(at, parameters.at(i));
    } else {
      copy(at, parameters.at(i), convert(at, argument.value, parameters.at(i).type));
    }
  }
}

void Lowering::copy_out(const Span& at, std::vector<PreparedArgument>& arguments,
                        const std::vector<Value>& parameters) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].target)
      write(at, *arguments[i].target, convert(at, parameters.at(i), arguments[i].target->type));
}

Value Lowering::call_callable(const Span& at, const CallTarget& target, Callable& callable) {
  auto arguments = prepare(target, target.evaluation_order);
  copy_in(at, arguments, callable.parameters);
  emit(at, Call{callable.procedure});
  copy_out(at, arguments, callable.parameters);
  if (callable.may_exit) follow_exit(at);
  if (callable.result) return *callable.result;
  Value nothing;
  nothing.type = resolve(target.type);
  return nothing;
}

// The place of a variable or of a part of it, if the expression is no more than its name.
std::optional<Value> Lowering::named_place(const ast::Expression& expression) {
  if (const auto* name = ast::dyn_cast<ast::Name>(&expression)) {
    const ast::Declaration* target = typed_.target(*name);
    const Binding* binding = target == nullptr ? nullptr : find_binding(*target);
    const auto* place = binding == nullptr ? nullptr : std::get_if<Value>(binding);
    return place == nullptr ? std::nullopt : std::optional(*place);
  }
  const auto* member = ast::dyn_cast<ast::Member>(&expression);
  const auto object = member == nullptr ? std::nullopt : named_place(*member->object);
  if (!object || object->parts.empty()) return std::nullopt;
  const Value* field = find_field(*object, member->member.text);
  return field == nullptr ? std::nullopt : std::optional(*field);
}

// Copying in and out is the same as working on the caller's variable, as long as no other argument is a part
// of it: what is applied cannot reach it otherwise. An `in` argument is never written.
Lowering::Places Lowering::shared_places(const CallTarget& target) {
  Places places(target.arguments.size());
  std::vector<std::vector<SlotId>> slots(target.arguments.size());
  const auto is_written = [&](std::size_t i) {
    const Direction direction = target.arguments[i].parameter->direction;
    return direction == Direction::InOut || direction == Direction::Out;
  };
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const BoundArgument& argument = target.arguments[i];
    if (argument.value == nullptr || argument.is_default) continue;
    auto place = named_place(*argument.value);
    if (!place) continue;
    collect_slots(*place, slots[i]);
    const bool is_alone = place->siblings.empty() && argument.parameter->direction != Direction::None;
    if (is_alone && argument.parameter->direction != Direction::Out && place->type == resolve(argument.type))
      places[i] = std::move(place);
  }
  const auto overlap = [&](std::size_t i, std::size_t k) {
    return std::ranges::any_of(slots[i], [&](SlotId slot) { return std::ranges::count(slots[k], slot) > 0; });
  };
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < places.size() && places[i]; ++k)
      if (i != k && (is_written(i) || is_written(k)) && overlap(i, k)) places[i].reset();
  // A place without a name may be anywhere, and a call among the arguments may change the others.
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ast::Expression* value = target.arguments[i].value;
    if (value != nullptr && (!is_pure(*value) || (is_written(i) && !named_place(*value))))
      return Places(places.size());
  }
  return places;
}

void Lowering::call_apply(const ast::Call& call, const CallTarget& target) {
  Instance* instance = instance_of(*target.receiver);
  if (instance == nullptr) return;
  const bool is_parser = target.kind == CallKind::ParserApply;
  const Places shared = shared_places(target);
  if (!instance->procedure) {
    instance->shared = shared;
    if (is_parser)
      lower_parser(*instance, shared);
    else
      lower_control(*instance, shared);
  }
  auto arguments = prepare(target, target.evaluation_order);
  std::vector<Value> parameters = parameter_places(*instance);
  // Applied before with other arguments: it works on their places, which get back what they had.
  std::vector<std::pair<Value, Value>> lent;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (i < instance->shared.size() && instance->shared[i] &&
        !(shared[i] && same_slots(*shared[i], parameters[i])))
      lent.emplace_back(parameters[i], snapshot(call.span, parameters[i]));
  copy_in(call.span, arguments, parameters);
  emit(call.span, Call{*instance->procedure});
  if (!lent.empty()) {
    for (Value& parameter : parameters) parameter = snapshot(call.span, parameter);
    for (const auto& [place, before] : lent) copy(call.span, place, before);
  }
  copy_out(call.span, arguments, parameters);
  if (is_parser) {
    BlockId after = new_block();
    PERFPACT_CHECK(context_.reject.has_value(), "a parser applied outside a parser");
    branch(call.span, of(rejected_), *context_.reject, after, false);
    enter(after);
  } else if (instance->may_exit) {
    follow_exit(call.span);
  }
}

Frame* Lowering::frame_declaring(const ast::Declaration& declaration) {
  auto owner = local_owner_.find(&declaration);
  if (owner == local_owner_.end()) return global_;
  for (Frame* frame = context_.frame; frame != nullptr; frame = frame->parent)
    if (frame->owner == owner->second) return frame;
  PERFPACT_CHECK(false, "'{}' used outside its control", declaration.name.text);
  return global_;
}

Callable& Lowering::action(const ast::Action& action) {
  Frame* parent = frame_declaring(action);
  auto& known = actions_[{parent, &action}];
  if (known) return *known;
  known = std::make_unique<Callable>();
  Callable& callable = *known;

  Context saved;
  Frame& frame = frames_.emplace_back();
  frame.parent = parent;
  frame.types = parent->types;
  std::string name = control_plane_name_in(parent, action);
  frame.prefix = name + ".";
  callable.procedure = begin_procedure(name, &frame, saved);
  bind_parameters(frame, action.parameters, {});
  for (const ast::Parameter* parameter : action.parameters)
    callable.parameters.push_back(std::get<Value>(frame.bindings.at(parameter)));
  lower_block(*action.body);
  callable.may_exit = context_.may_exit;
  end_procedure(saved);
  return callable;
}

Callable& Lowering::function(const ast::Function& function, const Substitution& type_arguments) {
  Substitution types;
  std::string key = fmt::format("{}", static_cast<const void*>(&function));
  for (const ast::TypeParameter* parameter : function.type_parameters) {
    auto found = type_arguments.find(parameter);
    if (found == type_arguments.end()) continue;
    types[parameter] = resolve(found->second);
    key += fmt::format(",{}", static_cast<const void*>(types[parameter]));
  }
  auto& known = functions_[key];
  if (known) return *known;
  known = std::make_unique<Callable>();
  Callable& callable = *known;

  Context saved;
  Frame& frame = frames_.emplace_back();
  frame.parent = global_;
  frame.owner = &function;
  frame.types = std::move(types);
  frame.prefix = function.name.text + ".";
  frame.in_parser = context_.frame->in_parser;
  callable.procedure = begin_procedure(function.name.text, &frame, saved);
  bind_parameters(frame, function.parameters, {});
  for (const ast::Parameter* parameter : function.parameters)
    callable.parameters.push_back(std::get<Value>(frame.bindings.at(parameter)));
  const Type* result = resolve(typed_.denoted(*function.return_type));
  if (!result->is(TypeKind::Void)) callable.result = make_place(result, frame.prefix + "$result");
  context_.result = callable.result;
  lower_block(*function.body);
  callable.may_exit = context_.may_exit;
  end_procedure(saved);
  return callable;
}

Value Lowering::call_header_method(const ast::Call& call, const CallTarget& target) {
  Value result;
  result.type = type_of(call);
  const Span& at = call.span;
  switch (target.kind) {
    case CallKind::IsValid:
      result.scalar = is_valid(at, evaluate(*target.receiver));
      break;
    case CallKind::SetValid:
    case CallKind::SetInvalid: {
      const bool valid = target.kind == CallKind::SetValid;
      LValue header = lvalue(*target.receiver);
      event(at, valid ? EventKind::HeaderSetValid : EventKind::HeaderSetInvalid,
            {to_source(*target.receiver)}, {});
      for (const LValue::Candidate& candidate : header.candidates) {
        Operand guard = candidate.guard.value_or(Operand::constant(1, 1));
        if (valid)
          set_valid(at, candidate.place, guard);
        else
          set_invalid(at, candidate.place, guard);
      }
      break;
    }
    case CallKind::PushFront:
    case CallKind::PopFront: {
      auto count = constant_u64(*target.arguments.at(0).value);
      if (!count) {
        diagnostics_.report(diag::kNotConstant, at, "the count of push_front and pop_front");
        break;
      }
      push_pop(at, lvalue(*target.receiver),
               static_cast<std::uint32_t>(std::min<std::uint64_t>(*count, 1U << 20)),
               target.kind == CallKind::PushFront);
      break;
    }
    default:
      unsupported(at, "the size of a header with varbit fields at run time");
      result.scalar = Operand::constant(scalar_width(result.type), 0);
  }
  return result;
}

void Lowering::push_pop(const Span& at, const LValue& stack, std::uint32_t count, bool push) {
  for (const LValue::Candidate& candidate : stack.candidates) {
    const auto& elements = candidate.place.parts;
    const auto size = static_cast<std::uint32_t>(elements.size());
    const std::uint32_t n = std::min(count, size);
    event(at, EventKind::Assign, {}, {number(data_bits(typed_.types(), stack.type))});
    const auto clear = [&](std::uint32_t i) {
      if (elements[i].valid.width != 0)
        set_invalid(at, elements[i], candidate.guard.value_or(Operand::constant(1, 1)));
    };
    if (push) {
      for (std::uint32_t i = size; i-- > n;) copy_if(at, candidate.guard, elements[i], elements[i - n]);
      for (std::uint32_t i = 0; i < n; ++i) clear(i);
    } else {
      for (std::uint32_t i = 0; i + n < size; ++i) copy_if(at, candidate.guard, elements[i], elements[i + n]);
      for (std::uint32_t i = size - n; i < size; ++i) clear(i);
    }
    // The next index moves along and stays within the stack.
    const Operand& next = candidate.place.next_index;
    Operand amount = Operand::constant(32, n);
    Operand moved;
    if (push) {
      Operand sum = compute(at, Op::Add, 32, {next, amount});
      Operand fits = compute(at, Op::LessEqual, 1, {sum, Operand::constant(32, size)});
      moved = compute(at, Op::Choose, 32, {fits, sum, Operand::constant(32, size)});
    } else {
      Operand enough = compute(at, Op::LessEqual, 1, {amount, next});
      moved = compute(at, Op::Choose, 32,
                      {enough, compute(at, Op::Sub, 32, {next, amount}), Operand::constant(32, 0)});
    }
    if (candidate.guard) moved = compute(at, Op::Choose, 32, {*candidate.guard, moved, next});
    assign(at, next.slot, moved);
  }
}

}  // namespace perfpact::p4::core
