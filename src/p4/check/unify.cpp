// Type-argument inference: a parameter's type with variables against an argument's type.
#include <algorithm>

#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

const std::vector<ast::Parameter*>* apply_parameters(const ast::Declaration* declaration) {
  if (const auto* d = ast::dyn_cast_or_null<ast::Parser>(declaration)) return &d->parameters;
  if (const auto* d = ast::dyn_cast_or_null<ast::ParserType>(declaration)) return &d->parameters;
  if (const auto* d = ast::dyn_cast_or_null<ast::Control>(declaration)) return &d->parameters;
  if (const auto* d = ast::dyn_cast_or_null<ast::ControlType>(declaration)) return &d->parameters;
  return nullptr;
}

bool is_number(const Type* type) {
  return representation(type)->is(TypeKind::Bits) || type->is(TypeKind::InfInt);
}

}  // namespace

Substitution Checker::substitution_of(const Type* type) const {
  Substitution result;
  if (type->declaration == nullptr) return result;
  const TypeParameters* parameters = type_parameters_of(*type->declaration);
  if (parameters == nullptr) return result;
  for (std::size_t i = 0; i < std::min(parameters->size(), type->arguments.size()); ++i) {
    result[(*parameters)[i]] = type->arguments[i];
  }
  return result;
}

void Checker::collect_variables(const Type* type, Inference& inference) {
  if (type->is(TypeKind::TypeVariable))
    inference.variables.insert(ast::cast<ast::TypeParameter>(type->declaration));
  for (const Type* argument : type->arguments) collect_variables(argument, inference);
}

bool Checker::unify(const Type* parameter, const Type* argument, Inference& inference) {
  if (parameter == nullptr || argument == nullptr) return true;
  if (argument->is(TypeKind::Unknown) || parameter->is(TypeKind::Unknown)) return true;
  if (parameter->is(TypeKind::DontCare) || argument->is(TypeKind::DontCare)) return true;
  if (parameter->is(TypeKind::TypeVariable)) {
    const auto* variable = ast::cast<ast::TypeParameter>(parameter->declaration);
    if (inference.variables.contains(variable)) return bind(variable, argument, inference);
  }
  if (parameter == argument || argument->is(TypeKind::Dots)) return true;
  switch (parameter->kind) {
    case TypeKind::Bits:
    case TypeKind::Newtype:
      return is_number(parameter) &&
             (argument->is(TypeKind::InfInt) ||
              (argument->is(TypeKind::SerializableEnum) && argument->arguments[0] == parameter));
    case TypeKind::Tuple:
      return argument->is(TypeKind::Tuple) && unify_all(parameter->arguments, argument->arguments, inference);
    case TypeKind::List:
      if (argument->is(TypeKind::List))
        return unify_all(parameter->arguments, argument->arguments, inference);
      return argument->is(TypeKind::Tuple) &&
             std::ranges::all_of(argument->arguments, [&](const Type* element) {
               return unify(parameter->arguments[0], element, inference);
             });
    case TypeKind::Stack:
      if (argument->is(TypeKind::Stack)) {
        return parameter->width == argument->width &&
               unify_all(parameter->arguments, argument->arguments, inference);
      }
      return argument->is(TypeKind::Tuple);
    case TypeKind::Set:
      return argument->is(TypeKind::Set) && unify_all(parameter->arguments, argument->arguments, inference);
    case TypeKind::Header:
    case TypeKind::HeaderUnion:
      if (argument->is(TypeKind::InvalidHeader)) return true;
      [[fallthrough]];
    case TypeKind::Struct:
      return unify_fields(parameter, argument, inference);
    case TypeKind::Record:
      return argument->is(TypeKind::Record) && parameter->names == argument->names &&
             unify_all(parameter->arguments, argument->arguments, inference);
    case TypeKind::Extern:
      return argument->is(TypeKind::Extern) && parameter->declaration == argument->declaration &&
             unify_all(parameter->arguments, argument->arguments, inference);
    case TypeKind::Parser:
    case TypeKind::Control:
    case TypeKind::Package:
      return argument->is(parameter->kind) && unify_blocks(parameter, argument, inference);
    default:
      return false;
  }
}

bool Checker::unify_all(const std::vector<const Type*>& parameters, const std::vector<const Type*>& arguments,
                        Inference& inference) {
  const bool has_dots = !arguments.empty() && arguments.back()->is(TypeKind::Dots);
  const std::size_t given = arguments.size() - (has_dots ? 1 : 0);
  if (given > parameters.size() || (given < parameters.size() && !has_dots)) return false;
  for (std::size_t i = 0; i < given; ++i) {
    if (!unify(parameters[i], arguments[i], inference)) return false;
  }
  return true;
}

bool Checker::unify_fields(const Type* parameter, const Type* argument, Inference& inference) {
  if (argument->declaration == parameter->declaration && argument->is(parameter->kind)) {
    return unify_all(parameter->arguments, argument->arguments, inference);
  }
  const std::vector<FieldType> fields = types_.fields(parameter);
  if (argument->is(TypeKind::Tuple)) {
    std::vector<const Type*> types;
    for (const FieldType& field : fields) types.push_back(field.type);
    return unify_all(types, argument->arguments, inference);
  }
  if (!argument->is(TypeKind::Record)) return false;
  for (std::size_t i = 0; i < argument->names.size(); ++i) {
    if (argument->names[i] == "...") continue;
    auto field = std::ranges::find_if(
        fields, [&](const FieldType& f) { return f.field->name.text == argument->names[i]; });
    if (field == fields.end() || !unify(field->type, argument->arguments[i], inference)) return false;
  }
  return true;
}

bool Checker::unify_blocks(const Type* parameter, const Type* argument, Inference& inference) {
  if (parameter->declaration == argument->declaration) {
    return unify_all(parameter->arguments, argument->arguments, inference);
  }
  const Parameters* expected = apply_parameters(parameter->declaration);
  const Parameters* given = apply_parameters(argument->declaration);
  if (expected == nullptr || given == nullptr) return false;
  const Substitution expected_types = substitution_of(parameter);
  const Substitution given_types = substitution_of(argument);
  const std::size_t common = std::min(expected->size(), given->size());
  for (std::size_t i = 0; i < common; ++i) {
    const ast::Parameter& left = *(*expected)[i];
    const ast::Parameter& right = *(*given)[i];
    if (left.direction != right.direction) return false;
    const Type* left_type = types_.substitute(state_.type(left), expected_types);
    const Type* right_type = types_.substitute(state_.type(right), given_types);
    if (!unify(left_type, right_type, inference)) return false;
  }
  auto rest_is_optional = [&](const Parameters& parameters) {
    return std::all_of(parameters.begin() + static_cast<std::ptrdiff_t>(common), parameters.end(),
                       [](const ast::Parameter* p) { return may_be_left_out(*p); });
  };
  return rest_is_optional(*expected) && rest_is_optional(*given);
}

bool Checker::bind(const ast::TypeParameter* variable, const Type* argument, Inference& inference) {
  if (argument->is(TypeKind::TypeVariable) &&
      inference.variables.contains(ast::cast<ast::TypeParameter>(argument->declaration))) {
    return true;  // a default value speaks of the variables themselves
  }
  const Type*& bound = inference.bindings[variable];
  if (bound == nullptr || bound == argument) {
    bound = argument;
    return true;
  }
  const Type* previous = bound;
  // What fits the other without a change of meaning gives way: int to bit<w>, {a, b} to a struct.
  if (unify(previous, argument, inference)) return true;
  if (unify(argument, previous, inference)) {
    inference.bindings[variable] = argument;
    return true;
  }
  return false;
}

}  // namespace perfpact::p4
