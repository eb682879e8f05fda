// Calls: what is called, which overload, arguments to parameters, type arguments.
#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

bool may_be_left_out(const ast::Parameter& parameter) {
  return parameter.default_value != nullptr ||
         ast::find_annotation(parameter.annotations, "optional") != nullptr;
}

bool is_plural(std::size_t count) {
  return count != 1;
}

std::vector<std::string> names_of(const std::vector<ast::Parameter*>& parameters) {
  std::vector<std::string> result;
  for (const ast::Parameter* parameter : parameters) result.push_back(parameter->name.text);
  return result;
}

}  // namespace

void Checker::check_arguments(const Arguments& arguments) {
  for (const ast::Argument& argument : arguments) {
    if (argument.value != nullptr) check_expression(*argument.value);
  }
}

// ---- overloads -------------------------------------------------------------------------------------------

bool Checker::accepts(const Signature& signature, const Arguments& arguments) {
  if (arguments.size() > signature.parameters->size()) return false;
  std::unordered_set<std::string_view> given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].name) {
      given.insert((*signature.parameters)[i]->name.text);
      continue;
    }
    const std::string& name = arguments[i].name->text;
    if (std::ranges::find(*signature.parameters, name, [](const ast::Parameter* p) {
          return p->name.text;
        }) == signature.parameters->end()) {
      return false;
    }
    given.insert(name);
  }
  return std::ranges::all_of(*signature.parameters, [&](const ast::Parameter* parameter) {
    return given.contains(parameter->name.text) || may_be_left_out(*parameter) ||
           (signature.is_action && parameter->direction == ast::Direction::None);
  });
}

const Checker::Signature* Checker::select(const std::vector<Signature>& candidates, const CallSite& site) {
  if (candidates.size() == 1) return &candidates.front();
  std::vector<const Signature*> fitting;
  for (const Signature& candidate : candidates) {
    if (accepts(candidate, *site.arguments)) fitting.push_back(&candidate);
  }
  if (fitting.size() > 1) {
    // The one that needs no default values is meant.
    std::erase_if(fitting,
                  [&](const Signature* s) { return s->parameters->size() != site.arguments->size(); });
  }
  if (fitting.size() == 1) return fitting.front();
  const auto& kind = fitting.empty() ? diag::kNoOverload : diag::kAmbiguousOverload;
  diagnostics_.report(kind, site.span, candidates.front().name);
  for (const Signature& candidate : candidates) diagnostics_.note(candidate.declaration->span, "candidate");
  return nullptr;
}

// ---- arguments -------------------------------------------------------------------------------------------

bool Checker::match_arguments(const Signature& signature, const CallSite& site, CallTarget& target) {
  const Parameters& parameters = *signature.parameters;
  const Arguments& arguments = *site.arguments;
  target.arguments.assign(parameters.size(), {});
  for (std::size_t i = 0; i < parameters.size(); ++i) target.arguments[i].parameter = parameters[i];
  if (arguments.size() > parameters.size()) {
    diagnostics_.report(diag::kArgumentCount, site.span, signature.name, parameters.size(),
                        is_plural(parameters.size()) ? "s" : "", arguments.size());
    if (signature.declaration != nullptr) note_declaration(*signature.declaration);
    return false;
  }
  bool is_right = true;
  std::vector<bool> given(parameters.size(), false);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ast::Argument& argument = arguments[i];
    if (argument.name.has_value() != arguments.front().name.has_value()) {
      diagnostics_.report(diag::kMixedArguments, argument.span);
      return false;
    }
    std::size_t index = i;
    if (argument.name) {
      auto found = std::ranges::find(parameters, argument.name->text,
                                     [](const ast::Parameter* p) { return p->name.text; });
      if (found == parameters.end()) {
        diagnostics_.report(diag::kUnknownParameter, argument.name->span, signature.name, argument.name->text,
                            did_you_mean(argument.name->text, names_of(parameters)));
        is_right = false;
        continue;
      }
      index = static_cast<std::size_t>(found - parameters.begin());
    }
    if (given[index]) {
      diagnostics_.report(diag::kDuplicateArgument, argument.span, parameters[index]->name.text);
      is_right = false;
      continue;
    }
    given[index] = true;
    target.arguments[index].value = argument.value;
    target.evaluation_order.push_back(static_cast<std::uint32_t>(index));
    if (argument.value == nullptr && parameters[index]->direction != ast::Direction::Out) {
      diagnostics_.report(
          diag::kBadArgument, argument.span,
          fmt::format("'_' is for 'out' parameters, but '{}' is read", parameters[index]->name.text));
      is_right = false;
    }
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (given[i]) continue;
    if (!is_right) break;  // a wrong name may have been meant for it
    if (parameters[i]->default_value != nullptr) {
      target.arguments[i].value = parameters[i]->default_value;
      target.arguments[i].is_default = true;
    } else if (!may_be_left_out(*parameters[i])) {
      diagnostics_.report(diag::kMissingArgument, site.span, parameters[i]->name.text, signature.name);
      diagnostics_.note(parameters[i]->span, "the parameter");
      is_right = false;
    }
  }
  return is_right;
}

bool Checker::infer(const Signature& signature, const CallSite& site, CallTarget& target,
                    const Substitution& outer) {
  Inference inference;
  static const TypeParameters kNone;
  const TypeParameters& variables = signature.type_parameters == nullptr ? kNone : *signature.type_parameters;
  if (site.type_arguments != nullptr && site.type_arguments->size() != variables.size()) {
    diagnostics_.report(diag::kTypeArguments, site.span, signature.name, variables.size(),
                        is_plural(variables.size()) ? "s" : "", std::to_string(site.type_arguments->size()));
    return false;
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    inference.variables.insert(variables[i]);
    if (site.type_arguments == nullptr) continue;
    const Type* given = (*site.type_arguments)[i];
    if (!given->is(TypeKind::DontCare)) inference.bindings[variables[i]] = given;
  }
  bool is_right = true;
  if (!variables.empty()) {
    for (const BoundArgument& argument : target.arguments) {
      if (argument.value == nullptr) continue;
      const Type* parameter = types_.substitute(state_.type(*argument.parameter), outer);
      const Type* given = state_.type(*argument.value);
      if (given == nullptr || unify(parameter, given, inference) || argument.is_default) continue;
      const Type* expected = types_.substitute(parameter, inference.bindings);
      diagnostics_.report(diag::kTypeMismatch, argument.value->span, to_string(expected), to_string(given));
      diagnostics_.note(argument.parameter->span,
                        fmt::format("parameter '{}' of '{}'", argument.parameter->name.text, signature.name));
      is_right = false;
    }
  }
  target.type_arguments = std::move(inference.bindings);
  for (const auto& [variable, type] : outer) target.type_arguments[variable] = type;
  return is_right;
}

bool Checker::fit_argument(const Signature& signature, BoundArgument& argument) {
  const ast::Parameter& parameter = *argument.parameter;
  if (argument.value == nullptr || argument.is_default) return true;
  const ast::Expression& value = *argument.value;
  const Type* given = state_.type(value);
  if (given->is(TypeKind::Unknown) || argument.type->is(TypeKind::Unknown)) return true;
  auto note = [&] {
    diagnostics_.note(parameter.span,
                      fmt::format("parameter '{}' of '{}'", parameter.name.text, signature.name));
    return false;
  };
  if (parameter.direction == ast::Direction::Out || parameter.direction == ast::Direction::InOut) {
    if (!require_assignable(value)) return note();
    if (given == argument.type) return true;
    mismatch(value, argument.type);
    return note();
  }
  const std::size_t before = diagnostics_.error_count();
  if (!fit(value, argument.type)) return diagnostics_.error_count() == before ? false : note();
  if (parameter.direction == ast::Direction::None && !signature.is_action && !is_compile_time(value)) {
    diagnostics_.report(
        diag::kNotConstant, value.span,
        fmt::format("the argument for '{}', a parameter without direction,", parameter.name.text));
    return note();
  }
  return true;
}

bool Checker::bind_arguments(const Signature& signature, const CallSite& site, CallTarget& target,
                             Substitution outer) {
  if (!match_arguments(signature, site, target)) return false;
  for (const BoundArgument& argument : target.arguments) {
    if (argument.value != nullptr && state_.type(*argument.value) == nullptr)
      check_expression(*argument.value);
  }
  if (!infer(signature, site, target, outer)) return false;
  bool is_right = true;
  for (BoundArgument& argument : target.arguments) {
    argument.type = types_.substitute(state_.type(*argument.parameter), target.type_arguments);
    is_right = fit_argument(signature, argument) && is_right;
  }
  return is_right;
}

// ---- calls -----------------------------------------------------------------------------------------------

const Type* Checker::check_call(const ast::Call& call) {
  check_arguments(call.arguments);
  if (const auto* name = ast::dyn_cast<ast::Name>(call.callee)) return call_name(call, *name);
  if (const auto* member = ast::dyn_cast<ast::Member>(call.callee)) return call_member(call, *member);
  const Type* callee = check_expression(*call.callee);
  if (!callee->is(TypeKind::Unknown)) diagnostics_.report(diag::kNotCallable, call.callee->span, "this");
  return unknown_;
}

const Type* Checker::call_name(const ast::Call& call, const ast::Name& name) {
  const Declarations callable = find_callable(name);
  const Declarations* found = &callable;
  if (callable.empty()) {
    state_.set_type(name, unknown_);
    diagnostics_.report(diag::kUnknownName, name.span, name.name.text,
                        did_you_mean(name.name.text, visible_names([](const ast::Declaration& d) {
                                       return ast::isa<ast::Function>(&d) || ast::isa<ast::Action>(&d);
                                     })));
    return unknown_;
  }
  state_.set_type(name, types_.get(TypeKind::Function));
  const ast::Declaration* first = found->front();
  if (const auto* action = ast::dyn_cast<ast::Action>(first)) {
    state_.set_target(name, action);
    return call_action(call, *action);
  }
  if (!ast::isa<ast::Function>(first)) {
    diagnostics_.report(diag::kNotCallable, name.span, fmt::format("'{}'", name.name.text));
    note_declaration(*first);
    return unknown_;
  }
  std::vector<Signature> candidates;
  for (const ast::Declaration* declaration : *found) {
    const auto* function = ast::cast<ast::Function>(declaration);
    candidates.push_back({function, function->name.text, &function->type_parameters, &function->parameters});
  }
  const Signature* chosen = select(candidates, {call.span, &call.arguments, nullptr});
  if (chosen == nullptr) return unknown_;
  const auto* function = ast::cast<ast::Function>(chosen->declaration);
  state_.set_target(name, function);
  if (is_open(*function)) {
    diagnostics_.report(diag::kRecursion, call.span, function->name.text);
    return unknown_;
  }
  CallTarget target;
  target.kind = function->is_extern() ? CallKind::ExternFunction : CallKind::Function;
  target.declaration = function;
  const Type* result = finish_call(call, std::move(target), *chosen, *function->return_type, {});
  if (function->is_extern() && function->name.text == "static_assert" && result->is(TypeKind::Bool)) {
    auto condition = known_value(*call.arguments.front().value);
    if (condition && condition->boolean() != nullptr) {
      state_.set_value(call, Constant{true});
      if (!*condition->boolean()) diagnostics_.report(diag::kStaticAssert, call.span);
    }
  }
  return result;
}

const Type* Checker::call_action(const ast::Call& call, const ast::Action& action) {
  if (is_open(action)) {
    diagnostics_.report(diag::kRecursion, call.span, action.name.text);
    return unknown_;
  }
  if (!call.type_arguments.empty()) {
    diagnostics_.report(diag::kTypeArguments, call.span, action.name.text, 0, "s",
                        std::to_string(call.type_arguments.size()));
    return void_;
  }
  if (context_.place != Place::ControlBody && context_.place != Place::Action) {
    diagnostics_.report(diag::kMisplaced, call.span, "calling an action", place_name());
    return unknown_;
  }
  CallTarget target;
  target.kind = CallKind::Action;
  target.declaration = &action;
  const Signature signature{&action, action.name.text, nullptr, &action.parameters, true};
  target.type = void_;
  if (!bind_arguments(signature, {call.span, &call.arguments, nullptr}, target, {})) return void_;
  state_.set_call(call, std::move(target));
  return void_;
}

const Type* Checker::finish_call(const ast::Call& call, CallTarget target, const Signature& signature,
                                 const ast::Type& return_type, Substitution outer) {
  const std::vector<const Type*> type_arguments = resolve_all(call.type_arguments);
  const CallSite site{call.span, &call.arguments, call.type_arguments.empty() ? nullptr : &type_arguments};
  const bool is_right = bind_arguments(signature, site, target, std::move(outer));
  const Type* result = types_.substitute(state_.type(return_type), target.type_arguments);
  if (!is_right) return has_type_variable(result) && !target.type_arguments.empty() ? unknown_ : result;
  if (signature.type_parameters != nullptr) {
    for (const ast::TypeParameter* variable : *signature.type_parameters) {
      auto bound = target.type_arguments.find(variable);
      if (bound != target.type_arguments.end()) {
        if (!check_inferred(call, *variable, bound->second, signature)) return unknown_;
        continue;
      }
      if (is_only_in_left_out(*variable, target)) continue;
      diagnostics_.report(diag::kCannotInfer, call.span, variable->name.text, signature.name);
      note_declaration(*signature.declaration);
      return unknown_;
    }
  }
  target.type = result;
  check_core_call(call, target);
  state_.set_call(call, std::move(target));
  return result;
}

bool Checker::check_inferred(const ast::Call& call, const ast::TypeParameter& variable, const Type* type,
                             const Signature& signature) {
  std::function<bool(const Type*, TypeKind)> has = [&](const Type* t, TypeKind kind) {
    return t->is(kind) || std::ranges::any_of(t->arguments, [&](const Type* a) { return has(a, kind); });
  };
  if (has(type, TypeKind::InfInt) && call.type_arguments.empty()) {
    diagnostics_.report(diag::kNoWidth, call.span, fmt::format("an argument of '{}'", signature.name));
    diagnostics_.note(variable.span, fmt::format("it is what '{}' stands for", variable.name.text));
    return false;
  }
  if (has(type, TypeKind::Record)) {
    diagnostics_.report(diag::kCannotInfer, call.span, variable.name.text, signature.name);
    note_declaration(*signature.declaration);
    return false;
  }
  switch (type->kind) {
    case TypeKind::Void:
    case TypeKind::Table:
    case TypeKind::Action:
    case TypeKind::Parser:
    case TypeKind::Control:
    case TypeKind::Package:
    case TypeKind::ApplyResult:
    case TypeKind::InvalidHeader:
    case TypeKind::Dots:
    case TypeKind::NamedType:
    case TypeKind::Function:
      diagnostics_.report(diag::kBadType, call.span,
                          fmt::format("type argument '{}' of '{}'", variable.name.text, signature.name),
                          to_string(type));
      return false;
    default:
      return true;
  }
}

bool Checker::is_only_in_left_out(const ast::TypeParameter& variable, const CallTarget& target) const {
  auto speaks_of_it = [&](const Type* type) {
    Inference inference;
    collect_variables(type, inference);
    return inference.variables.contains(&variable);
  };
  return std::ranges::all_of(target.arguments,
                             [&](const BoundArgument& argument) {
                               return argument.value == nullptr ||
                                      !speaks_of_it(state_.type(*argument.parameter));
                             }) &&
         std::ranges::any_of(target.arguments, [&](const BoundArgument& argument) {
           return speaks_of_it(state_.type(*argument.parameter));
         });
}

void Checker::check_core_call(const ast::Call& call, const CallTarget& target) {
  const std::string& name = target.declaration->name.text;
  if (target.kind == CallKind::ExternFunction && name == "verify" && context_.place != Place::State) {
    diagnostics_.report(diag::kMisplaced, call.span, "'verify'", place_name());
  }
  if (target.kind != CallKind::ExternMethod) return;
  if (state_.type(*target.receiver)->declaration->name.text != "packet_in") return;
  if (name == "extract" && !target.arguments.empty()) {
    const Type* type = target.arguments.front().type;
    if (type->is(TypeKind::Unknown) || type->is(TypeKind::TypeVariable) ||
        target.arguments.front().value == nullptr)
      return;
    if (!type->is(TypeKind::Header)) {
      diagnostics_.report(diag::kBadArgument, call.span,
                          fmt::format("only headers are extracted, not '{}'", to_string(type)));
      return;
    }
    const bool has_varbit = std::ranges::any_of(
        types_.fields(type), [](const FieldType& f) { return f.type->is(TypeKind::Varbit); });
    if (has_varbit != (target.arguments.size() == 2)) {
      diagnostics_.report(
          diag::kBadArgument, call.span,
          has_varbit ? fmt::format("'{}' has a varbit field: its size must be given", to_string(type))
                     : fmt::format("'{}' has no varbit field whose size could be given", to_string(type)));
    }
  } else if (name == "lookahead" && !has_type_variable(target.type)) {
    auto size = size_in_bits(types_, target.type);
    if (!size || size->least != size->most) {
      diagnostics_.report(
          diag::kBadArgument, call.span,
          fmt::format("lookahead needs a type of fixed size, not '{}'", to_string(target.type)));
    }
  }
}

const Type* Checker::wrong_call(const ast::Call& call) {
  state_.set_type(*call.callee, unknown_);
  return unknown_;
}

const Type* Checker::call_member(const ast::Call& call, const ast::Member& member) {
  const Type* type = check_expression(*member.object);
  if (type->is(TypeKind::Unknown)) return wrong_call(call);
  state_.set_type(member, types_.get(TypeKind::Function));
  const std::string& name = member.member.text;
  if (type->is(TypeKind::Extern)) return call_extern_method(call, member, type);
  const Type* object = type->is(TypeKind::NamedType) ? type->arguments[0] : type;
  if (object->is(TypeKind::Unknown)) return wrong_call(call);
  const bool can_apply =
      object->is(TypeKind::Parser) || object->is(TypeKind::Control) || object->is(TypeKind::Table);
  if (can_apply && name == "apply") return call_apply(call, member, object);
  return call_builtin(call, member, type);
}

const Type* Checker::call_extern_method(const ast::Call& call, const ast::Member& member, const Type* type) {
  const auto* declaration = ast::cast<ast::Extern>(type->declaration);
  std::vector<Signature> candidates;
  std::vector<std::string> names;
  for (const ast::Method* method : declaration->methods) {
    if (method->is_constructor()) continue;
    names.push_back(method->name.text);
    if (method->name.text != member.member.text) continue;
    candidates.push_back({method, method->name.text, &method->type_parameters, &method->parameters});
  }
  if (candidates.empty()) return unknown_member(member, type, names);
  const Signature* chosen = select(candidates, {call.span, &call.arguments, nullptr});
  if (chosen == nullptr) return unknown_;
  const auto* method = ast::cast<ast::Method>(chosen->declaration);
  state_.set_target(member, method);
  CallTarget target;
  target.kind = CallKind::ExternMethod;
  target.declaration = method;
  target.receiver = member.object;
  return finish_call(call, std::move(target), *chosen, *method->return_type, substitution_of(type));
}

const Type* Checker::call_apply(const ast::Call& call, const ast::Member& member, const Type* type) {
  CallTarget target;
  target.declaration = type->declaration;
  target.receiver = member.object;
  target.type = void_;
  state_.set_target(member, type->declaration);
  const bool is_parser = type->is(TypeKind::Parser);
  if (context_.place != (is_parser ? Place::State : Place::ControlBody)) {
    const char* what = is_parser                   ? "applying a parser"
                       : type->is(TypeKind::Table) ? "applying a table"
                                                   : "applying a control";
    diagnostics_.report(diag::kMisplaced, call.span, what, place_name());
    return type->is(TypeKind::Table) ? types_.declared(TypeKind::ApplyResult, type->declaration) : void_;
  }
  if (is_open(*type->declaration)) {
    diagnostics_.report(diag::kRecursion, call.span, type->declaration->name.text);
    return unknown_;
  }
  if (type->is(TypeKind::Table)) {
    if (!require_no_arguments(call, "apply")) return unknown_;
    target.kind = CallKind::TableApply;
    target.type = types_.declared(TypeKind::ApplyResult, type->declaration);
    return state_.set_call(call, std::move(target)).type;
  }
  target.kind = is_parser ? CallKind::ParserApply : CallKind::ControlApply;
  const Parameters* parameters = nullptr;
  const Parameters* constructor = nullptr;
  if (const auto* parser = ast::dyn_cast<ast::Parser>(type->declaration)) {
    parameters = &parser->parameters;
    constructor = &parser->constructor_parameters;
  } else if (const auto* control = ast::dyn_cast<ast::Control>(type->declaration)) {
    parameters = &control->parameters;
    constructor = &control->constructor_parameters;
  } else if (const auto* parser_type = ast::dyn_cast<ast::ParserType>(type->declaration)) {
    parameters = &parser_type->parameters;
  } else {
    parameters = &ast::cast<ast::ControlType>(type->declaration)->parameters;
  }
  const bool is_direct = state_.type(*member.object)->is(TypeKind::NamedType);
  if (is_direct && (constructor == nullptr || std::ranges::any_of(*constructor, [](const ast::Parameter* p) {
                      return !may_be_left_out(*p);
                    }))) {
    diagnostics_.report(diag::kNotCallable, member.object->span,
                        fmt::format("'{}' needs an instance; it", type->declaration->name.text));
    return unknown_;
  }
  const Signature signature{type->declaration, type->declaration->name.text, nullptr, parameters};
  if (!bind_arguments(signature, {call.span, &call.arguments, nullptr}, target, substitution_of(type)))
    return void_;
  state_.set_call(call, std::move(target));
  return void_;
}

bool Checker::require_no_arguments(const ast::Call& call, std::string_view name) {
  if (call.arguments.empty() && call.type_arguments.empty()) return true;
  diagnostics_.report(diag::kArgumentCount, call.span, name, 0, "s", call.arguments.size());
  return false;
}

const Type* Checker::call_builtin(const ast::Call& call, const ast::Member& member, const Type* type) {
  static const std::unordered_map<std::string_view, CallKind> kSizes{
      {"minSizeInBits", CallKind::MinSizeInBits},
      {"minSizeInBytes", CallKind::MinSizeInBytes},
      {"maxSizeInBits", CallKind::MaxSizeInBits},
      {"maxSizeInBytes", CallKind::MaxSizeInBytes}};
  static const std::unordered_map<std::string_view, CallKind> kHeaders{
      {"isValid", CallKind::IsValid}, {"setValid", CallKind::SetValid}, {"setInvalid", CallKind::SetInvalid}};
  const std::string& name = member.member.text;
  CallTarget target;
  target.receiver = member.object;
  if (auto size = kSizes.find(name); size != kSizes.end()) {
    const Type* sized = type->is(TypeKind::NamedType) ? type->arguments[0] : type;
    if (!has_type_variable(sized) && !size_in_bits(types_, sized)) return unknown_member(member, type, {});
    if (!require_no_arguments(call, name)) return unknown_;
    target.kind = size->second;
    target.type = int_;
    return state_.set_call(call, std::move(target)).type;
  }
  const bool is_header = type->is(TypeKind::Header);
  if (auto method = kHeaders.find(name);
      method != kHeaders.end() &&
      (is_header || (type->is(TypeKind::HeaderUnion) && method->second == CallKind::IsValid))) {
    if (!require_no_arguments(call, name)) return unknown_;
    target.kind = method->second;
    target.type = target.kind == CallKind::IsValid ? bool_ : void_;
    if (target.kind != CallKind::IsValid && !require_assignable(*member.object)) return void_;
    return state_.set_call(call, std::move(target)).type;
  }
  const bool is_stack = type->is(TypeKind::Stack) && (type->arguments[0]->is(TypeKind::Header) ||
                                                      type->arguments[0]->is(TypeKind::HeaderUnion));
  if (is_stack && name == "push_front") return call_push_pop(call, member, CallKind::PushFront);
  if (is_stack && name == "pop_front") return call_push_pop(call, member, CallKind::PopFront);
  std::vector<std::string> known;
  if (is_header) known = {"isValid", "setValid", "setInvalid"};
  if (is_stack) known = {"push_front", "pop_front"};
  return unknown_member(member, type, known);
}

const Type* Checker::call_push_pop(const ast::Call& call, const ast::Member& member, CallKind kind) {
  if (call.arguments.size() != 1 || call.arguments.front().value == nullptr) {
    diagnostics_.report(diag::kArgumentCount, call.span, member.member.text, 1, "", call.arguments.size());
    return void_;
  }
  if (!require_assignable(*member.object)) return void_;
  const ast::Expression& count = *call.arguments.front().value;
  auto value = constant_integer(count, "the number of elements");
  if (!value) return void_;
  if (*value < 0) {
    diagnostics_.report(diag::kBadWidth, count.span, "the number of elements", "at least 0", value->str());
    return void_;
  }
  CallTarget target;
  target.kind = kind;
  target.receiver = member.object;
  target.type = void_;
  target.arguments.push_back({.type = state_.type(count), .value = &count});
  target.evaluation_order.push_back(0);
  state_.set_call(call, std::move(target));
  return void_;
}

}  // namespace perfpact::p4
