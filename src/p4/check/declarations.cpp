#include <algorithm>

#include "p4/check/checker.h"

namespace perfpact::p4 {

void Checker::check_declaration(const ast::Declaration& declaration) {
  using ast::NodeKind;
  check_annotations(declaration.annotations);
  switch (declaration.kind) {
    case NodeKind::Constant:
      return check_constant(*ast::cast<ast::Constant>(&declaration));
    case NodeKind::Variable:
      return check_variable(*ast::cast<ast::Variable>(&declaration));
    case NodeKind::Instance:
      return check_instance(*ast::cast<ast::Instance>(&declaration));
    case NodeKind::ValueSet:
      return check_value_set(*ast::cast<ast::ValueSet>(&declaration));
    case NodeKind::Extern:
      return check_extern(*ast::cast<ast::Extern>(&declaration));
    case NodeKind::Function:
      return check_function(*ast::cast<ast::Function>(&declaration));
    case NodeKind::Action:
      return check_action(*ast::cast<ast::Action>(&declaration));
    case NodeKind::Parser:
      return check_parser(*ast::cast<ast::Parser>(&declaration));
    case NodeKind::Control:
      return check_control(*ast::cast<ast::Control>(&declaration));
    case NodeKind::ParserType: {
      const auto* type = ast::cast<ast::ParserType>(&declaration);
      return check_block_type(*type, type->type_parameters, type->parameters, TypeKind::Parser);
    }
    case NodeKind::ControlType: {
      const auto* type = ast::cast<ast::ControlType>(&declaration);
      return check_block_type(*type, type->type_parameters, type->parameters, TypeKind::Control);
    }
    case NodeKind::Package: {
      const auto* type = ast::cast<ast::Package>(&declaration);
      return check_block_type(*type, type->type_parameters, type->parameters, TypeKind::Package);
    }
    case NodeKind::Struct:
      return check_struct(*ast::cast<ast::Struct>(&declaration));
    case NodeKind::Enum:
      return check_enum(*ast::cast<ast::Enum>(&declaration));
    case NodeKind::ErrorDeclaration:
      return check_errors(*ast::cast<ast::ErrorDeclaration>(&declaration));
    case NodeKind::MatchKindDeclaration:
      return check_match_kinds(*ast::cast<ast::MatchKindDeclaration>(&declaration));
    case NodeKind::Typedef:
      return check_typedef(*ast::cast<ast::Typedef>(&declaration));
    case NodeKind::Newtype:
      return check_newtype(*ast::cast<ast::Newtype>(&declaration));
    case NodeKind::Table:
      return check_table(*ast::cast<ast::Table>(&declaration));
    default:
      break;
  }
}

// ---- types -----------------------------------------------------------------------------------------------

void Checker::check_struct(const ast::Struct& declaration) {
  std::vector<FieldType> fields;
  {
    NewScope scope(*this);
    declare_type_parameters(declaration.type_parameters);
    std::unordered_map<std::string_view, const ast::Field*> seen;
    for (const ast::Field* field : declaration.fields) {
      check_annotations(field->annotations);
      const Type* type = check_value_type(*field->type, "a field");
      check_field_type(declaration, *field, type);
      state_.set_type(*field, type);
      auto [first, is_new] = seen.emplace(field->name.text, field);
      if (is_new) {
        fields.push_back({field, type});
      } else {
        diagnostics_.report(diag::kDuplicateDeclaration, field->name.span, field->name.text);
        diagnostics_.note(first->second->name.span, "first declared here");
      }
    }
  }
  types_.set_declared_fields(&declaration, std::move(fields));
  std::vector<const Type*> variables;
  for (const ast::TypeParameter* parameter : declaration.type_parameters)
    variables.push_back(state_.type(*parameter));
  state_.set_type(declaration, type_of_declaration(declaration, std::move(variables)));
  declare(declaration);
}

void Checker::check_enum(const ast::Enum& declaration) {
  const Type* type = nullptr;
  const Type* underlying = nullptr;
  if (declaration.underlying != nullptr) {
    underlying = resolve(*declaration.underlying);
    if (!underlying->is(TypeKind::Bits) && !underlying->is(TypeKind::Unknown)) {
      diagnostics_.report(diag::kBadType, declaration.underlying->span, "the representation of an enum",
                          to_string(underlying));
      underlying = unknown_;
    }
    type = types_.declared(TypeKind::SerializableEnum, &declaration, {underlying});
  } else {
    type = types_.declared(TypeKind::Enum, &declaration);
  }
  state_.set_type(declaration, type);
  std::unordered_map<std::string_view, const ast::EnumMember*> seen;
  std::uint32_t ordinal = 0;
  scopes_.emplace_back();  // a value may use the members before it
  for (const ast::EnumMember* member : declaration.members) {
    state_.set_type(*member, type);
    state_.set_ordinal(*member, ordinal++);
    auto [first, is_new] = seen.emplace(member->name.text, member);
    if (!is_new) {
      diagnostics_.report(diag::kDuplicateDeclaration, member->name.span, member->name.text);
      diagnostics_.note(first->second->name.span, "first declared here");
    }
    if (underlying == nullptr) continue;
    if (member->value == nullptr) {
      diagnostics_.report(diag::kNotKnown, member->name.span,
                          fmt::format("the value of '{}' must be given: it", member->name.text));
      continue;
    }
    if (!check_fit(*member->value, underlying)) continue;
    if (auto value = known_value(*member->value)) {
      state_.set_value(*member, *value);
      if (is_new) declare(*member);
    } else {
      diagnostics_.report(diag::kNotKnown, member->value->span, "the value of an enum member");
    }
  }
  scopes_.pop_back();
  declare(declaration);
}

void Checker::check_typedef(const ast::Typedef& declaration) {
  if (declaration.declared != nullptr) check_declaration(*declaration.declared);
  state_.set_type(declaration, resolve(*declaration.type));
  const bool names_itself =
      declaration.declared != nullptr && declaration.declared->name.text == declaration.name.text;
  if (!names_itself) declare(declaration);
}

void Checker::check_newtype(const ast::Newtype& declaration) {
  const Type* underlying = resolve(*declaration.type);
  const Type* below = representation(underlying);
  if (!below->is(TypeKind::Bits) && !below->is(TypeKind::Bool) && !below->is(TypeKind::Varbit) &&
      !below->is(TypeKind::Unknown)) {
    diagnostics_.report(diag::kBadType, declaration.type->span, "what a new type is made from",
                        to_string(underlying));
    underlying = unknown_;
  }
  state_.set_type(declaration, types_.declared(TypeKind::Newtype, &declaration, {underlying}));
  declare(declaration);
}

void Checker::check_errors(const ast::ErrorDeclaration& declaration) {
  for (const ast::EnumMember* member : declaration.members) {
    auto [first, is_new] = error_members_.emplace(member->name.text, member);
    if (!is_new) {
      diagnostics_.report(diag::kDuplicateDeclaration, member->name.span, member->name.text);
      diagnostics_.note(first->second->name.span, "first declared here");
      continue;
    }
    state_.set_type(*member, types_.get(TypeKind::Error));
    // NoError is 0 whatever a program declares before core.p4.
    auto& errors = state_.errors();
    errors.insert(member->name.text == "NoError" ? errors.begin() : errors.end(), member);
    for (std::size_t i = 0; i < errors.size(); ++i)
      state_.set_ordinal(*errors[i], static_cast<std::uint32_t>(i));
  }
}

void Checker::check_match_kinds(const ast::MatchKindDeclaration& declaration) {
  for (const ast::EnumMember* member : declaration.members) {
    auto [first, is_new] = match_kinds_.emplace(member->name.text, member);
    if (!is_new) {
      diagnostics_.report(diag::kDuplicateDeclaration, member->name.span, member->name.text);
      diagnostics_.note(first->second->name.span, "first declared here");
      continue;
    }
    state_.set_type(*member, types_.get(TypeKind::MatchKind));
    state_.set_ordinal(*member, static_cast<std::uint32_t>(match_kinds_.size() - 1));
  }
}

// ---- parameters ------------------------------------------------------------------------------------------

void Checker::declare_type_parameters(const TypeParameters& parameters) {
  for (const ast::TypeParameter* parameter : parameters) {
    state_.set_type(*parameter, types_.declared(TypeKind::TypeVariable, parameter));
    declare(*parameter);
  }
}

void Checker::check_parameters(const Parameters& parameters, ParametersOf owner) {
  for (const ast::Parameter* parameter : parameters) check_parameter(*parameter, owner);
}

void Checker::check_parameter(const ast::Parameter& parameter, ParametersOf owner) {
  check_annotations(parameter.annotations);
  const Type* type = resolve(*parameter.type);
  if (type->is(TypeKind::Void) || type->is(TypeKind::DontCare)) {
    diagnostics_.report(diag::kBadType, parameter.type->span, "a parameter", to_string(type));
    type = unknown_;
  }
  check_parameter_type(parameter, type, owner);
  const bool tells_whether_given = owner != ParametersOf::Constructor && owner != ParametersOf::Function;
  if (!tells_whether_given && ast::find_annotation(parameter.annotations, "optional") != nullptr) {
    diagnostics_.report(diag::kBadDeclaration, parameter.span,
                        fmt::format("parameter '{}' cannot be optional: nothing tells whether it was given",
                                    parameter.name.text));
  }
  state_.set_type(parameter, type);
  if (parameter.default_value != nullptr) check_default(parameter, type);
  declare(parameter);
}

void Checker::check_parameter_type(const ast::Parameter& parameter, const Type* type, ParametersOf owner) {
  const bool is_block = type->is(TypeKind::Parser) || type->is(TypeKind::Control);
  if (parameter.direction != ast::Direction::None) {
    if (is_block || type->is(TypeKind::Extern) || type->is(TypeKind::Package) || type->is(TypeKind::InfInt) ||
        type->is(TypeKind::String)) {
      diagnostics_.report(
          diag::kBadDirection, parameter.span,
          fmt::format("a parameter of type '{}' cannot have this direction", to_string(type)));
    }
    return;
  }
  const bool has_body = ast::dyn_cast_or_null<ast::Parser>(type->declaration) != nullptr ||
                        ast::dyn_cast_or_null<ast::Control>(type->declaration) != nullptr;
  const bool takes_blocks = owner == ParametersOf::Constructor || owner == ParametersOf::Package;
  if ((is_block && (has_body || !takes_blocks)) ||
      (type->is(TypeKind::Package) && owner != ParametersOf::Package)) {
    diagnostics_.report(diag::kBadType, parameter.span, "this parameter", to_string(type));
  }
}

void Checker::refuse_blocks(const Parameters& constructor_parameters, TypeKind kind) {
  for (const ast::Parameter* parameter : constructor_parameters) {
    if (!state_.type(*parameter)->is(kind)) continue;
    diagnostics_.report(diag::kBadType, parameter->span, "a parameter of this constructor",
                        to_string(state_.type(*parameter)));
  }
}

void Checker::check_default(const ast::Parameter& parameter, const Type* type) {
  if (parameter.direction == ast::Direction::Out || parameter.direction == ast::Direction::InOut) {
    diagnostics_.report(
        diag::kBadDirection, parameter.default_value->span,
        fmt::format("parameter '{}' is written, so it has no default value", parameter.name.text));
  }
  check_expression(*parameter.default_value);
  bool fits = false;
  if (has_type_variable(type)) {
    Inference inference;
    collect_variables(type, inference);
    fits = unify(type, state_.type(*parameter.default_value), inference);
    if (!fits) mismatch(*parameter.default_value, type);
  } else {
    fits = fit(*parameter.default_value, type);
  }
  if (fits && !is_compile_time(*parameter.default_value)) {
    diagnostics_.report(diag::kNotKnown, parameter.default_value->span, "a default value");
  }
}

// ---- externs, functions, actions, controls ----------------------------------------------------------------

void Checker::check_extern(const ast::Extern& declaration) {
  auto whole = whole_externs_.find(declaration.name.text);
  const ast::Extern& meant = whole == whole_externs_.end() ? declaration : *whole->second;
  declare(declaration.is_forward ? meant : declaration);
  if (declaration.is_forward) return;
  NewScope scope(*this);
  declare_type_parameters(declaration.type_parameters);
  std::vector<const Type*> variables;
  for (const ast::TypeParameter* parameter : declaration.type_parameters)
    variables.push_back(state_.type(*parameter));
  state_.set_type(declaration, type_of_declaration(declaration, std::move(variables)));
  NewScope methods(*this);
  const Within within(*this, declaration);
  for (const ast::Method* method : declaration.methods) {
    if (method->is_constructor() && method->name.text != declaration.name.text) {
      diagnostics_.report(diag::kBadDeclaration, method->name.span,
                          fmt::format("method '{}' needs a return type", method->name.text));
    }
    if (!method->is_constructor() && method->name.text == declaration.name.text) {
      diagnostics_.report(diag::kBadDeclaration, method->name.span,
                          fmt::format("constructor '{}' cannot have a return type", method->name.text));
    }
    declare(*method);
    NewScope inside(*this);
    declare_type_parameters(method->type_parameters);
    if (!method->is_constructor()) {
      const Type* result = resolve(*method->return_type);
      if (result->is(TypeKind::InfInt) || result->is(TypeKind::String))
        diagnostics_.report(diag::kBadType, method->return_type->span, "the result of a method",
                            to_string(result));
    }
    check_parameters(method->parameters, ParametersOf::Extern);
  }
}

void Checker::check_function(const ast::Function& declaration) {
  {
    NewScope scope(*this);
    declare_type_parameters(declaration.type_parameters);
    const Type* return_type = resolve(*declaration.return_type);
    check_parameters(declaration.parameters,
                     declaration.is_extern() ? ParametersOf::Extern : ParametersOf::Function);
    if (!declaration.is_extern()) {
      scopes_[scopes_.size() - 2].names[declaration.name.text].push_back(&declaration);
      const Within within(*this, declaration);
      const Restore<Context> restore(context_);
      context_ = {.place = Place::Function, .return_type = return_type, .this_type = context_.this_type};
      const bool ends = check_body(*declaration.body);
      if (ends && !return_type->is(TypeKind::Void) && !return_type->is(TypeKind::Unknown)) {
        diagnostics_.report(diag::kMissingReturn, declaration.name.span, declaration.name.text);
      }
      scopes_[scopes_.size() - 2].names[declaration.name.text].pop_back();
    }
  }
  declare(declaration);
}

void Checker::check_action(const ast::Action& declaration) {
  {
    NewScope scope(*this);
    check_parameters(declaration.parameters, ParametersOf::Extern);
    bool has_data = false;
    for (const ast::Parameter* parameter : declaration.parameters) {
      if (parameter->direction == ast::Direction::None) {
        has_data = true;
      } else if (has_data) {
        diagnostics_.report(diag::kBadDirection, parameter->span,
                            fmt::format("parameter '{}' with a direction must stand before those without",
                                        parameter->name.text));
      }
      if (state_.type(*parameter)->is(TypeKind::Extern) || state_.type(*parameter)->is(TypeKind::InfInt)) {
        diagnostics_.report(diag::kBadType, parameter->type->span, "a parameter of an action",
                            to_string(state_.type(*parameter)));
      }
    }
    scopes_[scopes_.size() - 2].names[declaration.name.text].push_back(&declaration);
    const Within within(*this, declaration);
    const Restore<Context> restore(context_);
    context_ = {.place = Place::Action, .return_type = void_};
    check_body(*declaration.body);
    scopes_[scopes_.size() - 2].names[declaration.name.text].pop_back();
  }
  declare(declaration);
}

void Checker::check_control(const ast::Control& declaration) {
  std::vector<const Type*> variables;
  {
    NewScope scope(*this);
    declare_type_parameters(declaration.type_parameters);
    for (const ast::TypeParameter* parameter : declaration.type_parameters)
      variables.push_back(state_.type(*parameter));
    check_parameters(declaration.parameters, ParametersOf::Apply);
    check_parameters(declaration.constructor_parameters, ParametersOf::Constructor);
    refuse_blocks(declaration.constructor_parameters, TypeKind::Parser);
    const Within within(*this, declaration);
    const Restore<Context> restore(context_);
    NewScope locals(*this);
    for (const ast::Declaration* local : declaration.locals) {
      context_ = {.place = Place::ControlLocals};
      check_declaration(*local);
    }
    context_ = {.place = Place::ControlBody, .return_type = void_};
    check_body(*declaration.body);
  }
  state_.set_type(declaration, type_of_declaration(declaration, std::move(variables)));
  declare(declaration);
}

void Checker::check_block_type(const ast::Declaration& declaration, const TypeParameters& type_parameters,
                               const Parameters& parameters, TypeKind kind) {
  std::vector<const Type*> variables;
  {
    NewScope scope(*this);
    declare_type_parameters(type_parameters);
    for (const ast::TypeParameter* parameter : type_parameters) variables.push_back(state_.type(*parameter));
    check_parameters(parameters, kind == TypeKind::Package ? ParametersOf::Package : ParametersOf::Apply);
  }
  state_.set_type(declaration, types_.declared(kind, &declaration, std::move(variables)));
  declare(declaration);
}

// ---- values ----------------------------------------------------------------------------------------------

void Checker::check_constant(const ast::Constant& declaration) {
  check_hiding(declaration);
  const Type* type = check_value_type(*declaration.type, "a constant");
  state_.set_type(declaration, type);
  if (check_fit(*declaration.value, type)) {
    if (auto value = known_value(*declaration.value)) {
      state_.set_value(declaration, std::move(*value));
    } else if (!is_compile_time(*declaration.value)) {
      diagnostics_.report(diag::kNotKnown, declaration.value->span, "the value of a constant");
    }
  }
  declare(declaration);
}

void Checker::check_variable(const ast::Variable& declaration) {
  if (context_.place == Place::Global) {
    diagnostics_.report(diag::kMisplaced, declaration.span, "a variable", place_name());
  }
  const Type* type = check_value_type(*declaration.type, "a variable");
  if (type->is(TypeKind::InfInt) || type->is(TypeKind::String) || type->is(TypeKind::MatchKind)) {
    diagnostics_.report(diag::kBadType, declaration.type->span, "a variable", to_string(type));
    type = unknown_;
  }
  state_.set_type(declaration, type);
  if (declaration.initializer != nullptr) check_fit(*declaration.initializer, type);
  check_hiding(declaration);
  declare(declaration);
}

void Checker::check_value_set(const ast::ValueSet& declaration) {
  const Type* element = check_value_type(*declaration.element, "an element of a value_set");
  check_expression(*declaration.size);
  constant_integer(*declaration.size, "the size of a value_set");
  switch (element->kind) {
    case TypeKind::Unknown:
    case TypeKind::Bits:
    case TypeKind::Bool:
    case TypeKind::Enum:
    case TypeKind::SerializableEnum:
    case TypeKind::Newtype:
    case TypeKind::Struct:
    case TypeKind::Tuple:
    case TypeKind::TypeVariable:
      break;
    default:
      diagnostics_.report(diag::kBadType, declaration.element->span, "an element of a value_set",
                          to_string(element));
  }
  state_.set_type(declaration, types_.get({.kind = TypeKind::Set, .arguments = {element}}));
  declare(declaration);
}

}  // namespace perfpact::p4
