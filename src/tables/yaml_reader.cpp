#include <limits>
#include <variant>

#include "base/yaml.h"
#include "tables/diagnostics.h"
#include "tables/reader.h"

namespace perfpact::tables {
namespace {

constexpr std::string_view kSchema = "perfpact.tables/1";
constexpr std::int64_t kMaxYamlPriority = std::numeric_limits<std::int64_t>::max();
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
    for (const auto& [name, content] : entries(tables, "tables")) {
      const auto table = tables_.find(name.text(), name.span(), diagnostics_);
      if (table) read_table(*table, content);
    }
  }

  void read_profiles(const Yaml& profiles) {
    for (const auto& [name, content] : entries(profiles, "action_profiles"))
      if (auto* profile = tables_.profiles().find(name.text(), name.span(), diagnostics_))
        read_profile(*profile, content);
  }

  void read_value_sets(const Yaml& sets) {
    for (const auto& [name, content] : entries(sets, "value_sets")) {
      const auto set = tables_.find_value_set(name.text(), name.span(), diagnostics_);
      if (!set) continue;
      for (const Yaml& value : items(content, name.text())) read_set_value(*set, value);
    }
  }

 private:
  using Entries = std::vector<std::pair<Yaml, Yaml>>;

  /// Those of a mapping; none, and reported, where it is something else but empty.
  Entries entries(const Yaml& map, std::string_view what) {
    if (!map.is_map() && !map.is_null())
      diagnostics_.report(perfpact::diag::kYamlExpected, map.span(), what, "a mapping", map.describe());
    return map.entries();
  }
  /// The same of a list.
  std::vector<Yaml> items(const Yaml& list, std::string_view what) {
    if (!list.is_list() && !list.is_null())
      diagnostics_.report(perfpact::diag::kYamlExpected, list.span(), what, "a list", list.describe());
    return list.items();
  }

  void read_profile(ActionProfiles::Profile& profile, const Yaml& content) {
    YamlMap map(content, diagnostics_, fmt::format("action profile '{}'", profile.name));
    if (!map.is_valid()) return;
    if (auto members = map.optional("members"))
      for (const auto& [id, action] : entries(*members, "members")) {
        const auto number = read_id(id, "member");
        const auto call = read_action(*profile.table, action, "member", ActionUse::Entry);
        if (number && call) ActionProfiles::add_member(profile, *number, *call, id.span(), diagnostics_);
      }
    if (auto groups = map.optional("groups"))
      for (const auto& [id, members] : entries(*groups, "groups")) {
        const auto number = read_id(id, "group");
        if (!number) continue;
        const std::size_t errors = diagnostics_.error_count();
        ActionProfiles::add_group(profile, *number, id.span(), diagnostics_);
        for (const Yaml& member : items(members, "group"))
          if (const auto one = read_id(member, "member"); one && diagnostics_.error_count() == errors)
            ActionProfiles::add_to_group(profile, *number, *one, member.span(), diagnostics_);
      }
    map.finish();
  }

  Result<std::uint64_t> read_id(const Yaml& value, std::string_view what) {
    return value.as_u64(what, std::numeric_limits<std::uint32_t>::max(), diagnostics_);
  }

  void read_set_value(TableId set, const Yaml& value) {
    const TableSchema& schema = tables_.schema(set);
    Entry entry;
    entry.span = value.span();
    if (schema.keys.size() == 1 && value.is_scalar()) {
      const auto text = located(value, schema.name);
      if (!text) return;
      auto match = read_match(text->word().part(0), schema.keys[0], diagnostics_);
      if (!match) return;
      entry.matches.push_back(std::move(*match));
    } else {
      auto matches = read_matches(schema, value, value.span());
      if (!matches) return;
      entry.matches = std::move(*matches);
    }
    tables_.add_entry(set, std::move(entry));
  }

  void read_default(TableId table, const Yaml& value) {
    const TableSchema& schema = tables_.schema(table);
    if (!value.is_map()) {
      auto action = read_action(schema, value, "default", ActionUse::Default);
      if (action) set_default_action(tables_, table, std::move(*action), value.span(), diagnostics_);
      return;
    }
    YamlMap map(value, diagnostics_, "the default");
    auto chosen = read_choice(schema, map, ActionUse::Default);
    if (!map.finish() || !chosen) return;
    if (const auto* action = std::get_if<ActionCall>(&*chosen))
      set_default_action(tables_, table, *action, value.span(), diagnostics_);
    else
      set_default_indirect(tables_, table, std::get<Indirect>(*chosen), value.span(), diagnostics_);
  }

  /// `action`, or in a table with an action profile `member`, `group` or `actions`.
  using Choice = std::variant<ActionCall, Indirect>;
  Result<Choice> read_choice(const TableSchema& schema, YamlMap& map, ActionUse use) {
    const auto member = map.optional("member");
    const auto group = map.optional("group");
    const auto actions = map.optional("actions");
    if (!member && !group && !actions) {
      auto action = read_required_action(schema, map, use);
      if (!action) return std::unexpected(action.error());
      return std::move(*action);
    }
    const Span& span = map.yaml().span();
    const int given =
        member.has_value() + group.has_value() + actions.has_value() + map.optional("action").has_value();
    if (given != 1)
      return std::unexpected(diagnostics_.report(diag::kOneOfIndirect, span, "an entry", schema.name, given,
                                                 "action, member, group, actions"));
    auto* profile = tables_.profiles().of_table(schema, span, diagnostics_);
    if (profile == nullptr) return std::unexpected(diagnostics_.already_reported());
    const std::size_t errors = diagnostics_.error_count();
    Indirect indirect;
    if (member) indirect.member = read_id(*member, "member").value_or(0);
    if (group) indirect.group = read_id(*group, "group").value_or(0);
    if (actions)
      for (const Yaml& item : items(*actions, "actions"))
        if (auto action = read_action(schema, item, "actions", use))
          indirect.actions.push_back(std::move(*action));
    if (diagnostics_.error_count() == errors && actions)
      check_action_set(*profile, indirect.actions.size(), actions->span(), diagnostics_);
    if (diagnostics_.error_count() > errors) return std::unexpected(diagnostics_.already_reported());
    return indirect;
  }

  void read_table(TableId table, const Yaml& content) {
    if (content.is_null()) return;
    const TableSchema& schema = tables_.schema(table);
    YamlMap map(content, diagnostics_, fmt::format("table '{}'", schema.name));
    if (auto value = map.optional("default")) read_default(table, *value);
    if (auto entries = map.optional("entries"))
      for (const Yaml& entry : items(*entries, "entries")) read_entry(table, entry);
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
    auto choice = read_choice(schema, map, ActionUse::Entry);
    const auto priority = read_entry_priority(schema, map);
    if (!map.finish() || !matches || !choice || !priority) return;
    Entry entry{std::move(*matches), *priority, {}, content.span(), {}};
    if (auto* action = std::get_if<ActionCall>(&*choice))
      entry.action = std::move(*action);
    else
      entry.indirect = std::move(std::get<Indirect>(*choice));
    tables_.add_entry(table, std::move(entry));
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

  Result<ActionCall> read_required_action(const TableSchema& schema, YamlMap& map, ActionUse use) {
    const auto action = map.require("action");
    if (!action) return std::unexpected(action.error());
    return read_action(schema, *action, "action", use);
  }

  Result<std::int64_t> read_entry_priority(const TableSchema& schema, YamlMap& map) {
    const auto value = map.optional("priority");
    if (!value) return schema.has_priorities() ? kDefaultPriority : 0;
    if (!schema.has_priorities())
      return std::unexpected(diagnostics_.report(diag::kUnexpectedPriority, value->span(), schema.name));
    const auto text = located(*value, "priority");
    if (!text) return std::unexpected(text.error());
    return read_priority(text->word(), 0, kMaxYamlPriority, diagnostics_);
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
    if (auto action = read_required_action(schema, map, ActionUse::Entry))
      request.action = std::move(*action);
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
  YamlReader reader(tables, diagnostics);
  if (auto content = map.optional("action_profiles")) reader.read_profiles(*content);
  if (auto content = map.optional("tables")) reader.read_tables(*content);
  if (auto content = map.optional("value_sets")) reader.read_value_sets(*content);
  map.finish();
}

}  // namespace perfpact::tables
