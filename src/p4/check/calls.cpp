// Calls: what is called, and the rules of calls that the declarations do not say.
#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

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
  const bool is_passed = std::ranges::any_of(*signature.parameters, [&](const ast::Parameter* parameter) {
    return parameter->direction != ast::Direction::None && state_.type(*parameter)->declaration == &variable;
  });
  if (type->is(TypeKind::String) && is_passed) {
    diagnostics_.report(diag::kBadArgument, call.span,
                        fmt::format("'{}' takes no string: its parameter has a direction", signature.name));
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
  bool is_spoken_of = false;
  for (std::uint32_t i = 0; i < target.arguments.size(); ++i) {
    if (!speaks_of_it(state_.type(*target.arguments[i].parameter))) continue;
    if (std::ranges::find(target.evaluation_order, i) != target.evaluation_order.end()) return false;
    is_spoken_of = true;
  }
  return is_spoken_of;
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
    if (!check_varbits(type, call.span)) return;
    const auto varbits = std::ranges::count_if(
        types_.fields(type), [](const FieldType& f) { return f.type->is(TypeKind::Varbit); });
    const bool has_size = target.arguments.size() == 2;
    std::string why;
    if (varbits > 0 && !has_size) {
      why = fmt::format("'{}' has a varbit field: its size must be given", to_string(type));
    } else if (varbits == 0 && has_size) {
      why = fmt::format("'{}' has no varbit field whose size could be given", to_string(type));
    }
    if (!why.empty()) diagnostics_.report(diag::kBadArgument, call.span, why);
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
  if (type->is(TypeKind::Table) || type->is(TypeKind::Parser) || type->is(TypeKind::Control))
    known = {"apply"};
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
