#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

/// The same text but for the order of `name = value`.
bool is_same_text(const ast::Expression& a, const ast::Expression& b) {
  const auto* first = ast::dyn_cast<ast::StructLiteral>(&a);
  const auto* second = ast::dyn_cast<ast::StructLiteral>(&b);
  if (first == nullptr || second == nullptr) return to_source(a) == to_source(b);
  return std::ranges::is_permutation(first->fields, second->fields, [](const auto& x, const auto& y) {
    return x.first.text == y.first.text && is_same_text(*x.second, *y.second);
  });
}

/// The control plane can name the key by its text (specification, section 18.3.3).
bool has_name_of_its_own(const ast::Expression& key) {
  using ast::NodeKind;
  switch (key.kind) {
    case NodeKind::Name:
    case NodeKind::This:
    case NodeKind::TypeName:
    case NodeKind::IntegerLiteral:
    case NodeKind::BoolLiteral:
      return true;
    case NodeKind::Member:
      return has_name_of_its_own(*ast::cast<ast::Member>(&key)->object);
    case NodeKind::Index:
      return has_name_of_its_own(*ast::cast<ast::Index>(&key)->object);
    case NodeKind::Slice:
      return has_name_of_its_own(*ast::cast<ast::Slice>(&key)->object);
    case NodeKind::PlusSlice:
      return has_name_of_its_own(*ast::cast<ast::PlusSlice>(&key)->object);
    case NodeKind::Call:
      return has_name_of_its_own(*ast::cast<ast::Call>(&key)->callee);
    case NodeKind::Binary: {
      const auto* binary = ast::cast<ast::Binary>(&key);
      return binary->op == ast::BinaryOperator::BitAnd && has_name_of_its_own(*binary->left) &&
             has_name_of_its_own(*binary->right);
    }
    default:
      return false;
  }
}

}  // namespace

void Checker::check_table(const ast::Table& table) {
  TableInfo info;
  std::unordered_map<std::string_view, Span> seen;
  for (const auto& [name, span] : table.property_order) {
    auto [first, is_new] = seen.emplace(name, span);
    if (is_new) continue;
    diagnostics_.report(diag::kDuplicateProperty, span, name);
    diagnostics_.note(first->second, "first given here");
  }
  require_order(table, "actions", "default_action");
  require_order(table, "key", "entries");
  check_keys(table, info);
  check_actions(table, info);
  check_properties(table, info);
  if (!info.default_action) add_no_action(table, info);
  check_entries(table, info);
  state_.table(table) = std::move(info);
  state_.set_type(table, types_.declared(TypeKind::Table, &table));
  declare(table);
}

Span Checker::property_span(const ast::Table& table, std::string_view name) {
  auto found = std::ranges::find(table.property_order, name, [](const auto& p) { return p.first; });
  return found == table.property_order.end() ? table.name.span : found->second;
}

void Checker::require_order(const ast::Table& table, std::string_view first, std::string_view second) {
  auto place = [&](std::string_view name) {
    return std::ranges::find(table.property_order, name, [](const auto& p) { return p.first; });
  };
  if (place(second) == table.property_order.end() || place(first) == table.property_order.end()) return;
  if (place(second) > place(first)) return;
  diagnostics_.report(diag::kPropertyOrder, place(second)->second, second, first);
}

void Checker::check_keys(const ast::Table& table, TableInfo& info) {
  NewScope scope(*this);  // in the table its name stands for the table
  declare(table);
  const Restore<Context> restore(context_);
  context_.place = Place::ControlBody;  // keys are evaluated where the table is applied
  for (const ast::KeyElement* key : table.keys) {
    check_annotations(key->annotations);
    if (!has_name_of_its_own(*key->expression) && ast::find_annotation(key->annotations, "name") == nullptr) {
      diagnostics_.report(diag::kUnnamedKey, key->expression->span);
    }
    const Type* type = check_expression(*key->expression);
    const Type* below = representation(type);
    switch (below->kind) {
      case TypeKind::Unknown:
      case TypeKind::Bits:
      case TypeKind::Bool:
      case TypeKind::Varbit:
      case TypeKind::Enum:
      case TypeKind::Error:
      case TypeKind::TypeVariable:
        break;
      case TypeKind::InfInt:
        diagnostics_.report(diag::kNoWidth, key->expression->span, "a key");
        break;
      default:
        diagnostics_.report(diag::kBadType, key->expression->span, "a key", to_string(type));
        break;
    }
    if (!match_kinds_.contains(key->match_kind.text)) {
      std::vector<std::string> known;
      for (const auto& [name, member] : match_kinds_) known.emplace_back(name);
      std::ranges::sort(known);
      diagnostics_.report(diag::kUnknownMatchKind, key->match_kind.span, key->match_kind.text,
                          did_you_mean(key->match_kind.text, known));
    }
    info.keys.push_back({key, key->match_kind.text, type});
  }
}

const ast::Action* Checker::find_action(const ast::Name& name) {
  const Declarations* found = find(name.name.text, name.absolute);
  state_.set_type(name, unknown_);
  const auto* action = found == nullptr ? nullptr : ast::dyn_cast<ast::Action>(found->front());
  if (action == nullptr) {
    diagnostics_.report(diag::kUnknownAction, name.span, name.name.text,
                        did_you_mean(name.name.text, visible_names([](const ast::Declaration& d) {
                                       return ast::isa<ast::Action>(&d);
                                     })));
    if (found != nullptr) note_declaration(*found->front());
    return nullptr;
  }
  state_.set_type(name, types_.declared(TypeKind::Action, action));
  state_.set_target(name, action);
  return action;
}

void Checker::check_actions(const ast::Table& table, TableInfo& info) {
  if (!table.has_actions) diagnostics_.report(diag::kNoActions, table.name.span, table.name.text);
  std::unordered_set<const ast::Action*> seen;
  for (const ast::ActionElement* element : table.actions) {
    check_arguments(element->arguments);
    const ast::Action* action = find_action(*element->action);
    if (action == nullptr) continue;
    if (!seen.insert(action).second) {
      diagnostics_.report(diag::kDuplicateDeclaration, element->span, action->name.text);
      continue;
    }
    ActionReference reference;
    bind_action(*action, element->arguments, element->span, nullptr, reference);
    info.actions.push_back({element, std::move(reference)});
  }
}

bool Checker::bind_action(const ast::Action& action, const Arguments& arguments, const Span& span,
                          const ActionReference* listed, ActionReference& reference) {
  reference.action = &action;
  Parameters with_direction;
  Parameters data;
  for (ast::Parameter* parameter : action.parameters) {
    (parameter->direction == ast::Direction::None ? data : with_direction).push_back(parameter);
    reference.arguments.push_back({.parameter = parameter, .type = state_.type(*parameter)});
  }
  // In `actions` the parameters with a direction are bound; elsewhere the data too (and again the others, or
  // not).
  const Parameters* wanted = &with_direction;
  if (listed != nullptr) wanted = arguments.size() == data.size() ? &data : &action.parameters;
  CallTarget target;
  const Signature signature{&action, action.name.text, nullptr, wanted, true};
  if (!bind_arguments(signature, {span, &arguments, nullptr}, target, {})) return false;
  if (listed != nullptr && listed->arguments.size() == reference.arguments.size())
    reference.arguments = listed->arguments;
  bool is_right = true;
  for (const BoundArgument& bound : target.arguments) {
    auto place = std::ranges::find(reference.arguments, bound.parameter, &BoundArgument::parameter);
    const bool is_data = bound.parameter->direction == ast::Direction::None;
    if (!is_data) is_right = is_bound_alike(*place, bound) && is_right;
    *place = bound;
    if (is_data && bound.value != nullptr && !is_compile_time(*bound.value)) {
      diagnostics_.report(diag::kNotKnown, bound.value->span,
                          fmt::format("the value for '{}'", bound.parameter->name.text));
      is_right = false;
    }
  }
  return is_right;
}

bool Checker::is_bound_alike(const BoundArgument& listed, const BoundArgument& given) {
  if (listed.value == nullptr || given.value == nullptr || is_same_text(*listed.value, *given.value))
    return true;
  const std::string expected = to_source(*listed.value);
  diagnostics_.report(
      diag::kBadArgument, given.value->span,
      fmt::format("parameter '{}' is bound to '{}' in 'actions'", given.parameter->name.text, expected));
  diagnostics_.note(listed.value->span, "bound here");
  return false;
}

std::optional<std::uint32_t> Checker::listed_action(const ast::Name& name, const ast::Table& table,
                                                    const TableInfo& info) {
  const ast::Action* action = find_action(name);
  if (action == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < info.actions.size(); ++i) {
    if (info.actions[i].reference.action == action) return static_cast<std::uint32_t>(i);
  }
  diagnostics_.report(diag::kNotInActions, name.span, action->name.text, table.name.text);
  note_declaration(table);
  return std::nullopt;
}

void Checker::check_properties(const ast::Table& table, TableInfo& info) {
  for (const ast::TableProperty* property : table.properties) {
    const std::string& name = property->name.text;
    if (name == "default_action") {
      check_default_action(*property, table, info);
      continue;
    }
    const Type* type = check_expression(*property->value);
    if (type->is(TypeKind::Unknown)) continue;
    if (name == "size") {
      check_size(*property, info);
    } else if (name == "largest_priority_wins") {
      auto value = known_value(*property->value);
      if (value && value->boolean() != nullptr) {
        info.largest_priority_wins = *value->boolean();
      } else {
        mismatch(*property->value, bool_);
      }
    } else if (name == "priority_delta") {
      check_delta(*property, info);
    } else {
      info.other_properties.push_back(property);
    }
  }
}

void Checker::check_size(const ast::TableProperty& property, TableInfo& info) {
  info.size_expression = property.value;
  if (!known_value(*property.value) && is_compile_time(*property.value)) return;
  auto size = constant_integer(*property.value, "the size of a table");
  if (!size) return;
  if (*size < 0) {
    diagnostics_.report(diag::kBadWidth, property.value->span, "the size of a table", "at least 0",
                        size->str());
    return;
  }
  info.size = *size;
}

void Checker::check_default_action(const ast::TableProperty& property, const ast::Table& table,
                                   TableInfo& info) {
  info.default_is_const = property.is_const;
  static const Arguments kNone;
  const Arguments* arguments = &kNone;
  const auto* name = ast::dyn_cast<ast::Name>(property.value);
  if (const auto* call = ast::dyn_cast<ast::Call>(property.value)) {
    name = ast::dyn_cast<ast::Name>(call->callee);
    arguments = &call->arguments;
    check_arguments(*arguments);
    state_.set_type(*call, void_);
    state_.set_type(*call->callee, unknown_);
  }
  if (name == nullptr) {
    check_expression(*property.value);
    diagnostics_.report(diag::kBadProperty, property.value->span, "default_action must be an action");
    return;
  }
  auto index = listed_action(*name, table, info);
  if (!index) {
    info.default_action = 0;  // a fault was reported: no implicit NoAction
    return;
  }
  const ast::ActionElement* element = info.actions[*index].element;
  if (element != nullptr && ast::find_annotation(element->annotations, "tableonly") != nullptr) {
    diagnostics_.report(diag::kBadProperty, property.value->span,
                        fmt::format("action '{}' is marked @tableonly", name->name.text));
  }
  const ActionReference& listed = info.actions[*index].reference;
  if (bind_action(*listed.action, *arguments, property.value->span, &listed, info.default_reference)) {
    info.default_action = index;
  }
}

void Checker::check_delta(const ast::TableProperty& property, TableInfo& info) {
  auto delta = constant_integer(*property.value, "the difference of priorities");
  if (!delta) return;
  if (*delta < 1) {
    diagnostics_.report(diag::kBadWidth, property.value->span, "the difference of priorities", "at least 1",
                        delta->str());
    return;
  }
  info.priority_delta = *delta;
}

void Checker::add_no_action(const ast::Table& table, TableInfo& info) {
  const auto& globals = scopes_.front().names;
  auto found = globals.find("NoAction");
  if (found == globals.end() || found->second.empty()) {
    diagnostics_.report(diag::kNoNoAction, table.name.span, table.name.text);
    return;
  }
  const ast::Declaration& declared = *found->second.front();
  const auto* no_action = ast::dyn_cast<ast::Action>(&declared);
  if (no_action == nullptr || !no_action->parameters.empty() || !no_action->body->statements.empty()) {
    diagnostics_.report(
        diag::kBadDeclaration, declared.name.span,
        fmt::format("'NoAction' must be an action without parameters that does nothing: it is the "
                    "default of table '{}'",
                    table.name.text));
    return;
  }
  info.default_reference.action = no_action;
  for (const TableInfo::Action& action : info.actions) {
    if (action.reference.action == no_action) return;
  }
  info.actions.push_back({nullptr, {no_action, {}}});
}

}  // namespace perfpact::p4
