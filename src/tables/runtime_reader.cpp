#include <algorithm>
#include <limits>

#include "base/spelling.h"
#include "tables/diagnostics.h"
#include "tables/json_document.h"
#include "tables/reader.h"

namespace perfpact::tables {
namespace {

constexpr std::int64_t kMaxPriority = std::numeric_limits<std::int32_t>::max();

// Strict access to an object: members that nobody asked for are errors.
class JsonObject {
 public:
  JsonObject(const JsonValue& value, std::string what, Diagnostics& diagnostics)
      : value_(value), what_(std::move(what)), diagnostics_(diagnostics) {
    if (!is_valid())
      diagnostics_.report(diag::kJsonExpected, value.span, what_, "an object", value.describe());
  }

  [[nodiscard]] bool is_valid() const { return value_.kind == JsonValue::Kind::Object; }

  const JsonValue* optional(std::string_view name) {
    known_.emplace_back(name);
    const auto found = std::ranges::find(value_.members, name, &JsonValue::Member::name);
    return found == value_.members.end() ? nullptr : &found->value;
  }

  const JsonValue* require(std::string_view name) {
    const JsonValue* value = optional(name);
    if (value == nullptr && is_valid()) diagnostics_.report(diag::kJsonMissingKey, value_.span, what_, name);
    return value;
  }

  /// A scalar that must be there.
  std::optional<Word> require_word(std::string_view name) {
    const JsonValue* value = require(name);
    if (value == nullptr) return std::nullopt;
    if (value->is_scalar()) return Word{value->text, value->span};
    diagnostics_.report(diag::kJsonExpected, value->span, name, "a text or a number", value->describe());
    return std::nullopt;
  }

  /// The elements of a list; none where it is missing or no list.
  std::span<const JsonValue> list(std::string_view name) {
    const JsonValue* value = optional(name);
    if (value == nullptr) return {};
    if (value->kind != JsonValue::Kind::List)
      diagnostics_.report(diag::kJsonExpected, value->span, name, "a list", value->describe());
    return value->items;
  }

  void finish() {
    for (const JsonValue::Member& member : value_.members)
      if (std::ranges::find(known_, member.name) == known_.end())
        diagnostics_.report(diag::kJsonUnknownKey, member.name_span, member.name, what_,
                            did_you_mean(member.name, known_));
  }

 private:
  const JsonValue& value_;
  std::string what_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
};

class RuntimeReader {
 public:
  RuntimeReader(TableSet& tables, Diagnostics& diagnostics) : tables_(tables), diagnostics_(diagnostics) {}

  void read(const JsonValue& root) {
    JsonObject object(root, "the P4Runtime file", diagnostics_);
    for (std::string_view name : {"target", "p4info", "bmv2_json"}) object.optional(name);
    for (const JsonValue& entry : object.list("table_entries")) read_entry(entry);
    for (const JsonValue& group : object.list("multicast_group_entries")) read_group(group);
    for (const JsonValue& session : object.list("clone_session_entries")) read_session(session);
    object.finish();
  }

 private:
  void read_entry(const JsonValue& value) {
    JsonObject object(value, "a table entry", diagnostics_);
    if (!object.is_valid()) return;
    const std::size_t errors = diagnostics_.error_count();
    const auto name = object.require_word("table");
    const auto action_name = object.require_word("action_name");
    const JsonValue* match = object.optional("match");
    const JsonValue* parameters = object.optional("action_params");
    const JsonValue* priority = object.optional("priority");
    const bool is_default = read_flag(object.optional("default_action"));
    object.finish();
    if (!name || !action_name) return;
    const auto table = tables_.find(name->text, name->span, diagnostics_);
    if (!table) return;
    const TableSchema& schema = tables_.schema(*table);
    auto action =
        read_action(schema, *action_name, parameters, is_default ? ActionUse::Default : ActionUse::Entry);
    if (is_default) {
      if (match != nullptr && !match->members.empty())
        diagnostics_.report(diag::kJsonExpected, match->span, "match of a default action", "empty",
                            match->describe());
      else if (action)
        set_default_action(tables_, *table, std::move(*action), value.span, diagnostics_);
      return;
    }
    auto matches = read_matches(schema, match, name->span);
    const std::int64_t rank = read_entry_priority(schema, priority, name->span);
    if (diagnostics_.error_count() == errors && action && matches)
      tables_.add_entry(*table, {std::move(*matches), rank, std::move(*action), name->span});
  }

  bool read_flag(const JsonValue* value) {
    if (value == nullptr) return false;
    if (value->kind != JsonValue::Kind::Bool)
      diagnostics_.report(diag::kJsonExpected, value->span, "default_action", "true or false",
                          value->describe());
    return value->text == "true";
  }

  Result<ActionCall> read_action(const TableSchema& schema, const Word& name, const JsonValue* parameters,
                                 ActionUse use) {
    std::vector<Argument> arguments;
    if (parameters != nullptr) {
      if (parameters->kind != JsonValue::Kind::Object)
        return std::unexpected(diagnostics_.report(diag::kJsonExpected, parameters->span, "action_params",
                                                   "an object", parameters->describe()));
      for (const JsonValue::Member& member : parameters->members) {
        if (!member.value.is_scalar())
          return std::unexpected(diagnostics_.report(diag::kJsonExpected, member.value.span, member.name,
                                                     "a text or a number", member.value.describe()));
        arguments.push_back(
            {Word{member.name, member.name_span}, Word{member.value.text, member.value.span}});
      }
    }
    return make_action_call(schema, name, arguments, use, diagnostics_);
  }

  Result<std::vector<Match>> read_matches(const TableSchema& schema, const JsonValue* match,
                                          const Span& place) {
    std::vector<std::optional<Match>> given(schema.keys.size());
    const std::size_t errors = diagnostics_.error_count();
    if (match != nullptr && match->kind != JsonValue::Kind::Object && match->kind != JsonValue::Kind::Null)
      diagnostics_.report(diag::kJsonExpected, match->span, "match", "an object", match->describe());
    if (match != nullptr)
      for (const JsonValue::Member& member : match->members) read_key(schema, member, given);
    if (diagnostics_.error_count() > errors) return std::unexpected(diagnostics_.already_reported());
    return complete_matches(schema, std::move(given), place, diagnostics_);
  }

  void read_key(const TableSchema& schema, const JsonValue::Member& member,
                std::vector<std::optional<Match>>& given) {
    const auto key = find_key(schema, {member.name, member.name_span}, diagnostics_);
    if (!key) return;
    if (given[*key]) {
      diagnostics_.report(diag::kKeyTwice, member.name_span, schema.keys[*key].name, schema.name);
      return;
    }
    auto match = read_match_value(schema.keys[*key], member.value);
    if (match) given[*key] = std::move(*match);
  }

  // exact, optional: v or [v]; lpm [v, length]; ternary [v, mask]; range [low, high].
  Result<Match> read_match_value(const KeySchema& key, const JsonValue& value) {
    std::vector<Word> words;
    if (value.is_scalar()) words.push_back({value.text, value.span});
    for (const JsonValue& item : value.items)
      if (item.is_scalar()) words.push_back({item.text, item.span});
    const bool is_pair =
        key.kind == MatchKind::Lpm || key.kind == MatchKind::Ternary || key.kind == MatchKind::Range;
    const std::size_t wanted = is_pair ? 2 : 1;
    if (words.size() != wanted || (!value.is_scalar() && value.items.size() != wanted))
      return std::unexpected(diagnostics_.report(
          diag::kJsonExpected, value.span, fmt::format("{} key '{}'", to_string(key.kind), key.name),
          is_pair ? (key.kind == MatchKind::Lpm       ? "[value, prefix length]"
                     : key.kind == MatchKind::Ternary ? "[value, mask]"
                                                      : "[low, high]")
                  : "a value",
          value.describe()));
    if (key.kind == MatchKind::Lpm) return match_prefix(key, words[0], words[1], diagnostics_);
    if (key.kind == MatchKind::Ternary) return match_masked(key, words[0], words[1], diagnostics_);
    if (key.kind == MatchKind::Range) return match_range(key, words[0], words[1], diagnostics_);
    return match_value(key, words[0], diagnostics_);
  }

  // P4Runtime wants a priority above 0 exactly where a table has priorities.
  std::int64_t read_entry_priority(const TableSchema& schema, const JsonValue* value, const Span& place) {
    if (value == nullptr) {
      if (schema.has_priorities()) diagnostics_.report(diag::kMissingPriority, place, schema.name);
      return 0;
    }
    const std::int64_t least = schema.has_priorities() ? 1 : 0;
    const auto priority = read_priority({value->text, value->span}, least, kMaxPriority, diagnostics_);
    if (priority && *priority > 0 && !schema.has_priorities())
      diagnostics_.report(diag::kUnexpectedPriority, value->span, schema.name);
    return priority.value_or(0);
  }

  std::optional<std::uint64_t> read_number(JsonObject& object, std::string_view name) {
    const auto word = object.require_word(name);
    if (!word) return std::nullopt;
    const auto value = parse_integer(word->text);
    if (value && *value <= std::numeric_limits<std::uint32_t>::max())
      return value->convert_to<std::uint64_t>();
    diagnostics_.report(diag::kJsonExpected, word->span, name, "a whole number of at most 32 bits",
                        fmt::format("'{}'", word->text));
    return std::nullopt;
  }

  std::vector<MulticastReplica> read_replicas(JsonObject& object) {
    std::vector<MulticastReplica> result;
    for (const JsonValue& item : object.list("replicas")) {
      JsonObject replica(item, "a replica", diagnostics_);
      if (!replica.is_valid()) continue;
      const auto port = read_number(replica, "egress_port");
      const auto instance = read_number(replica, "instance");
      replica.finish();
      if (port && instance) result.push_back({*port, *instance});
    }
    return result;
  }

  void read_group(const JsonValue& value) {
    JsonObject object(value, "a multicast group", diagnostics_);
    if (!object.is_valid()) return;
    const auto id = read_number(object, "multicast_group_id");
    auto replicas = read_replicas(object);
    object.finish();
    if (id) add_group(tables_, {*id, std::move(replicas)}, value.span, diagnostics_);
  }

  void read_session(const JsonValue& value) {
    JsonObject object(value, "a clone session", diagnostics_);
    if (!object.is_valid()) return;
    const auto id = read_number(object, "clone_session_id");
    auto replicas = read_replicas(object);
    std::uint64_t truncate_to = 0;
    if (object.optional("packet_length_bytes") != nullptr)
      truncate_to = read_number(object, "packet_length_bytes").value_or(0);
    object.finish();
    if (id) add_session(tables_, {*id, std::move(replicas), truncate_to}, value.span, diagnostics_);
  }

  TableSet& tables_;
  Diagnostics& diagnostics_;
};

}  // namespace

void read_runtime_json(FileId file, TableSet& tables, Diagnostics& diagnostics) {
  const auto root = parse_json(file, diagnostics);
  if (root) RuntimeReader(tables, diagnostics).read(*root);
}

}  // namespace perfpact::tables
