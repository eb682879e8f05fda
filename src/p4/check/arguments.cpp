// Arguments: which overload takes them, which parameter each belongs to, what type arguments follow.
#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

bool is_plural(std::size_t count) {
  return count != 1;
}

std::vector<std::string> names_of(const std::vector<ast::Parameter*>& parameters) {
  std::vector<std::string> result;
  for (const ast::Parameter* parameter : parameters) result.push_back(parameter->name.text);
  return result;
}

}  // namespace

bool may_be_left_out(const ast::Parameter& parameter) {
  return parameter.default_value != nullptr ||
         ast::find_annotation(parameter.annotations, "optional") != nullptr;
}

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
    const Type* given = site.type_arguments == nullptr ? nullptr : (*site.type_arguments)[i];
    if (given != nullptr && !given->is(TypeKind::DontCare)) {
      inference.bindings[variables[i]] = given;
    } else {
      inference.variables.insert(variables[i]);
    }
  }
  const Substitution written = inference.bindings;
  bool is_right = true;
  if (!variables.empty()) {
    for (const BoundArgument& argument : target.arguments) {
      if (argument.value == nullptr) continue;
      const Type* parameter =
          types_.substitute(types_.substitute(state_.type(*argument.parameter), outer), written);
      const Type* given = state_.type(*argument.value);
      const bool becomes_int =
          given != nullptr && given->is(TypeKind::Bits) && parameter->is(TypeKind::InfInt);
      if (given == nullptr || becomes_int || unify(parameter, given, inference) || argument.is_default)
        continue;
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
  if (argument.type->is(TypeKind::DontCare)) {
    diagnostics_.report(diag::kBadArgument, value.span,
                        fmt::format("parameter '{}' of '{}' is of type '_', which nothing is known of",
                                    parameter.name.text, signature.name));
    return false;
  }
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
        diag::kNotKnown, value.span,
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

}  // namespace perfpact::p4
