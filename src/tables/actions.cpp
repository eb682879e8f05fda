#include "tables/actions.h"

#include <cctype>

#include "packet/packet.h"
#include "tables/names.h"

namespace perfpact::tables {
namespace {

std::string parameter_list(const ActionSchema& action) {
  if (action.parameters.empty()) return "none";
  return fmt::format("{}", fmt::join(names_of(action.parameters), ", "));
}

// `port: 1` is named; `fe80::1` and `ab:cd:ef:00:11:22` are values.
Argument split_argument(const Word& word) {
  const std::size_t colon = word.text.find(':');
  if (colon == std::string_view::npos || packet::parse_value(word.text)) return {std::nullopt, word};
  return {word.part(0, colon), word.part(colon + 1)};
}

// The argument of every parameter, in order. Reports whatever does not fit.
std::optional<std::vector<const Argument*>> arrange(const ActionSchema& action, const Word& name,
                                                    const std::vector<Argument>& arguments,
                                                    Diagnostics& diagnostics) {
  std::vector<const Argument*> result(action.parameters.size(), nullptr);
  if (arguments.empty() || !arguments.front().name) {
    for (const Argument& argument : arguments) {
      if (!argument.name) continue;
      diagnostics.report(diag::kMixedArguments, arguments.front().value.span, action.name);
      return std::nullopt;
    }
    if (arguments.size() != action.parameters.size()) {
      diagnostics.report(diag::kArgumentCount, name.span, action.name, action.parameters.size(),
                         parameter_list(action), arguments.size());
      return std::nullopt;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) result[i] = &arguments[i];
    return result;
  }
  bool ok = true;
  for (const Argument& argument : arguments) {
    if (!argument.name) {
      diagnostics.report(diag::kMixedArguments, argument.value.span, action.name);
      return std::nullopt;
    }
    auto parameter = resolve_name(action.parameters, argument.name->text, argument.name->span, diagnostics,
                                  diag::kUnknownParameter, action.name);
    ok &= parameter.has_value();
    if (!parameter) continue;
    if (result[*parameter] != nullptr) {
      diagnostics.report(diag::kArgumentTwice, argument.name->span, action.parameters[*parameter].name,
                         action.name);
      ok = false;
    }
    result[*parameter] = &argument;
  }
  for (std::size_t i = 0; ok && i < result.size(); ++i) {
    if (result[i] != nullptr) continue;
    diagnostics.report(diag::kMissingArgument, name.span, action.parameters[i].name, action.name);
    ok = false;
  }
  if (!ok) return std::nullopt;
  return result;
}

}  // namespace

Result<ActionCall> make_action_call(const TableSchema& schema, const Word& name,
                                    const std::vector<Argument>& arguments, ActionUse use,
                                    Diagnostics& diagnostics) {
  auto index =
      resolve_name(schema.actions, name.text, name.span, diagnostics, diag::kUnknownAction, schema.name);
  if (!index) return std::unexpected(index.error());
  const ActionSchema& action = schema.actions[*index];
  if (use == ActionUse::Entry && action.default_only)
    return std::unexpected(diagnostics.report(diag::kDefaultOnly, name.span, action.name, schema.name));
  if (use == ActionUse::Default && action.table_only)
    return std::unexpected(diagnostics.report(diag::kTableOnly, name.span, action.name, schema.name));

  const auto arranged = arrange(action, name, arguments, diagnostics);
  if (!arranged) return std::unexpected(diagnostics.already_reported());
  ActionCall call{static_cast<std::uint32_t>(*index), {}};
  call.arguments.reserve(arranged->size());
  for (std::size_t i = 0; i < arranged->size(); ++i) {
    const ParameterSchema& parameter = action.parameters[i];
    auto value = read_value((*arranged)[i]->value, parameter.width, "parameter", parameter.name, diagnostics);
    if (value) call.arguments.push_back(std::move(*value));
  }
  if (call.arguments.size() != arranged->size()) return std::unexpected(diagnostics.already_reported());
  return call;
}

Result<ActionCall> read_action_call(const TableSchema& schema, const Word& text, ActionUse use,
                                    Diagnostics& diagnostics) {
  const Word whole = text.part(0);
  const std::size_t open = whole.text.find('(');
  if (open == std::string_view::npos) return make_action_call(schema, whole, {}, use, diagnostics);
  if (whole.text.back() != ')')
    return std::unexpected(
        diagnostics.report(diag::kBadActionText, whole.span, whole.text,
                           "the ')' is missing (a text with a comma or ': ' needs quotes in YAML)"));
  const Word name = whole.part(0, open);
  const Word inside = whole.part(open + 1, whole.text.size() - open - 2);
  std::vector<Argument> arguments;
  for (std::size_t from = 0; !inside.text.empty() && from <= inside.text.size();) {
    const std::size_t comma = std::min(inside.text.find(',', from), inside.text.size());
    const Word argument = inside.part(from, comma - from);
    if (argument.text.empty())
      return std::unexpected(
          diagnostics.report(diag::kBadActionText, whole.span, whole.text, "an argument is empty"));
    arguments.push_back(split_argument(argument));
    from = comma + 1;
  }
  return make_action_call(schema, name, arguments, use, diagnostics);
}

namespace {

void report_const_default(const TableSchema& schema, const Span& span, Diagnostics& diagnostics) {
  diagnostics.report(diag::kConstDefault, span, schema.name);
  diagnostics.note(schema.span, "the table");
}

}  // namespace

void set_default_action(TableSet& tables, TableId table, ActionCall action, const Span& span,
                        Diagnostics& diagnostics) {
  const TableSchema& schema = tables.schema(table);
  if (schema.default_is_const && action != schema.default_action)
    report_const_default(schema, span, diagnostics);
  else
    tables.set_default(table, std::move(action));
}

void set_default_indirect(TableSet& tables, TableId table, Indirect indirect, const Span& span,
                          Diagnostics& diagnostics) {
  const TableSchema& schema = tables.schema(table);
  if (schema.default_is_const)
    report_const_default(schema, span, diagnostics);
  else
    tables.set_default(table, std::move(indirect), span);
}

}  // namespace perfpact::tables
