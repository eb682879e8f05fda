// Values, places and l-values: making them, copying them, reading and writing through them.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {
namespace {

/// Calls `f(slot, operand)` for every leaf of a place with the value's operand there.
template <class F>
void for_each_leaf(const Value& place, const Value& value, const F& f) {
  const auto leaf = [&](const Operand& to, const Operand& from) {
    if (to.width == 0 && from.width == 0) return;
    PERFPACT_CHECK(!to.is_constant, "a place with a constant leaf");
    f(to.slot, from);
  };
  PERFPACT_CHECK(place.parts.size() == value.parts.size(), "{} copied from {}", to_string(place.type),
                 to_string(value.type));
  leaf(place.scalar, value.scalar);
  leaf(place.length, value.length);
  for (std::size_t i = 0; i < place.parts.size(); ++i) for_each_leaf(place.parts[i], value.parts[i], f);
  leaf(place.valid, value.valid);
  leaf(place.next_index, value.next_index);
}

/// The value with every operand replaced.
template <class F>
Value map_leaves(const Value& value, const F& f) {
  Value result = value;
  result.siblings.clear();
  for (Operand* operand : {&result.scalar, &result.length, &result.valid, &result.next_index})
    if (operand->width != 0) *operand = f(*operand);
  for (Value& part : result.parts) part = map_leaves(part, f);
  return result;
}

template <class F>
Value map_leaves(const Value& a, const Value& b, const F& f) {
  Value result = a;
  result.siblings.clear();
  const auto leaf = [&](Operand& to, const Operand& x, const Operand& y) {
    if (x.width != 0) to = f(x, y);
  };
  leaf(result.scalar, a.scalar, b.scalar);
  leaf(result.length, a.length, b.length);
  leaf(result.valid, a.valid, b.valid);
  leaf(result.next_index, a.next_index, b.next_index);
  for (std::size_t i = 0; i < a.parts.size(); ++i) result.parts[i] = map_leaves(a.parts[i], b.parts.at(i), f);
  return result;
}

}  // namespace

Value Lowering::make_place(const Type* type, const std::string& name) {
  type = resolve(type);
  Value place;
  place.type = type;
  const Type* shape = representation(type);
  const auto fields = [&] {
    for (const FieldType& field : typed_.types().fields(shape))
      place.parts.push_back(make_place(field.type, name + "." + field.field->name.text));
  };
  switch (shape->kind) {
    case TypeKind::Struct:
      fields();
      break;
    case TypeKind::Header:
      fields();
      place.valid = of(new_slot(name + ".$valid", 1));
      program_->headers.push_back({name, shape->declaration->name.text, place.valid.slot});
      break;
    case TypeKind::HeaderUnion:
      fields();
      for (Value& part : place.parts)
        for (const Value& other : place.parts)
          if (other.valid.slot != part.valid.slot) part.siblings.push_back(other.valid.slot);
      break;
    case TypeKind::Stack:
      for (std::uint32_t i = 0; i < shape->width; ++i)
        place.parts.push_back(make_place(shape->arguments.at(0), fmt::format("{}[{}]", name, i)));
      place.next_index = of(new_slot(name + ".$next", 32));
      break;
    case TypeKind::Tuple:
    case TypeKind::Record:
      for (std::size_t i = 0; i < shape->arguments.size(); ++i)
        place.parts.push_back(make_place(shape->arguments[i], fmt::format("{}[{}]", name, i)));
      break;
    case TypeKind::Varbit:
      place.length = of(new_slot(name + ".$length", 32));
      [[fallthrough]];
    default:
      if (std::uint32_t width = scalar_width(shape); width != 0) place.scalar = of(new_slot(name, width));
      break;
  }
  return place;
}

Value Lowering::zero_value(const Type* type) {
  type = resolve(type);
  Value value;
  value.type = type;
  const Type* shape = representation(type);
  switch (shape->kind) {
    case TypeKind::Struct:
    case TypeKind::Header:
    case TypeKind::HeaderUnion:
      for (const FieldType& field : typed_.types().fields(shape))
        value.parts.push_back(zero_value(field.type));
      if (shape->kind == TypeKind::Header) value.valid = Operand::constant(1, 0);
      break;
    case TypeKind::Stack:
      value.parts.assign(shape->width, zero_value(shape->arguments.at(0)));
      value.next_index = Operand::constant(32, 0);
      break;
    case TypeKind::Tuple:
    case TypeKind::Record:
      for (const Type* element : shape->arguments) value.parts.push_back(zero_value(element));
      break;
    case TypeKind::Varbit:
      value.length = Operand::constant(32, 0);
      [[fallthrough]];
    default:
      value.scalar = Operand::constant(scalar_width(shape), 0);
      break;
  }
  return value;
}

void Lowering::collect_slots(const Value& place, std::vector<SlotId>& slots) {
  for (const Operand* operand : {&place.scalar, &place.length, &place.valid, &place.next_index})
    if (operand->width != 0) slots.push_back(operand->slot);
  for (const Value& part : place.parts) collect_slots(part, slots);
}

bool Lowering::same_slots(const Value& a, const Value& b) {
  std::vector<SlotId> slots_a;
  std::vector<SlotId> slots_b;
  collect_slots(a, slots_a);
  collect_slots(b, slots_b);
  return slots_a == slots_b;
}

void Lowering::copy(const Span& at, const Value& place, const Value& value) {
  for_each_leaf(place, value, [&](SlotId to, const Operand& from) { assign(at, to, from); });
  if (!place.siblings.empty()) {
    Operand keep = bool_not(at, value.valid);
    for (SlotId sibling : place.siblings) assign(at, sibling, bool_and(at, of(sibling), keep));
  }
}

void Lowering::copy_if(const Span& at, const std::optional<Operand>& guard, const Value& place,
                       const Value& value) {
  if (!guard) {
    copy(at, place, value);
    return;
  }
  for_each_leaf(place, value, [&](SlotId to, const Operand& from) {
    emit(at, Compute{Op::Choose, to, {*guard, from, of(to)}});
  });
  if (!place.siblings.empty()) {
    Operand keep = bool_not(at, bool_and(at, value.valid, *guard));
    for (SlotId sibling : place.siblings) assign(at, sibling, bool_and(at, of(sibling), keep));
  }
}

Value Lowering::snapshot(const Span& at, const Value& value) {
  return map_leaves(value, [&](const Operand& operand) {
    return operand.is_constant ? operand : compute(at, Op::Copy, operand.width, {operand});
  });
}

Value Lowering::choose(const Span& at, const Operand& condition, const Value& a, const Value& b) {
  if (condition.is_constant) return condition.value != 0 ? a : b;
  return map_leaves(a, b, [&](const Operand& x, const Operand& y) {
    return compute(at, Op::Choose, x.width, {condition, x, y});
  });
}

Value Lowering::constant_value(const Constant& constant, const Type* type, const Span& at) {
  type = resolve(type);
  const Type* shape = representation(type);
  Value value;
  value.type = type;
  if (const Integer* integer = constant.integer()) {
    if (shape->kind == TypeKind::InfInt) {
      // In two's complement, with room for the sign.
      const unsigned width = (*integer == 0 ? 1 : static_cast<unsigned>(msb(Integer(abs(*integer)))) + 1) + 1;
      value.scalar = Operand::constant(width, *integer < 0 ? *integer + (Integer(1) << width) : *integer);
    } else {
      std::uint32_t width = scalar_width(shape);
      // Two's complement of what is negative.
      Integer modulus = Integer(1) << width;
      Integer reduced = *integer % modulus;
      if (reduced < 0) reduced += modulus;
      value.scalar = Operand::constant(width, reduced);
    }
  } else if (const bool* boolean = constant.boolean()) {
    value.scalar = Operand::constant(1, *boolean ? 1 : 0);
  } else if (const auto* member = std::get_if<const ast::EnumMember*>(&constant.value)) {
    value.scalar = Operand::constant(32, typed_.ordinal(**member));
  } else if (const auto* list = std::get_if<ConstantList>(&constant.value)) {
    std::vector<const Type*> types;
    if (shape->is(TypeKind::Struct) || shape->is(TypeKind::Header))
      for (const FieldType& field : typed_.types().fields(shape)) types.push_back(field.type);
    else if (shape->is(TypeKind::Stack) || shape->is(TypeKind::List))
      types.assign(list->elements.size(), shape->arguments.at(0));
    else
      types = shape->arguments;
    PERFPACT_CHECK(types.size() == list->elements.size(), "a constant of {} parts for {}",
                   list->elements.size(), to_string(shape));
    for (std::size_t i = 0; i < types.size(); ++i)
      value.parts.push_back(constant_value(list->elements[i], types[i], at));
    if (shape->is(TypeKind::Header)) value.valid = Operand::constant(1, 1);
    if (shape->is(TypeKind::Stack)) value.next_index = Operand::constant(32, 0);
  }
  return value;
}

Value Lowering::convert(const Span& at, const Value& value, const Type* to) {
  to = resolve(to);
  if (value.type == to) return value;
  const Type* from_shape = representation(value.type);
  const Type* shape = representation(to);
  Value result = value;
  result.type = to;
  result.siblings.clear();
  if (from_shape == shape) return result;
  if (shape->is(TypeKind::Header) || shape->is(TypeKind::Struct)) {
    const auto fields = typed_.types().fields(shape);
    PERFPACT_CHECK(fields.size() == value.parts.size(), "{} converted to {}", to_string(value.type),
                   to_string(to));
    for (std::size_t i = 0; i < fields.size(); ++i)
      result.parts[i] = convert(at, value.parts[i], fields[i].type);
    if (shape->is(TypeKind::Header) && result.valid.width == 0) result.valid = Operand::constant(1, 1);
    if (shape->is(TypeKind::Struct)) result.valid = {};
    return result;
  }
  if (shape->is(TypeKind::Tuple) || shape->is(TypeKind::Record) || shape->is(TypeKind::Stack)) {
    for (std::size_t i = 0; i < result.parts.size(); ++i)
      result.parts[i] = convert(at, value.parts[i],
                                shape->is(TypeKind::Stack) ? shape->arguments[0] : shape->arguments.at(i));
    if (shape->is(TypeKind::Stack)) result.next_index = Operand::constant(32, 0);
    return result;
  }
  const bool sign = from_shape->is(TypeKind::InfInt) || is_signed(from_shape);
  if (shape->is(TypeKind::InfInt)) {  // in two's complement, with room for the sign
    result.scalar = resize(at, value.scalar, value.scalar.width + (sign ? 0 : 1), sign);
    return result;
  }
  if (std::uint32_t width = scalar_width(shape); width != 0 && value.scalar.width != 0) {
    result.scalar = resize(at, value.scalar, width, sign);
  }
  return result;
}

void Lowering::set_valid(const Span& at, const Value& header, const Operand& guard) {
  std::vector<SlotId> slots;
  for (const Value& part : header.parts) collect_slots(part, slots);
  Operand keep = bool_or(at, header.valid, bool_not(at, guard));
  for (SlotId slot : slots) {
    Operand zero = Operand::constant(of(slot).width, 0);
    emit(at, Compute{Op::Choose, slot, {keep, of(slot), zero}});
  }
  assign(at, header.valid.slot, bool_or(at, guard, header.valid));
  for (SlotId sibling : header.siblings) assign(at, sibling, bool_and(at, of(sibling), bool_not(at, guard)));
}

void Lowering::set_invalid(const Span& at, const Value& header, const Operand& guard) {
  assign(at, header.valid.slot, bool_and(at, header.valid, bool_not(at, guard)));
}

void Lowering::initialize_out(const Span& at, const Value& place) {
  if (place.valid.width != 0) assign(at, place.valid.slot, Operand::constant(1, 0));
  if (place.next_index.width != 0) assign(at, place.next_index.slot, Operand::constant(32, 0));
  for (const Value& part : place.parts) initialize_out(at, part);
}

Operand Lowering::is_valid(const Span& at, const Value& value) {
  if (value.valid.width != 0) return value.valid;
  Operand any = Operand::constant(1, 0);
  for (const Value& part : value.parts) any = bool_or(at, any, part.valid);
  return any;
}

LValue Lowering::lvalue(const ast::Expression& expression) {
  if (const auto* name = ast::dyn_cast<ast::Name>(&expression)) {
    const ast::Declaration* target = typed_.target(*name);
    Binding* binding = target == nullptr ? nullptr : find_binding(*target);
    if (binding == nullptr || !std::holds_alternative<Value>(*binding)) {
      unsupported(expression.span, fmt::format("'{}' as the target of a write", name->name.text));
      return {type_of(expression), {}, {}};
    }
    const Value& place = std::get<Value>(*binding);
    return {place.type, {{std::nullopt, place}}, {}};
  }
  if (const auto* member = ast::dyn_cast<ast::Member>(&expression)) return lvalue_member(*member);
  if (const auto* element = ast::dyn_cast<ast::Index>(&expression)) return lvalue_index(*element);
  const auto slice_of = [&](const ast::Expression& object, std::uint64_t high, std::uint64_t low) {
    LValue base = lvalue(object);
    auto offset = base.slice ? base.slice->low : 0;
    base.slice =
        LValue::Bits{static_cast<std::uint32_t>(high) + offset, static_cast<std::uint32_t>(low) + offset};
    base.type = type_of(expression);
    return base;
  };
  if (const auto* slice = ast::dyn_cast<ast::Slice>(&expression)) {
    auto high = constant_u64(*slice->high);
    auto low = constant_u64(*slice->low);
    if (high && low) return slice_of(*slice->object, *high, *low);
  }
  if (const auto* slice = ast::dyn_cast<ast::PlusSlice>(&expression)) {
    auto low = constant_u64(*slice->low);
    auto width = constant_u64(*slice->width);
    if (low && width) return slice_of(*slice->object, *low + *width - 1, *low);
  }
  unsupported(expression.span, "this expression as the target of a write");
  return {type_of(expression), {}, {}};
}

LValue Lowering::lvalue_member(const ast::Member& member) {
  LValue object = lvalue(*member.object);
  const Type* shape = representation(resolve(object.type));
  if (shape->is(TypeKind::Stack) && (member.member.text == "next" || member.member.text == "last")) {
    Operand next = read(member.span, object).next_index;
    if (member.member.text == "next") {
      require(member.span, compute(member.span, Op::Less, 1, {next, Operand::constant(32, shape->width)}),
              "StackOutOfBounds");
      return stack_element(member.span, object, next);
    }
    require(member.span, compute(member.span, Op::NotEqual, 1, {next, Operand::constant(32, 0)}),
            "StackOutOfBounds");
    return stack_element(member.span, object,
                         compute(member.span, Op::Sub, 32, {next, Operand::constant(32, 1)}));
  }
  LValue result{type_of(member), {}, {}};
  for (const LValue::Candidate& candidate : object.candidates)
    if (const Value* field = find_field(candidate.place, member.member.text)) {
      result.candidates.push_back({candidate.guard, *field});
      result.type = field->type;
    }
  return result;
}

LValue Lowering::lvalue_index(const ast::Index& element) {
  LValue object = lvalue(*element.object);
  if (auto position = constant_u64(*element.index)) {
    LValue result{type_of(element), {}, {}};
    for (const LValue::Candidate& candidate : object.candidates)
      if (*position < candidate.place.parts.size())
        result.candidates.push_back({candidate.guard, candidate.place.parts[*position]});
    return result;
  }
  Operand position = snapshot(element.span, evaluate(*element.index)).scalar;
  return stack_element(element.span, object, position);
}

LValue Lowering::stack_element(const Span& at, const LValue& stack, const Operand& position) {
  LValue result{representation(resolve(stack.type))->arguments.at(0), {}, {}};
  for (const LValue::Candidate& candidate : stack.candidates)
    for (std::size_t i = 0; i < candidate.place.parts.size(); ++i) {
      if (position.width < 64 && (Integer(i) >> position.width) != 0) break;
      Operand guard = compute(at, Op::Equal, 1, {position, Operand::constant(position.width, i)});
      if (candidate.guard) guard = bool_and(at, *candidate.guard, guard);
      result.candidates.push_back({guard, candidate.place.parts[i]});
    }
  return result;
}

Value Lowering::read(const Span& at, const LValue& lvalue) {
  Value value;
  if (lvalue.candidates.size() == 1 && !lvalue.candidates.front().guard) {
    value = lvalue.candidates.front().place;
  } else {
    value = zero_value(lvalue.slice ? lvalue.candidates.front().place.type : lvalue.type);
    for (const LValue::Candidate& candidate : lvalue.candidates)
      value = candidate.guard ? choose(at, *candidate.guard, candidate.place, value) : candidate.place;
  }
  if (lvalue.slice) {
    auto [high, low] = *lvalue.slice;
    value.scalar = compute(at, Op::Extract, high - low + 1, {value.scalar}, high, low);
    value.type = lvalue.type;
  }
  return value;
}

void Lowering::write(const Span& at, const LValue& lvalue, const Value& value) {
  for (const LValue::Candidate& candidate : lvalue.candidates) {
    if (!lvalue.slice) {
      copy_if(at, candidate.guard, candidate.place, value);
      continue;
    }
    auto [high, low] = *lvalue.slice;
    const Operand& whole = candidate.place.scalar;
    Value replaced = candidate.place;
    replaced.scalar = compute(at, Op::Insert, whole.width, {whole, value.scalar}, high, low);
    copy_if(at, candidate.guard, candidate.place, replaced);
  }
}

}  // namespace perfpact::p4::core
