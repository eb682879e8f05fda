#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

void Checker::check_parser(const ast::Parser& declaration) {
  std::vector<const Type*> variables;
  {
    NewScope scope(*this);
    declare_type_parameters(declaration.type_parameters);
    for (const ast::TypeParameter* parameter : declaration.type_parameters)
      variables.push_back(state_.type(*parameter));
    check_parameters(declaration.parameters, ParametersOf::Apply);
    check_parameters(declaration.constructor_parameters, ParametersOf::Constructor);
    refuse_blocks(declaration.constructor_parameters, TypeKind::Control);
    const Within within(*this, declaration);
    const Restore<Context> restore(context_);
    NewScope locals(*this);
    for (const ast::Declaration* local : declaration.locals) {
      context_ = {.place = Place::ParserLocals};
      check_declaration(*local);
    }
    std::unordered_map<std::string_view, const ast::State*> names;
    for (const ast::State* state : declaration.states) {
      if (state->name.text == "accept" || state->name.text == "reject") {
        diagnostics_.report(diag::kReservedState, state->name.span, state->name.text);
      }
      auto [first, is_new] = names.emplace(state->name.text, state);
      if (is_new) continue;
      diagnostics_.report(diag::kDuplicateDeclaration, state->name.span, state->name.text);
      diagnostics_.note(first->second->name.span, "first declared here");
    }
    if (!names.contains("start")) {
      diagnostics_.report(diag::kMissingStart, declaration.name.span, declaration.name.text);
    }
    for (const ast::State* state : declaration.states) check_state(declaration, *state);
    check_reachability(declaration);
  }
  state_.set_type(declaration, type_of_declaration(declaration, std::move(variables)));
  declare(declaration);
}

void Checker::check_state(const ast::Parser& parser, const ast::State& state) {
  context_ = {.place = Place::State};
  NewScope scope(*this);
  check_statements(state.statements);
  if (!state.has_transition) return;
  if (state.is_select) {
    check_select(parser, state);
  } else {
    check_transition_name(parser, state.next_state);
  }
}

void Checker::check_transition_name(const ast::Parser& parser, const ast::Identifier& name) {
  if (name.text == "accept" || name.text == "reject") return;
  if (std::ranges::any_of(parser.states, [&](const ast::State* s) { return s->name.text == name.text; }))
    return;
  std::vector<std::string> known{"accept", "reject"};
  for (const ast::State* state : parser.states) known.push_back(state->name.text);
  diagnostics_.report(diag::kUnknownState, name.span, name.text, did_you_mean(name.text, known));
}

void Checker::check_select(const ast::Parser& parser, const ast::State& state) {
  std::vector<const Type*> keys;
  for (const ast::Expression* argument : state.select_arguments) {
    const Type* type = check_expression(*argument);
    if (type->is(TypeKind::InfInt)) {
      diagnostics_.report(diag::kNoWidth, argument->span, "a key of 'select'");
      type = unknown_;
    } else if (!is_comparable(type) || type->is(TypeKind::String) || type->is(TypeKind::Varbit) ||
               type->is(TypeKind::Struct) || type->is(TypeKind::Header) || type->is(TypeKind::Stack)) {
      diagnostics_.report(diag::kBadKeyset, argument->span,
                          fmt::format("'{}' cannot be selected on", to_string(type)));
      type = unknown_;
    }
    keys.push_back(type);
  }
  for (const ast::SelectCase* branch : state.cases) {
    for (const ast::Expression* element : check_keyset(*branch->keyset, keys)) {
      // A single value may yet prove constant; the lowering sees.
      if (ast::isa<ast::Mask>(element) || ast::isa<ast::Range>(element))
        check_key_is_known(*element, "a keyset of 'select'");
    }
    check_transition_name(parser, branch->state);
  }
}

void Checker::check_reachability(const ast::Parser& parser) {
  std::unordered_map<std::string_view, const ast::State*> names;
  for (const ast::State* state : parser.states) names.emplace(state->name.text, state);
  std::unordered_set<const ast::State*> reached;
  std::vector<std::string_view> pending{"start"};
  bool ends = false;
  while (!pending.empty()) {
    auto found = names.find(pending.back());
    pending.pop_back();
    ends = ends || found == names.end();  // accept, reject, or a name that stands for nothing
    if (found == names.end() || !reached.insert(found->second).second) continue;
    const ast::State& state = *found->second;
    ends = ends || !state.has_transition || state.is_select;  // without a case that matches: reject
    if (!state.is_select) pending.push_back(state.next_state.text);
    for (const ast::SelectCase* branch : state.cases) pending.push_back(branch->state.text);
  }
  if (!names.contains("start")) return;
  if (!ends) diagnostics_.report(diag::kNeverEnds, parser.name.span, parser.name.text);
  for (const ast::State* state : parser.states) {
    if (!reached.contains(state))
      diagnostics_.report(diag::kUnreachableState, state->name.span, state->name.text);
  }
}

}  // namespace perfpact::p4
