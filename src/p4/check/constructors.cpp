// Instances and constructor calls.
#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

const Type* Checker::construct(const ast::Node& node, const ast::Type& type, const Arguments& arguments) {
  check_arguments(arguments);
  const auto* specialized = ast::dyn_cast<ast::SpecializedType>(&type);
  const auto* named = specialized != nullptr ? specialized->base : ast::dyn_cast<ast::NamedType>(&type);
  if (named == nullptr) {
    const Type* made = resolve(type);
    if (!made->is(TypeKind::Unknown))
      diagnostics_.report(diag::kNotCallable, type.span, fmt::format("'{}'", to_string(made)));
    return unknown_;
  }
  const ast::Declaration* declaration = find_type(*named);
  std::vector<const Type*> type_arguments;
  if (specialized != nullptr) type_arguments = resolve_all(specialized->arguments);
  if (declaration == nullptr) return unknown_;
  bool are_given = specialized != nullptr;
  TypeKind kind = TypeKind::Unknown;
  if (ast::isa<ast::Typedef>(declaration)) {
    const Type* meant = state_.type(*declaration);
    if (meant->is(TypeKind::Unknown)) return unknown_;
    if (specialized != nullptr) {
      diagnostics_.report(diag::kTypeArguments, type.span, named->name.text, 0, "s",
                          std::to_string(type_arguments.size()));
      note_declaration(*declaration);
      return unknown_;
    }
    if (meant->declaration != nullptr) declaration = meant->declaration;
    type_arguments = meant->arguments;
    are_given = true;
  }
  if (is_open(*declaration)) {
    diagnostics_.report(diag::kRecursion, node.span, declaration->name.text);
    return unknown_;
  }
  std::vector<Signature> candidates;
  auto add = [&](const ast::Declaration* at, const Parameters& parameters) {
    const ast::Declaration& generic = ast::isa<ast::Method>(at) ? *declaration : *at;
    candidates.push_back({at, declaration->name.text, type_parameters_of(generic), &parameters, false, true});
  };
  const Declarations* overloads = find(named->name.text, named->absolute);
  if (const auto* external = ast::dyn_cast<ast::Extern>(declaration)) {
    kind = TypeKind::Extern;
    for (const ast::Method* method : external->methods) {
      if (method->is_constructor()) add(method, method->parameters);
    }
  } else {
    const Declarations only{declaration};
    for (const ast::Declaration* overload : overloads->front() == declaration ? *overloads : only) {
      if (const auto* parser = ast::dyn_cast<ast::Parser>(overload)) {
        kind = TypeKind::Parser;
        add(parser, parser->constructor_parameters);
      } else if (const auto* control = ast::dyn_cast<ast::Control>(overload)) {
        kind = TypeKind::Control;
        add(control, control->constructor_parameters);
      } else if (const auto* package = ast::dyn_cast<ast::Package>(overload)) {
        kind = TypeKind::Package;
        add(package, package->parameters);
      }
    }
  }
  if (candidates.empty()) {
    diagnostics_.report(diag::kNotCallable, type.span,
                        fmt::format("'{}' has no constructor; it", named->name.text));
    note_declaration(*declaration);
    return unknown_;
  }
  const bool is_block = kind == TypeKind::Parser || kind == TypeKind::Control;
  if (is_block && context_.place == Place::Global && ast::isa<ast::Instance>(&node)) {
    diagnostics_.report(diag::kMisplaced, node.span, "an instance of a parser or control", place_name());
  }
  if (are_given && !check_type_arguments(*declaration, type_arguments, type.span)) return unknown_;
  const CallSite site{node.span, &arguments, are_given ? &type_arguments : nullptr};
  const Signature* chosen = select(candidates, site);
  if (chosen == nullptr) return unknown_;
  if (kind != TypeKind::Extern) declaration = chosen->declaration;
  CallTarget target;
  target.kind = CallKind::Constructor;
  target.declaration = declaration;
  target.constructor = ast::dyn_cast<ast::Method>(chosen->declaration);
  if (!bind_arguments(*chosen, site, target, {})) return unknown_;
  std::vector<const Type*> made;
  for (const ast::TypeParameter* variable : *chosen->type_parameters) {
    auto bound = target.type_arguments.find(variable);
    if (bound == target.type_arguments.end()) {
      const bool is_defaulted = std::ranges::any_of(target.arguments, [&](const BoundArgument& argument) {
        if (!argument.is_default) return false;
        Inference inference;
        collect_variables(state_.type(*argument.parameter), inference);
        return inference.variables.contains(variable);
      });
      const bool is_left_open = are_given || (kind == TypeKind::Package && !is_defaulted);
      if (!is_left_open) {
        diagnostics_.report(diag::kCannotInfer, type.span, variable->name.text, declaration->name.text);
        return unknown_;
      }
      made.push_back(types_.get(TypeKind::DontCare));
    } else {
      made.push_back(bound->second);
    }
  }
  const Type* result = types_.declared(kind, declaration, std::move(made));
  target.type = result;
  state_.set_call(node, std::move(target));
  state_.set_type(type, result);
  return result;
}

const Type* Checker::check_constructor_call(const ast::ConstructorCall& call) {
  if (context_.place == Place::Action || context_.place == Place::Function) {
    diagnostics_.report(diag::kMisplaced, call.span, "an instance", place_name());
  }
  const Type* type = construct(call, *call.type, call.arguments);
  if (!type->is(TypeKind::Extern)) return type;
  for (const ast::Method* method : ast::cast<ast::Extern>(type->declaration)->methods) {
    if (!method->is_abstract) continue;
    diagnostics_.report(
        diag::kAbstractMethod, call.span,
        fmt::format("'{}' is abstract: only a declared instance can implement it", method->name.text));
    diagnostics_.note(method->name.span, "declared here");
    break;
  }
  return type;
}

void Checker::check_instance(const ast::Instance& instance) {
  if (context_.place != Place::Global && context_.place != Place::ParserLocals &&
      context_.place != Place::ControlLocals) {
    diagnostics_.report(diag::kMisplaced, instance.span, "an instance", place_name());
  }
  const Type* type = construct(instance, *instance.type, instance.arguments);
  state_.set_type(instance, type);
  if (type->is(TypeKind::Extern)) {
    if (instance.has_block) check_instance_block(instance, type);
    check_abstract_methods(instance, *ast::cast<ast::Extern>(type->declaration));
  } else if (instance.has_block && !type->is(TypeKind::Unknown)) {
    diagnostics_.report(diag::kAbstractMethod, instance.span,
                        "only externs have abstract methods to implement");
  }
  if (context_.place == Place::Global && instance.name.text == "main") {
    if (type->is(TypeKind::Package)) {
      state_.set_main(&instance);
    } else if (!type->is(TypeKind::Unknown)) {
      diagnostics_.report(diag::kBadMain, instance.name.span);
    }
  }
  check_hiding(instance);
  declare(instance);
}

void Checker::check_instance_block(const ast::Instance& instance, const Type* type) {
  NewScope scope(*this);
  const Restore<Context> restore(context_);
  context_.this_type = type;
  const auto* declaration = ast::cast<ast::Extern>(type->declaration);
  const Substitution substitution = substitution_of(type);
  for (const ast::Declaration* member : instance.block) {
    check_declaration(*member);
    const auto* function = ast::dyn_cast<ast::Function>(member);
    if (function == nullptr) continue;
    auto implements = [&](const ast::Method* method) {
      return method->is_abstract && method->name.text == function->name.text &&
             method->parameters.size() >= function->parameters.size() &&
             std::all_of(
                 method->parameters.begin() + static_cast<std::ptrdiff_t>(function->parameters.size()),
                 method->parameters.end(), [](const ast::Parameter* p) {
                   return ast::find_annotation(p->annotations, "optional") != nullptr;
                 });
    };
    auto method = std::ranges::find_if(declaration->methods, implements);
    if (method == declaration->methods.end()) {
      diagnostics_.report(
          diag::kAbstractMethod, function->name.span,
          fmt::format("'{}' has no abstract method '{}' with {} parameters", declaration->name.text,
                      function->name.text, function->parameters.size()));
      note_declaration(*declaration);
      continue;
    }
    state_.set_target(*function, *method);
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
      const ast::Parameter& given = *function->parameters[i];
      const ast::Parameter& expected = *(*method)->parameters[i];
      const Type* expected_type = types_.substitute(state_.type(expected), substitution);
      if (given.direction == expected.direction && state_.type(given) == expected_type) continue;
      diagnostics_.report(
          diag::kAbstractMethod, given.span,
          fmt::format("parameter '{}' differs from that of the abstract method", given.name.text));
      diagnostics_.note(expected.span, "the parameter of the abstract method");
    }
    const Type* expected_return = types_.substitute(state_.type(*(*method)->return_type), substitution);
    if (state_.type(*function->return_type) == expected_return) continue;
    diagnostics_.report(diag::kTypeMismatch, function->return_type->span, to_string(expected_return),
                        to_string(state_.type(*function->return_type)));
  }
}

void Checker::check_abstract_methods(const ast::Instance& instance, const ast::Extern& declaration) {
  for (const ast::Method* method : declaration.methods) {
    if (!method->is_abstract || ast::find_annotation(method->annotations, "optional") != nullptr) continue;
    const bool is_implemented = std::ranges::any_of(instance.block, [&](const ast::Declaration* member) {
      return ast::isa<ast::Function>(member) && member->name.text == method->name.text;
    });
    if (is_implemented) continue;
    diagnostics_.report(diag::kAbstractMethod, instance.name.span,
                        fmt::format("abstract method '{}' is not implemented", method->name.text));
    note_declaration(*method);
  }
}

}  // namespace perfpact::p4
