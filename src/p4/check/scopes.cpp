#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

const std::vector<ast::Parameter*>* parameters_of(const ast::Declaration& declaration) {
  if (const auto* function = ast::dyn_cast<ast::Function>(&declaration)) return &function->parameters;
  if (const auto* method = ast::dyn_cast<ast::Method>(&declaration)) return &method->parameters;
  if (const auto* parser = ast::dyn_cast<ast::Parser>(&declaration)) return &parser->constructor_parameters;
  if (const auto* control = ast::dyn_cast<ast::Control>(&declaration))
    return &control->constructor_parameters;
  if (const auto* package = ast::dyn_cast<ast::Package>(&declaration)) return &package->parameters;
  return nullptr;
}

/// Calls can tell two functions apart by the number or the names of their parameters.
bool can_tell_apart(const ast::Declaration& a, const ast::Declaration& b) {
  const auto* first = parameters_of(a);
  const auto* second = parameters_of(b);
  if (first == nullptr || second == nullptr || a.kind != b.kind) return false;
  if (first->size() != second->size()) return true;
  return !std::ranges::equal(
      *first, *second, {}, [](const ast::Parameter* p) { return p->name.text; },
      [](const ast::Parameter* p) { return p->name.text; });
}

}  // namespace

void Checker::declare(const ast::Declaration& declaration) {
  Declarations& same = scopes_.back().names[declaration.name.text];
  if (std::ranges::find(same, &declaration) != same.end()) return;
  for (const ast::Declaration* other : same) {
    if (can_tell_apart(declaration, *other)) continue;
    diagnostics_.report(diag::kDuplicateDeclaration, declaration.name.span, declaration.name.text);
    diagnostics_.note(other->name.span, "first declared here");
    return;
  }
  same.push_back(&declaration);
}

void Checker::check_hiding(const ast::Declaration& declaration) {
  if (context_.place == Place::ControlLocals || context_.place == Place::ParserLocals) return;
  const Declarations* hidden = find(declaration.name.text, false);
  if (hidden == nullptr || !ast::isa<ast::Parameter>(hidden->front())) return;
  diagnostics_.report(diag::kHidesParameter, declaration.name.span, declaration.name.text);
  note_declaration(*hidden->front());
}

const Checker::Declarations* Checker::find(std::string_view name, bool absolute) const {
  for (std::size_t i = absolute ? 1 : scopes_.size(); i > 0; --i) {
    const auto& names = scopes_[i - 1].names;
    auto found = names.find(name);
    if (found != names.end() && !found->second.empty()) return &found->second;
  }
  return nullptr;
}

Checker::Declarations Checker::find_callable(const ast::Name& name) const {
  Declarations open;
  for (std::size_t i = name.absolute ? 1 : scopes_.size(); i > 0; --i) {
    auto found = scopes_[i - 1].names.find(name.name.text);
    if (found == scopes_[i - 1].names.end()) continue;
    Declarations usable;
    for (const ast::Declaration* declaration : found->second) {
      (is_open(*declaration) ? open : usable).push_back(declaration);
    }
    if (!usable.empty()) return usable;
  }
  return open;
}

std::vector<std::string> Checker::visible_names(bool (*wanted)(const ast::Declaration&)) const {
  std::vector<std::string> result;
  for (const Scope& scope : scopes_) {
    for (const auto& [name, declarations] : scope.names) {
      if (!declarations.empty() && wanted(*declarations.front())) result.emplace_back(name);
    }
  }
  std::ranges::sort(result);
  return result;
}

bool Checker::is_open(const ast::Declaration& declaration) const {
  return std::ranges::find(open_, &declaration) != open_.end();
}

std::string Checker::place_name() const {
  switch (context_.place) {
    case Place::Global:
      return "the global scope";
    case Place::ParserLocals:
      return "the declarations of a parser";
    case Place::State:
      return "a parser state";
    case Place::ControlLocals:
      return "the declarations of a control";
    case Place::ControlBody:
      return "a control";
    case Place::Action:
      return "an action";
    case Place::Function:
      return "a function";
  }
  return "this place";
}

void Checker::note_declaration(const ast::Declaration& declaration) {
  diagnostics_.note(declaration.name.span, fmt::format("'{}' is declared here", declaration.name.text));
}

}  // namespace perfpact::p4
