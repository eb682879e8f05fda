// From a cost-model file to a CostModel: conditions and names of formulas are resolved to indices here, so
// that pricing an event looks nothing up by name.
#include <cctype>
#include <filesystem>

#include "base/spelling.h"
#include "base/yaml.h"
#include "cost/cost_model.h"
#include "cost/diagnostics.h"

namespace perfpact::cost {
namespace {

using program::EventKind;
using program::EventSchema;

// The text of a formula as it stands in the file, with its place. A scalar that runs over several lines or
// stands in quotes differs in white space only; where it differs otherwise (escapes), its value and place
// serve.
struct FormulaText {
  std::string text;
  Span at;
};
FormulaText formula_text(const Yaml& scalar, const SourceManager& sources) {
  const std::string value = scalar.text();
  FormulaText result{value, scalar.span()};
  const std::string_view file = sources.text(scalar.file());
  Position position{1, 1};
  std::size_t begin = 0;
  while (begin < file.size() && position < result.at.begin) {
    ++position.column;
    if (file[begin++] == '\n') position = {position.line + 1, 1};
  }
  if (begin < file.size() && (file[begin] == '"' || file[begin] == '\'')) {
    ++begin;
    ++position.column;
  }
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  std::size_t end = begin;
  for (char c : value) {
    if (is_space(c)) continue;
    while (end < file.size() && is_space(file[end])) ++end;
    if (end == file.size() || file[end] != c) return result;
    ++end;
  }
  return {std::string(file.substr(begin, end - begin)), {scalar.file(), position, position}};
}

bool is_identifier(std::string_view text) {
  if (text.empty() || text == "and" || text == "or" || text == "not") return false;
  if (std::isdigit(static_cast<unsigned char>(text.front()))) return false;
  return std::ranges::all_of(text,
                             [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

template <std::size_t Size>
std::optional<std::size_t> index_of(const std::array<std::string_view, Size>& names, std::string_view name) {
  for (std::size_t i = 0; i < Size; ++i)
    if (!name.empty() && names[i] == name) return i;
  return std::nullopt;
}

template <std::size_t Size>
void append_names(std::vector<std::string>& to, const std::array<std::string_view, Size>& names) {
  for (std::string_view name : names)
    if (!name.empty()) to.emplace_back(name);
}

}  // namespace

class CostModelReader {
 public:
  CostModelReader(const Yaml& root, Diagnostics& diagnostics)
      : map_(root, diagnostics, "cost model"), diagnostics_(diagnostics) {}

  Result<CostModel> read(const std::string& path) {
    const std::size_t errors_before = diagnostics_.error_count();
    model_.file_ = path;
    model_.name_ = std::filesystem::path(path).stem().string();
    map_.check_schema("perfpact.cost-model/1");
    model_.metric_ = map_.require_string("metric").value_or("");
    model_.unit_ = map_.require_string("unit").value_or("");
    model_.target_ = optional_text("target");
    model_.origin_ = optional_text("origin");
    read_scenarios();
    read_constants();
    read_costs();
    map_.finish();
    if (diagnostics_.error_count() != errors_before) return std::unexpected(diagnostics_.already_reported());
    return std::move(model_);
  }

 private:
  // The value, or the values of a list that is not empty.
  std::vector<Yaml> one_or_many(const Yaml& value, std::string_view what) {
    if (!value.is_list()) return {value};
    if (value.items().empty())
      diagnostics_.report(perfpact::diag::kYamlExpected, value.span(), what, "a value or a list of values",
                          "an empty list");
    return value.items();
  }

  std::string optional_text(std::string_view key) {
    const auto value = map_.optional(key);
    return value ? value->as_string(key, diagnostics_).value_or("") : "";
  }

  void expected(const Yaml& value, std::string_view what, std::string_view kind) {
    diagnostics_.report(perfpact::diag::kYamlExpected, value.span(), what, kind, value.describe());
  }

  void read_scenarios() {
    const auto list = map_.require("scenarios");
    if (!list) return;
    if (!list->is_list()) return expected(*list, "scenarios", "a list");
    if (list->items().empty()) diagnostics_.report(diag::kScenarios, list->span());
    for (const Yaml& item : list->items()) {
      const auto name = item.as_string("a scenario", diagnostics_);
      if (!name) continue;
      if (std::ranges::count(model_.scenarios_, *name) > 0)
        diagnostics_.report(diag::kScenarioTwice, item.span(), *name);
      else
        model_.scenarios_.push_back(*name);
    }
    model_.constants_.resize(model_.scenarios_.size());
  }

  void read_constants() {
    const auto constants = map_.optional("constants");
    if (!constants) return;
    if (!constants->is_map()) return expected(*constants, "constants", "a mapping");
    for (const auto& [key, value] : constants->entries()) {
      const std::string name = key.text();
      check_constant_name(key);
      constant_names_.push_back(name);
      if (value.is_map()) {
        read_scenario_values(name, value);
      } else {
        const Rational number =
            value.as_rational(fmt::format("constant '{}'", name), diagnostics_).value_or(0);
        for (auto& of_scenario : model_.constants_) of_scenario.push_back(number);
      }
    }
  }

  void check_constant_name(const Yaml& key) {
    if (!is_identifier(key.text())) {
      diagnostics_.report(diag::kConstantName, key.span(), key.text());
      return;
    }
    for (std::size_t kind = 0; kind < program::kEventKinds; ++kind) {
      const EventSchema& schema = program::schema(static_cast<EventKind>(kind));
      if (!index_of(schema.numbers, key.text())) continue;
      diagnostics_.report(diag::kConstantShadows, key.span(), key.text(), schema.name);
      return;
    }
  }

  void read_scenario_values(const std::string& name, const Yaml& values) {
    std::map<std::string, Rational> by_scenario;
    for (const auto& [key, value] : values.entries()) {
      const std::string scenario = key.text();
      if (std::ranges::count(model_.scenarios_, scenario) == 0)
        diagnostics_.report(diag::kUnknownScenario, key.span(), scenario,
                            did_you_mean(scenario, model_.scenarios_));
      by_scenario[scenario] = value.as_rational(fmt::format("constant '{}'", name), diagnostics_).value_or(0);
    }
    for (std::size_t i = 0; i < model_.scenarios_.size(); ++i) {
      const auto value = by_scenario.find(model_.scenarios_[i]);
      if (value == by_scenario.end())
        diagnostics_.report(diag::kConstantScenario, values.span(), name, model_.scenarios_[i]);
      model_.constants_[i].push_back(value == by_scenario.end() ? Rational(0) : value->second);
    }
  }

  void read_costs() {
    if (const auto costs = map_.require("costs")) {
      model_.span_ = costs->span();
      if (costs->is_list())
        for (const Yaml& row : costs->items()) read_row(row);
      else
        expected(*costs, "costs", "a list");
    }
    if (const auto others = map_.optional("others"))
      model_.others_ = read_formula(*others, "others", nullptr);
  }

  void read_row(const Yaml& yaml) {
    YamlMap row(yaml, diagnostics_, "a row of costs");
    const auto event = row.require("event");
    const auto cost = row.require("cost");
    if (!event || !cost) return;
    for (const Yaml& name : one_or_many(*event, "event")) {
      const auto text = name.as_string("event", diagnostics_);
      if (!text) continue;
      const auto kind = program::find_event_kind(*text);
      if (!kind) {
        std::vector<std::string> known;
        for (std::size_t i = 0; i < program::kEventKinds; ++i)
          known.emplace_back(program::schema(static_cast<EventKind>(i)).name);
        diagnostics_.report(diag::kUnknownEvent, name.span(), *text, did_you_mean(*text, known));
        continue;
      }
      read_row_for(*kind, yaml, *cost);
    }
  }

  void read_row_for(EventKind kind, const Yaml& yaml, const Yaml& cost) {
    const EventSchema& schema = program::schema(kind);
    const std::size_t errors_before = diagnostics_.error_count();
    auto formula = read_formula(cost, "cost", &schema);
    std::vector<CostModel::TextCondition> texts;
    std::vector<CostModel::NumberCondition> numbers;
    for (const auto& [key, value] : yaml.entries())
      if (key.text() != "event" && key.text() != "cost") read_condition(kind, key, value, texts, numbers);
    if (diagnostics_.error_count() != errors_before) return;
    auto& rows = model_.rows_[static_cast<std::size_t>(kind)];
    if (!rows.empty() && rows.back().texts.empty() && rows.back().numbers.empty()) {
      diagnostics_.report(diag::kUnreachableRow, yaml.span(), schema.name, rows.back().span.begin.line);
      return;
    }
    rows.push_back({std::move(texts), std::move(numbers), std::move(*formula), yaml.span()});
  }

  void read_condition(EventKind kind, const Yaml& key, const Yaml& value,
                      std::vector<CostModel::TextCondition>& texts,
                      std::vector<CostModel::NumberCondition>& numbers) {
    const EventSchema& schema = program::schema(kind);
    const std::string name = key.text();
    if (const auto text = index_of(schema.texts, name)) {
      texts.push_back({*text, read_accepted_texts(kind, name, value)});
    } else if (const auto number = index_of(schema.numbers, name)) {
      std::vector<std::int64_t> accepted;
      for (const Yaml& item : one_or_many(value, name))
        if (auto n = item.as_u64(name, std::numeric_limits<std::int64_t>::max(), diagnostics_))
          accepted.push_back(static_cast<std::int64_t>(*n));
      numbers.push_back({*number, std::move(accepted)});
    } else {
      std::vector<std::string> known{"event", "cost"};
      append_names(known, schema.texts);
      append_names(known, schema.numbers);
      diagnostics_.report(diag::kUnknownAttribute, key.span(), schema.name, name, did_you_mean(name, known));
    }
  }

  std::vector<std::string> read_accepted_texts(EventKind kind, const std::string& attribute,
                                               const Yaml& value) {
    const auto possible = program::possible_texts(kind, attribute);
    const std::vector<std::string> names(possible.begin(), possible.end());
    std::vector<std::string> accepted;
    for (const Yaml& item : one_or_many(value, attribute)) {
      const auto text = item.as_string(attribute, diagnostics_);
      if (!text) continue;
      if (!names.empty() && std::ranges::count(names, *text) == 0)
        diagnostics_.report(diag::kImpossibleValue, item.span(), attribute, program::schema(kind).name, *text,
                            did_you_mean(*text, names));
      accepted.push_back(*text);
    }
    return accepted;
  }

  // `schema`: of the event whose numbers the formula may use beside the constants.
  std::optional<CostModel::BoundFormula> read_formula(const Yaml& yaml, std::string_view what,
                                                      const EventSchema* schema) {
    if (!yaml.as_string(what, diagnostics_)) return std::nullopt;
    const FormulaText source = formula_text(yaml, diagnostics_.sources());
    auto formula = formula::Formula::parse(source.text, source.at, diagnostics_);
    if (!formula) return std::nullopt;
    CostModel::BoundFormula result{std::move(*formula), {}};
    bool ok = true;
    for (const formula::Formula::Name& name : result.formula.names()) {
      const auto constant = std::ranges::find(constant_names_, name.name);
      if (constant != constant_names_.end()) {
        result.slots.push_back({true, static_cast<std::size_t>(constant - constant_names_.begin())});
      } else if (const auto number =
                     schema != nullptr ? index_of(schema->numbers, name.name) : std::nullopt) {
        result.slots.push_back({false, *number});
      } else {
        std::vector<std::string> known = constant_names_;
        if (schema != nullptr) append_names(known, schema->numbers);
        diagnostics_.report(
            diag::kUnknownVariable, name.span, name.name,
            schema != nullptr ? fmt::format(" and no number of event '{}'", schema->name) : "",
            did_you_mean(name.name, known));
        ok = false;
      }
    }
    if (!ok) return std::nullopt;
    return result;
  }

  YamlMap map_;
  Diagnostics& diagnostics_;
  CostModel model_;
  std::vector<std::string> constant_names_;
};

Result<CostModel> CostModel::load(const std::string& path, Diagnostics& diagnostics) {
  auto root = load_yaml(path, diagnostics);
  if (!root) return std::unexpected(root.error());
  if (!root->is_map()) {
    YamlMap(*root, diagnostics, "cost model");
    return std::unexpected(diagnostics.already_reported());
  }
  return CostModelReader(*root, diagnostics).read(path);
}

}  // namespace perfpact::cost
