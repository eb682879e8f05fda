#include <algorithm>
#include <limits>

#include "base/spelling.h"
#include "tables/diagnostics.h"
#include "tables/json_document.h"
#include "tables/reader.h"

namespace perfpact::tables {
namespace {

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
    for (const JsonValue& member : object.list("action_profile_members")) read_member(member);
    for (const JsonValue& group : object.list("action_profile_groups")) read_profile_group(group);
    for (const JsonValue& set : object.list("value_set_entries")) read_value_set(set);
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
    const JsonValue* match = object.optional("match");
    const JsonValue* priority = object.optional("priority");
    const bool is_default = read_flag(object.optional("default_action"));
    const auto table = name ? tables_.find(name->text, name->span, diagnostics_)
                            : Result<TableId>(std::unexpected(diagnostics_.already_reported()));
    if (!table) return;
    const TableSchema& schema = tables_.schema(*table);
    Entry entry{{}, 0, {}, name->span, {}};
    const bool has_choice =
        read_choice(schema, object, is_default ? ActionUse::Default : ActionUse::Entry, entry);
    object.finish();
    if (!has_choice) return;
    if (is_default) {
      if (match != nullptr && !match->members.empty())
        diagnostics_.report(diag::kJsonExpected, match->span, "match of a default action", "empty",
                            match->describe());
      else if (diagnostics_.error_count() == errors && entry.indirect.is_empty())
        set_default_action(tables_, *table, std::move(entry.action), value.span, diagnostics_);
      else if (diagnostics_.error_count() == errors)
        set_default_indirect(tables_, *table, std::move(entry.indirect), value.span, diagnostics_);
      return;
    }
    auto matches = read_matches(schema, match, name->span);
    entry.priority = read_entry_priority(schema, priority, name->span);
    if (diagnostics_.error_count() > errors || !matches) return;
    entry.matches = std::move(*matches);
    tables_.add_entry(*table, std::move(entry));
  }

  // The action of an entry, false where it has none; in a table with an action profile its member, its
  // group or its own set of actions.
  bool read_choice(const TableSchema& schema, JsonObject& object, ActionUse use, Entry& entry) {
    constexpr std::string_view kMember = "action_profile_member_id";
    constexpr std::string_view kGroup = "action_profile_group_id";
    constexpr std::string_view kSet = "action_profile_action_set";
    if (!schema.implementation) {
      if (auto action = read_action(schema, object, use)) entry.action = std::move(*action);
      return object.optional("action_name") != nullptr;
    }
    auto* profile = tables_.profiles().of_table(schema, entry.span, diagnostics_);
    const JsonValue* set = object.optional(kSet);
    const JsonValue* member = object.optional(kMember);
    const JsonValue* group = object.optional(kGroup);
    object.optional("action_params");
    if (object.optional("action_name") != nullptr) {
      diagnostics_.report(diag::kIndirectTable, entry.span, schema.name, profile->name,
                          fmt::format("{}, {} or {}", kMember, kGroup, kSet));
    } else if ((set != nullptr) + (member != nullptr) + (group != nullptr) != 1) {
      diagnostics_.report(diag::kOneOfIndirect, entry.span, "an entry", schema.name,
                          (set != nullptr) + (member != nullptr) + (group != nullptr),
                          fmt::format("{}, {}, {}", kMember, kGroup, kSet));
    } else if (member != nullptr) {
      entry.indirect.member = read_number(object, kMember);
    } else if (group != nullptr) {
      entry.indirect.group = read_number(object, kGroup);
    } else {
      read_action_set(schema, *profile, *set, use, entry.indirect);
    }
    return true;
  }

  // A member of weight n stands n times.
  void read_action_set(const TableSchema& schema, const ActionProfiles::Profile& profile,
                       const JsonValue& value, ActionUse use, Indirect& indirect) {
    const std::size_t errors = diagnostics_.error_count();
    JsonObject set(value, "an action set", diagnostics_);
    for (const JsonValue& item : set.list("action_profile_actions")) {
      JsonObject one(item, "an action of an action set", diagnostics_);
      const auto action = read_action(schema, one, use);
      const auto weight = read_weight(one);
      one.finish();
      if (action) indirect.actions.insert(indirect.actions.end(), weight, *action);
    }
    set.finish();
    if (diagnostics_.error_count() == errors)
      check_action_set(profile, indirect.actions.size(), value.span, diagnostics_);
  }

  std::uint64_t read_weight(JsonObject& object) {
    constexpr std::uint64_t kMaxWeight = 65535;
    const JsonValue* value = object.optional("weight");
    if (value == nullptr) return 1;
    const auto weight = parse_integer(value->text);
    if (value->is_scalar() && weight && *weight >= 1 && *weight <= kMaxWeight)
      return weight->convert_to<std::uint64_t>();
    diagnostics_.report(diag::kJsonExpected, value->span, "weight",
                        fmt::format("a whole number from 1 to {}", kMaxWeight), value->describe());
    return 1;
  }

  ActionProfiles::Profile* read_profile_name(JsonObject& object) {
    const auto name = object.require_word("action_profile");
    return name ? tables_.profiles().find(name->text, name->span, diagnostics_) : nullptr;
  }

  void read_member(const JsonValue& value) {
    JsonObject object(value, "a member", diagnostics_);
    if (!object.is_valid()) return;
    auto* profile = read_profile_name(object);
    const auto id = read_number(object, "member_id");
    if (profile == nullptr) return;
    const auto action = read_action(*profile->table, object, ActionUse::Entry);
    object.finish();
    if (id && action) ActionProfiles::add_member(*profile, *id, *action, value.span, diagnostics_);
  }

  void read_profile_group(const JsonValue& value) {
    JsonObject object(value, "a group of an action profile", diagnostics_);
    if (!object.is_valid()) return;
    auto* profile = read_profile_name(object);
    const auto id = read_number(object, "group_id");
    const auto members = object.list("members");
    object.finish();
    if (profile == nullptr || !id) return;
    const std::size_t errors = diagnostics_.error_count();
    ActionProfiles::add_group(*profile, *id, value.span, diagnostics_);
    for (const JsonValue& item : members) {
      JsonObject member(item, "a member of a group", diagnostics_);
      const auto number = read_number(member, "member_id");
      if (read_weight(member) != 1)
        diagnostics_.report(diag::kUnsupportedCommand, item.span, "weight", "other than 1, in a group");
      member.finish();
      if (number && diagnostics_.error_count() == errors)
        ActionProfiles::add_to_group(*profile, *id, *number, item.span, diagnostics_);
    }
  }

  void read_value_set(const JsonValue& value) {
    JsonObject object(value, "a value set", diagnostics_);
    const auto name = object.require_word("value_set");
    const auto members = object.list("members");
    object.finish();
    if (!name) return;
    const auto set = tables_.find_value_set(name->text, name->span, diagnostics_);
    if (!set) return;
    for (const JsonValue& item : members) {
      JsonObject member(item, "a member of a value set", diagnostics_);
      auto matches = read_matches(tables_.schema(*set), member.require("match"), item.span);
      member.finish();
      if (matches) tables_.add_entry(*set, {std::move(*matches), 0, {}, item.span, {}});
    }
  }

  bool read_flag(const JsonValue* value) {
    if (value == nullptr) return false;
    if (value->kind != JsonValue::Kind::Bool)
      diagnostics_.report(diag::kJsonExpected, value->span, "default_action", "true or false",
                          value->describe());
    return value->text == "true";
  }

  Result<ActionCall> read_action(const TableSchema& schema, JsonObject& object, ActionUse use) {
    const auto name = object.require_word("action_name");
    const JsonValue* parameters = object.optional("action_params");
    if (!name) return std::unexpected(diagnostics_.already_reported());
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
    return make_action_call(schema, *name, arguments, use, diagnostics_);
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
