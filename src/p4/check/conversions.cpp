// Implicit casts (specification, section 8.11.2, and the laxer rules of the reference compiler) and what
// explicit casts are legal.
#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

bool Checker::needs_literal_fit(const ast::Expression& expression) const {
  switch (expression.kind) {
    case ast::NodeKind::List:
    case ast::NodeKind::StructLiteral:
    case ast::NodeKind::InvalidHeader:
    case ast::NodeKind::Dots:
      return true;
    case ast::NodeKind::Conditional: {
      const auto& conditional = *ast::cast<ast::Conditional>(&expression);
      return needs_literal_fit(*conditional.then_value) && needs_literal_fit(*conditional.else_value);
    }
    default:
      return false;
  }
}

bool Checker::mismatch(const ast::Expression& expression, const Type* target) {
  diagnostics_.report(diag::kTypeMismatch, expression.span, to_string(target),
                      to_string(state_.type(expression)));
  return false;
}

bool Checker::fit(const ast::Expression& expression, const Type* target) {
  const Type* from = state_.type(expression);
  if (from->is(TypeKind::Unknown) || target->is(TypeKind::Unknown) || target->is(TypeKind::DontCare))
    return true;
  switch (expression.kind) {
    case ast::NodeKind::List:
      return fit_list(*ast::cast<ast::List>(&expression), target);
    case ast::NodeKind::StructLiteral:
      return fit_record(*ast::cast<ast::StructLiteral>(&expression), target);
    case ast::NodeKind::Dots:
      if (!has_default_value(target)) return mismatch(expression, target);
      convert_implicitly(expression, target);
      return true;
    case ast::NodeKind::InvalidHeader:
      if (!target->is(TypeKind::Header) && !target->is(TypeKind::HeaderUnion))
        return mismatch(expression, target);
      convert_implicitly(expression, target);
      return true;
    case ast::NodeKind::Conditional:
      if (from != target && (needs_literal_fit(expression) || from->is(TypeKind::InfInt))) {
        return fit_conditional(*ast::cast<ast::Conditional>(&expression), target);
      }
      break;
    default:
      break;
  }
  if (from == target) return true;
  if (from->is(TypeKind::InfInt)) return fit_integer(expression, target);
  const bool becomes_int = from->is(TypeKind::Bits) && target->is(TypeKind::InfInt);
  if (becomes_int || (from->is(TypeKind::SerializableEnum) && from->arguments[0] == target)) {
    convert_implicitly(expression, target);
    return true;
  }
  if (from->is(TypeKind::Parser) || from->is(TypeKind::Control) || from->is(TypeKind::Package) ||
      from->is(TypeKind::Extern)) {
    Inference inference;
    if (unify(target, from, inference)) return true;
  }
  return mismatch(expression, target);
}

void Checker::convert_implicitly(const ast::Expression& expression, const Type* target) {
  state_.set_cast(expression, state_.type(expression) == target ? nullptr : target);
}

bool Checker::fit_integer(const ast::Expression& expression, const Type* target) {
  const bool takes_numbers = target->is(TypeKind::Bits) ||
                             (target->is(TypeKind::Newtype) && representation(target)->is(TypeKind::Bits));
  if (!takes_numbers) return mismatch(expression, target);
  check_range(expression, target);
  convert_implicitly(expression, target);
  return true;
}

void Checker::check_range(const ast::Expression& expression, const Type* target) {
  const Constant* value = program_.value_of(expression);
  if (value == nullptr || value->integer() == nullptr) return;
  const Type* number = representation(target);
  const Integer reduced = reduce(*value->integer(), number);
  if (reduced == *value->integer()) return;
  diagnostics_.report(diag::kConstantOverflow, expression.span, value->integer()->str(), to_string(target),
                      reduced.str());
}

bool Checker::fit_conditional(const ast::Conditional& conditional, const Type* target) {
  const bool first = fit(*conditional.then_value, target);
  const bool second = fit(*conditional.else_value, target);
  if (!first || !second) return false;
  state_.set_type(conditional, target);
  state_.forget_value(conditional);
  remember_value(conditional);
  return true;
}

bool Checker::fit_list(const ast::List& list, const Type* target) {
  std::vector<const Type*> types;
  switch (target->kind) {
    case TypeKind::Tuple:
      types = target->arguments;
      break;
    case TypeKind::Struct:
    case TypeKind::Header:
      for (const FieldType& field : types_.fields(target)) types.push_back(field.type);
      break;
    case TypeKind::Stack:
      types.assign(target->width, target->arguments[0]);
      break;
    case TypeKind::List: {
      types.assign(list.elements.size(), target->arguments[0]);
      break;
    }
    default:
      return mismatch(list, target);
  }
  if (!fit_elements(list, target, types)) return false;
  convert_implicitly(list, target);
  state_.forget_value(list);
  remember_value(list);
  return true;
}

bool Checker::fit_elements(const ast::List& list, const Type* target, const std::vector<const Type*>& types) {
  const bool has_dots = !list.elements.empty() && ast::isa<ast::Dots>(list.elements.back());
  const std::size_t given = list.elements.size() - (has_dots ? 1 : 0);
  if (given > types.size() || (given < types.size() && !has_dots)) {
    diagnostics_.report(diag::kFieldCount, list.span, to_string(target), types.size(),
                        types.size() == 1 ? "" : "s", given);
    return false;
  }
  bool all_fit = true;
  for (std::size_t i = 0; i < given; ++i) all_fit = fit(*list.elements[i], types[i]) && all_fit;
  return all_fit;
}

bool Checker::fit_record(const ast::StructLiteral& literal, const Type* target) {
  if (!target->is(TypeKind::Struct) && !target->is(TypeKind::Header)) {
    if (target == state_.type(literal)) return true;
    if (!target->is(TypeKind::Record)) return mismatch(literal, target);
  }
  std::unordered_map<std::string_view, const Type*> fields;
  std::vector<std::string> names;
  if (target->is(TypeKind::Record)) {
    for (std::size_t i = 0; i < target->names.size(); ++i) fields[target->names[i]] = target->arguments[i];
    names = target->names;
  }
  for (const FieldType& field : types_.fields(target)) {
    fields[field.field->name.text] = field.type;
    names.push_back(field.field->name.text);
  }
  bool all_fit = true;
  for (const auto& [name, value] : literal.fields) {
    auto field = fields.find(name.text);
    if (field == fields.end()) {
      diagnostics_.report(diag::kUnknownField, name.span, to_string(target), name.text,
                          did_you_mean(name.text, names));
      all_fit = false;
    } else {
      all_fit = fit(*value, field->second) && all_fit;
    }
  }
  if (!literal.has_dots && literal.fields.size() < names.size()) {
    for (const std::string& name : names) {
      if (std::ranges::any_of(literal.fields, [&](const auto& field) { return field.first.text == name; }))
        continue;
      diagnostics_.report(diag::kMissingField, literal.span, name, to_string(target));
      all_fit = false;
    }
  }
  if (!all_fit) return false;
  convert_implicitly(literal, target);
  state_.forget_value(literal);
  remember_value(literal);
  return true;
}

bool Checker::can_cast(const Type* from, const Type* to) const {
  if (from == to) return true;
  if (to->is(TypeKind::Newtype)) {
    const bool is_constant = from->is(TypeKind::InfInt) && representation(to)->is(TypeKind::Bits);
    return to->arguments[0] == from || is_constant;
  }
  if (from->is(TypeKind::Newtype)) return from->arguments[0] == to;
  const Type* below = representation(to);
  switch (from->kind) {
    case TypeKind::Bits:
      if (to->is(TypeKind::Bits)) return from->width == to->width || from->is_signed == to->is_signed;
      if (to->is(TypeKind::Bool)) return from->width == 1 && !from->is_signed;
      if (to->is(TypeKind::SerializableEnum)) return below == from;
      return to->is(TypeKind::InfInt);
    case TypeKind::Bool:
      return to->is(TypeKind::Bits) && to->width == 1 && !to->is_signed;
    case TypeKind::InfInt:
      return below->is(TypeKind::Bits) || to->is(TypeKind::Bool);
    case TypeKind::SerializableEnum:
      if (to->is(TypeKind::SerializableEnum)) return below == representation(from);
      return can_cast(from->arguments[0], to);
    default:
      return false;
  }
}

bool Checker::has_default_value(const Type* type) {
  switch (type->kind) {
    case TypeKind::List:
    case TypeKind::MatchKind:
    case TypeKind::Extern:
    case TypeKind::Parser:
    case TypeKind::Control:
    case TypeKind::Package:
      return false;
    default:
      return true;
  }
}

}  // namespace perfpact::p4
