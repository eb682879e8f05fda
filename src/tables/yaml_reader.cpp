#include <limits>

#include "base/yaml.h"
#include "tables/diagnostics.h"
#include "tables/reader.h"

namespace perfpact::tables {
namespace {

constexpr std::string_view kSchema = "perfpact.tables/1";
constexpr std::int64_t kMaxPriority = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kDefaultPriority = 1;
constexpr std::uint64_t kMaxGenerated = 100'000'000;

// A text with its place; inside the quotes where it is quoted.
struct LocatedText {
  std::string text;
  Span span;
  [[nodiscard]] Word word() const { return {text, span}; }
};

class YamlReader {
 public:
  YamlReader(TableSet& tables, Diagnostics& diagnostics) : tables_(tables), diagnostics_(diagnostics) {}

  void read_tables(const Yaml& tables) {
    if (tables.is_null()) return;
    if (!tables.is_map()) {
      diagnostics_.report(perfpact::diag::kYamlExpected, tables.span(), "tables", "a mapping",
                          tables.describe());
      return;
    }
    for (const auto& [name, content] : tables.entries()) {
      const auto table = tables_.find(name.text(), name.span(), diagnostics_);
      if (table) read_table(*table, content);
    }
  }

 private:
  void read_table(TableId table, const Yaml& content) {
    if (content.is_null()) return;
    const TableSchema& schema = tables_.schema(table);
    YamlMap map(content, diagnostics_, fmt::format("table '{}'", schema.name));
    if (auto text = map.optional("default")) {
      auto action = read_action(schema, *text, "default", ActionUse::Default);
      if (action) set_default_action(tables_, table, std::move(*action), text->span(), diagnostics_);
    }
    if (auto entries = map.optional("entries")) {
      if (!entries->is_list() && !entries->is_null())
        diagnostics_.report(perfpact::diag::kYamlExpected, entries->span(), "entries", "a list",
                            entries->describe());
      for (const Yaml& entry : entries->items()) read_entry(table, entry);
    }
    if (auto generate = map.optional("generate")) {
      if (generate->is_list())
        for (const Yaml& request : generate->items()) read_generate(table, request);
      else
        read_generate(table, *generate);
    }
    map.finish();
  }

  void read_entry(TableId table, const Yaml& content) {
    const TableSchema& schema = tables_.schema(table);
    YamlMap map(content, diagnostics_, "an entry");
    if (!map.is_valid()) return;
    auto matches = read_matches(schema, map.optional("match"), content.span());
    auto action = read_required_action(schema, map);
    const auto priority = read_entry_priority(schema, map);
    if (map.finish() && matches && action && priority)
      tables_.add_entry(table, {std::move(*matches), *priority, std::move(*action), content.span()});
  }

  Result<std::vector<Match>> read_matches(const TableSchema& schema, const std::optional<Yaml>& match,
                                          const Span& entry) {
    std::vector<std::optional<Match>> given(schema.keys.size());
    const std::size_t errors = diagnostics_.error_count();
    if (match && !match->is_map() && !match->is_null())
      diagnostics_.report(perfpact::diag::kYamlExpected, match->span(), "match", "a mapping",
                          match->describe());
    if (match)
      for (const auto& [name, value] : match->entries()) read_key(schema, name, value, given);
    if (diagnostics_.error_count() > errors) return std::unexpected(diagnostics_.already_reported());
    return complete_matches(schema, std::move(given), entry, diagnostics_);
  }

  void read_key(const TableSchema& schema, const Yaml& name, const Yaml& value,
                std::vector<std::optional<Match>>& given) {
    const auto key = find_key(schema, {name.text(), name.span()}, diagnostics_);
    const auto text = located(value, name.text());
    if (!key || !text) return;
    if (given[*key]) {
      diagnostics_.report(diag::kKeyTwice, name.span(), schema.keys[*key].name, schema.name);
      return;
    }
    auto match = read_match(text->word().part(0), schema.keys[*key], diagnostics_);
    if (match) given[*key] = std::move(*match);
  }

  Result<ActionCall> read_action(const TableSchema& schema, const Yaml& value, std::string_view what,
                                 ActionUse use) {
    const auto text = located(value, what);
    if (!text) return std::unexpected(text.error());
    return read_action_call(schema, text->word(), use, diagnostics_);
  }

  Result<ActionCall> read_required_action(const TableSchema& schema, YamlMap& map) {
    const auto action = map.require("action");
    if (!action) return std::unexpected(action.error());
    return read_action(schema, *action, "action", ActionUse::Entry);
  }

  Result<std::int64_t> read_entry_priority(const TableSchema& schema, YamlMap& map) {
    const auto value = map.optional("priority");
    if (!value) return schema.has_priorities() ? kDefaultPriority : 0;
    if (!schema.has_priorities())
      return std::unexpected(diagnostics_.report(diag::kUnexpectedPriority, value->span(), schema.name));
    const auto text = located(*value, "priority");
    if (!text) return std::unexpected(text.error());
    return read_priority(text->word(), 0, kMaxPriority, diagnostics_);
  }

  void read_generate(TableId table, const Yaml& content) {
    const TableSchema& schema = tables_.schema(table);
    YamlMap map(content, diagnostics_, "generate");
    if (!map.is_valid()) return;
    GenerateRequest request;
    request.table = table;
    request.span = content.span();
    const std::size_t errors = diagnostics_.error_count();
    if (auto entries = map.require("entries"))
      request.entries = entries->as_u64("entries", kMaxGenerated, diagnostics_).value_or(0);
    if (auto seed = map.optional("seed"))
      request.seed =
          seed->as_u64("seed", std::numeric_limits<std::uint64_t>::max(), diagnostics_).value_or(0);
    if (auto action = read_required_action(schema, map)) request.action = std::move(*action);
    request.priority = read_entry_priority(schema, map).value_or(0);
    if (auto matching = map.optional("matching")) {
      request.match_none = matching->text() == "none";
      if (!request.match_none && matching->text() != "any")
        diagnostics_.report(diag::kBadMatching, matching->span(), matching->text());
    }
    map.finish();
    if (diagnostics_.error_count() == errors) tables_.request(std::move(request));
  }

  Result<LocatedText> located(const Yaml& value, std::string_view what) {
    auto text = value.as_string(what, diagnostics_);
    if (!text) return std::unexpected(text.error());
    Span span = value.span();
    const std::string_view line = diagnostics_.sources().line(span.file, span.begin.line);
    const bool is_quoted = span.begin.column > 0 && span.begin.column <= line.size() &&
                           (line[span.begin.column - 1] == '"' || line[span.begin.column - 1] == '\'');
    if (is_quoted) {
      ++span.begin.column;
      ++span.end.column;
    }
    return LocatedText{std::move(*text), span};
  }

  TableSet& tables_;
  Diagnostics& diagnostics_;
};

void read_include(const Yaml& item, IncludeChain& chain, TableSet& tables, Diagnostics& diagnostics) {
  const auto path = item.as_string("include", diagnostics);
  if (!path) return;
  const std::filesystem::path from(diagnostics.sources().name(item.file()));
  read_tables_file((from.parent_path() / *path).string(), item.span(), chain, tables, diagnostics);
}

}  // namespace

void read_yaml(FileId file, IncludeChain& chain, TableSet& tables, Diagnostics& diagnostics) {
  const auto root = parse_yaml(file, diagnostics);
  if (!root) return;
  YamlMap map(*root, diagnostics, "tables file");
  if (!map.check_schema(kSchema)) return;
  if (auto include = map.optional("include")) {
    if (include->is_list())
      for (const Yaml& item : include->items()) read_include(item, chain, tables, diagnostics);
    else
      read_include(*include, chain, tables, diagnostics);
  }
  if (auto content = map.optional("tables")) YamlReader(tables, diagnostics).read_tables(*content);
  map.finish();
}

}  // namespace perfpact::tables
