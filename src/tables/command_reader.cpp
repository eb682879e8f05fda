#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "tables/diagnostics.h"
#include "tables/names.h"
#include "tables/reader.h"

namespace perfpact::tables {
namespace {

constexpr std::size_t kMaxErrors = 100;
constexpr std::size_t kMaxLine = 65536;
constexpr std::uint64_t kMaxNumber = std::numeric_limits<std::uint32_t>::max();

// The words of a line up to a comment, `#` or `//` at the start of a word.
std::vector<Word> split(std::string_view line, FileId file, std::uint32_t number) {
  std::vector<Word> words;
  constexpr std::string_view kBlank = " \t\r";
  for (std::size_t at = line.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    const std::string_view word = line.substr(at, end - at);
    if (word.starts_with('#') || word.starts_with("//")) break;
    words.push_back({word,
                     {file,
                      {number, static_cast<std::uint32_t>(at + 1)},
                      {number, static_cast<std::uint32_t>(end + 1)}}});
    at = line.find_first_not_of(kBlank, end);
  }
  return words;
}

// Commands that show something and change nothing.
bool only_shows(std::string_view name) {
  constexpr std::array<std::string_view, 8> kBegins{"show_",         "table_dump",    "table_info",
                                                    "mc_dump",       "mirroring_get", "table_show",
                                                    "act_prof_dump", "pvs_get"};
  return name.ends_with("_read") || name.ends_with("num_entries") || name.ends_with("get_rates") ||
         std::ranges::any_of(kBegins, [&](std::string_view begin) { return name.starts_with(begin); });
}

class CommandReader {
 public:
  CommandReader(TableSet& tables, Diagnostics& diagnostics) : tables_(tables), diagnostics_(diagnostics) {}

  void run(std::vector<Word> words);
  /// Installs what the commands leave.
  void install();

 private:
  using Words = std::span<const Word>;
  struct Command {
    std::string_view name;
    std::string_view usage;
    std::size_t least_words;  // after the name
    void (CommandReader::*run)(Words);
  };
  static std::span<const Command> commands();
  struct Unsupported {
    std::string_view begin;
    std::string_view what;
  };

  // The entries of a table by handle; deleted ones are empty. The switch gives the handles of deleted entries
  // out again, so those of entries added after the first deletion are not known.
  struct Handles {
    std::vector<std::optional<Entry>> entries;
    std::optional<std::size_t> known;  // set by the first deletion
  };

  void table_add(Words words);
  void table_set_default(Words words);
  void table_reset_default(Words words);
  void indirect_add(Words words) { add_indirect(words, false); }
  void indirect_add_group(Words words) { add_indirect(words, true); }
  void indirect_default(Words words) { default_indirect(words, false); }
  void indirect_default_group(Words words) { default_indirect(words, true); }
  void table_clear(Words words);
  ActionProfiles::Profile* find_profile(const Word& name);
  void create_member(Words words);
  void create_group(Words words);
  void add_to_group(Words words);
  void value_set_add(Words words);
  void table_modify(Words words);
  void table_delete(Words words);
  void mirroring_add(Words words);
  void group_create(Words words);
  void node_create(Words words);
  void node_associate(Words words);

  void report_unknown(const Word& name);
  void report_usage(Words words) { diagnostics_.report(diag::kCommandUsage, words[0].span, command_->usage); }
  void add_indirect(Words words, bool is_group);
  void default_indirect(Words words, bool is_group);
  bool check_direct(const TableSchema& schema, const Word& name, std::string_view instead);
  /// The entry's priority from the last of the words after `=>`, which goes; 0 in a table without priorities.
  std::optional<std::int64_t> take_priority(const TableSchema& schema, Words& words, std::size_t others,
                                            const Span& place);
  std::optional<std::uint64_t> number(const Word& word, std::string_view what);
  Result<ActionCall> read_action(const TableSchema& schema, const Word& name, Words parameters,
                                 ActionUse use);
  Result<std::vector<Match>> read_keys(const TableSchema& schema, Words keys, const Span& place);
  std::optional<Entry>* find_entry(TableId table, const Word& handle);

  TableSet& tables_;
  Diagnostics& diagnostics_;
  const Command* command_ = nullptr;  // the one that runs
  std::map<TableId, Handles> handles_;
  std::map<std::string, std::uint64_t> members_, groups_;  // next handle, by action profile
  std::vector<std::vector<MulticastReplica>> nodes_;       // by handle
};

std::span<const CommandReader::Command> CommandReader::commands() {
  static constexpr std::array<Command, 23> kCommands{{
      {"table_add", "table_add TABLE ACTION KEY... => PARAMETER... [PRIORITY]", 2, &CommandReader::table_add},
      {"table_set_default", "table_set_default TABLE ACTION PARAMETER...", 2,
       &CommandReader::table_set_default},
      {"table_reset_default", "table_reset_default TABLE", 1, &CommandReader::table_reset_default},
      {"table_indirect_add", "table_indirect_add TABLE KEY... => MEMBER [PRIORITY]", 3,
       &CommandReader::indirect_add},
      {"table_indirect_add_with_group", "table_indirect_add_with_group TABLE KEY... => GROUP [PRIORITY]", 3,
       &CommandReader::indirect_add_group},
      {"table_indirect_set_default", "table_indirect_set_default TABLE MEMBER", 2,
       &CommandReader::indirect_default},
      {"table_indirect_set_default_with_group", "table_indirect_set_default_with_group TABLE GROUP", 2,
       &CommandReader::indirect_default_group},
      {"table_indirect_reset_default", "table_indirect_reset_default TABLE", 1,
       &CommandReader::table_reset_default},
      {"table_indirect_delete", "table_indirect_delete TABLE HANDLE", 2, &CommandReader::table_delete},
      {"table_clear", "table_clear TABLE", 1, &CommandReader::table_clear},
      {"table_indirect_create_member", "table_indirect_create_member TABLE ACTION PARAMETER...", 2,
       &CommandReader::create_member},
      {"table_indirect_create_group", "table_indirect_create_group TABLE", 1, &CommandReader::create_group},
      {"table_indirect_add_member_to_group", "table_indirect_add_member_to_group TABLE MEMBER GROUP", 3,
       &CommandReader::add_to_group},
      {"act_prof_create_member", "act_prof_create_member PROFILE ACTION PARAMETER...", 2,
       &CommandReader::create_member},
      {"act_prof_create_group", "act_prof_create_group PROFILE", 1, &CommandReader::create_group},
      {"act_prof_add_member_to_group", "act_prof_add_member_to_group PROFILE MEMBER GROUP", 3,
       &CommandReader::add_to_group},
      {"pvs_add", "pvs_add VALUE_SET VALUE", 2, &CommandReader::value_set_add},
      {"table_modify", "table_modify TABLE ACTION HANDLE PARAMETER...", 3, &CommandReader::table_modify},
      {"table_delete", "table_delete TABLE HANDLE", 2, &CommandReader::table_delete},
      {"mirroring_add", "mirroring_add SESSION PORT", 2, &CommandReader::mirroring_add},
      {"mc_mgrp_create", "mc_mgrp_create GROUP", 1, &CommandReader::group_create},
      {"mc_node_create", "mc_node_create RID PORT...", 1, &CommandReader::node_create},
      {"mc_node_associate", "mc_node_associate GROUP NODE", 2, &CommandReader::node_associate},
  }};
  return kCommands;
}

void CommandReader::run(std::vector<Word> words) {
  if (only_shows(words[0].text)) return;
  const auto found = std::ranges::find(commands(), words[0].text, &Command::name);
  if (found == commands().end()) return report_unknown(words[0]);
  command_ = &*found;
  if (words.size() <= command_->least_words) return report_usage(words);
  (this->*command_->run)(words);
}

void CommandReader::report_unknown(const Word& name) {
  // By how they begin; the first that fits says why.
  static constexpr std::array<Unsupported, 16> kUnsupported{{
      {"table_indirect_", "this change of an action profile"},
      {"act_prof_", "this change of an action profile"},
      {"table_", "this change of a table"},
      {"mirroring_", "this change of clone sessions"},
      {"mc_", "this change of multicast groups"},
      {"register_", "registers set by the control plane"},
      {"counter_", "counters set by the control plane"},
      {"meter_", "meters set by the control plane"},
      {"set_queue_", "queue settings"},
      {"pvs_", "this change of a value set"},
      {"set_crc", "custom CRC parameters"},
      {"set_toeplitz", "the Toeplitz hash"},
      {"reset_state", "a reset of the switch"},
      {"port_", "changes of ports"},
      {"load_new_config", "changes of the program"},
      {"swap_configs", "changes of the program"},
  }};
  const auto kind = std::ranges::find_if(
      kUnsupported, [&](const Unsupported& unsupported) { return name.text.starts_with(unsupported.begin); });
  if (kind != kUnsupported.end()) {
    diagnostics_.report(diag::kUnsupportedCommand, name.span, name.text, kind->what);
    return;
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  diagnostics_.report(diag::kUnknownCommand, name.span, name.text, did_you_mean(name.text, names));
}

std::optional<std::uint64_t> CommandReader::number(const Word& word, std::string_view what) {
  const auto value = parse_integer(word.text);
  if (value && *value <= kMaxNumber) return value->convert_to<std::uint64_t>();
  diagnostics_.report(diag::kBadNumber, word.span, word.text, what, kMaxNumber);
  return std::nullopt;
}

Result<ActionCall> CommandReader::read_action(const TableSchema& schema, const Word& name, Words parameters,
                                              ActionUse use) {
  std::vector<Argument> arguments;
  for (const Word& parameter : parameters) arguments.push_back({std::nullopt, parameter});
  return make_action_call(schema, name, arguments, use, diagnostics_);
}

Result<std::vector<Match>> CommandReader::read_keys(const TableSchema& schema, Words keys,
                                                    const Span& place) {
  if (keys.size() != schema.keys.size())
    return std::unexpected(
        diagnostics_.report(diag::kKeyCount, place, schema.name, schema.keys.size(), keys.size()));
  std::vector<Match> matches;
  matches.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto match = read_match(keys[i], schema.keys[i], diagnostics_);
    if (match) matches.push_back(std::move(*match));
  }
  if (matches.size() < keys.size()) return std::unexpected(diagnostics_.already_reported());
  return matches;
}

void CommandReader::table_add(Words words) {
  const auto arrow = std::ranges::find(words, std::string_view("=>"), &Word::text);
  if (arrow == words.end() || arrow - words.begin() < 3) return report_usage(words);
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  if (!table) return;
  const TableSchema& schema = tables_.schema(*table);
  if (!check_direct(schema, words[1], "table_indirect_add")) return;
  const Span place = join(words.front().span, words.back().span);
  auto matches = read_keys(schema, Words(words.begin() + 3, arrow), place);
  Words parameters(arrow + 1, words.end());
  const auto actions = find_names(words[2].text, schema.actions);
  const std::size_t wanted = actions.size() == 1 ? schema.actions[actions[0]].parameters.size() : 0;
  const auto priority = take_priority(schema, parameters, wanted, place);
  if (!priority) return;
  auto action = read_action(schema, words[2], parameters, ActionUse::Entry);
  if (matches && action)
    handles_[*table].entries.push_back(Entry{std::move(*matches), *priority, std::move(*action), place});
}

// With no more than the `others` words, one of them would be taken for the priority.
std::optional<std::int64_t> CommandReader::take_priority(const TableSchema& schema, Words& words,
                                                         std::size_t others, const Span& place) {
  if (!schema.has_priorities()) return 0;
  if (words.empty() || words.size() == others) {
    diagnostics_.report(diag::kMissingPriority, place, schema.name);
    return std::nullopt;
  }
  const auto written = read_priority(words.back(), 0, kMaxPriority, diagnostics_);
  if (!written) return std::nullopt;
  words = words.first(words.size() - 1);
  return -*written;
}

bool CommandReader::check_direct(const TableSchema& schema, const Word& name, std::string_view instead) {
  if (!schema.implementation) return true;
  diagnostics_.report(diag::kIndirectTable, name.span, schema.name, schema.implementation->name, instead);
  return false;
}

void CommandReader::add_indirect(Words words, bool is_group) {
  const auto arrow = std::ranges::find(words, std::string_view("=>"), &Word::text);
  if (arrow == words.end() || arrow - words.begin() < 2) return report_usage(words);
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  if (!table) return;
  const TableSchema& schema = tables_.schema(*table);
  if (tables_.profiles().of_table(schema, words[1].span, diagnostics_) == nullptr) return;
  const Span place = join(words.front().span, words.back().span);
  auto matches = read_keys(schema, Words(words.begin() + 2, arrow), place);
  Words rest(arrow + 1, words.end());
  const auto priority = take_priority(schema, rest, 1, place);
  if (!priority) return;
  if (rest.size() != 1) return report_usage(words);
  const auto id = number(rest[0], is_group ? "group handle" : "member handle");
  if (!matches || !id) return;
  Entry entry{std::move(*matches), *priority, {}, place, {}};
  (is_group ? entry.indirect.group : entry.indirect.member) = *id;
  handles_[*table].entries.push_back(std::move(entry));
}

void CommandReader::default_indirect(Words words, bool is_group) {
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  const auto id = number(words[2], is_group ? "group handle" : "member handle");
  if (!table || !id) return;
  if (tables_.profiles().of_table(tables_.schema(*table), words[1].span, diagnostics_) == nullptr) return;
  Indirect indirect;
  (is_group ? indirect.group : indirect.member) = *id;
  set_default_indirect(tables_, *table, std::move(indirect), words[2].span, diagnostics_);
}

// Older commands name a table instead of its profile.
ActionProfiles::Profile* CommandReader::find_profile(const Word& name) {
  if (!command_->name.starts_with("table_"))
    return tables_.profiles().find(name.text, name.span, diagnostics_);
  const auto table = tables_.find(name.text, name.span, diagnostics_);
  return table ? tables_.profiles().of_table(tables_.schema(*table), name.span, diagnostics_) : nullptr;
}

// Handles count up from 0 in each profile.
void CommandReader::create_member(Words words) {
  auto* profile = find_profile(words[1]);
  if (profile == nullptr) return;
  const std::uint64_t handle = members_[profile->name]++;
  const auto action = read_action(*profile->table, words[2], words.subspan(3), ActionUse::Entry);
  if (action) ActionProfiles::add_member(*profile, handle, *action, words[1].span, diagnostics_);
}

void CommandReader::create_group(Words words) {
  auto* profile = find_profile(words[1]);
  if (profile == nullptr) return;
  ActionProfiles::add_group(*profile, groups_[profile->name]++, words[1].span, diagnostics_);
}

void CommandReader::add_to_group(Words words) {
  auto* profile = find_profile(words[1]);
  const auto member = number(words[2], "member handle");
  const auto group = number(words[3], "group handle");
  if (profile != nullptr && member && group)
    ActionProfiles::add_to_group(*profile, *group, *member, words[2].span, diagnostics_);
}

// All fields as one number, the first in the highest bits.
void CommandReader::value_set_add(Words words) {
  const auto set = tables_.find_value_set(words[1].text, words[1].span, diagnostics_);
  if (!set) return;
  const TableSchema& schema = tables_.schema(*set);
  unsigned low = schema.key_bits();
  const auto value = read_value(words[2], low, "value set", schema.name, diagnostics_);
  if (!value) return;
  std::vector<Match> matches;
  for (const KeySchema& key : schema.keys) {
    low -= key.width;
    matches.push_back(exact_match(key, Integer(*value >> low) & all_ones(key.width)));
  }
  handles_[*set].entries.push_back(
      Entry{std::move(matches), 0, {}, join(words.front().span, words.back().span)});
}

void CommandReader::table_set_default(Words words) {
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  if (!table) return;
  Words parameters = words.subspan(3);
  if (!parameters.empty() && parameters[0].text == "=>") parameters = parameters.subspan(1);
  if (!check_direct(tables_.schema(*table), words[1], "table_indirect_set_default")) return;
  auto action = read_action(tables_.schema(*table), words[2], parameters, ActionUse::Default);
  if (action) set_default_action(tables_, *table, std::move(*action), words[2].span, diagnostics_);
}

void CommandReader::table_reset_default(Words words) {
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  if (table) tables_.set_default(*table, tables_.schema(*table).default_action);
}

std::optional<Entry>* CommandReader::find_entry(TableId table, const Word& word) {
  const auto handle = number(word, "handle");
  if (!handle) return nullptr;
  const TableSchema& schema = tables_.schema(table);
  Handles& handles = handles_[table];
  const std::size_t own = schema.initial_entries.size();  // the program's entries have the first handles
  if (*handle >= own && handles.known && *handle - own >= *handles.known) {
    diagnostics_.report(diag::kUncertainHandle, word.span, *handle, schema.name);
    return nullptr;
  }
  if (*handle < own || *handle - own >= handles.entries.size() || !handles.entries[*handle - own]) {
    diagnostics_.report(diag::kUnknownHandle, word.span, fmt::format("table '{}'", schema.name), *handle);
    return nullptr;
  }
  return &handles.entries[*handle - own];
}

void CommandReader::table_modify(Words words) {
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  if (!table) return;
  Words parameters = words.subspan(4);
  if (!parameters.empty() && parameters[0].text == "=>") parameters = parameters.subspan(1);
  if (!check_direct(tables_.schema(*table), words[1], "table_indirect_add")) return;
  auto action = read_action(tables_.schema(*table), words[2], parameters, ActionUse::Entry);
  std::optional<Entry>* entry = find_entry(*table, words[3]);
  if (action && entry != nullptr) (*entry)->action = std::move(*action);
}

void CommandReader::table_delete(Words words) {
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  if (!table) return;
  std::optional<Entry>* entry = find_entry(*table, words[2]);
  if (entry == nullptr) return;
  entry->reset();
  Handles& handles = handles_[*table];
  if (!handles.known) handles.known = handles.entries.size();
}

// The switch begins to count handles anew, so those that follow are not known.
void CommandReader::table_clear(Words words) {
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  if (!table) return;
  if (!tables_.schema(*table).initial_entries.empty()) {
    diagnostics_.report(diag::kUnsupportedCommand, words[0].span, words[0].text, "entries of the program");
    return;
  }
  Handles& handles = handles_[*table];
  for (auto& entry : handles.entries) entry.reset();
  handles.known = 0;
}

void CommandReader::mirroring_add(Words words) {
  const auto session = number(words[1], "clone session");
  const auto port = number(words[2], "port");
  if (session && port) add_session(tables_, {*session, {{*port, 0}}, 0}, words[1].span, diagnostics_);
}

void CommandReader::group_create(Words words) {
  if (const auto group = number(words[1], "multicast group"))
    add_group(tables_, {*group, {}}, words[1].span, diagnostics_);
}

void CommandReader::node_create(Words words) {
  const auto instance = number(words[1], "replication id");
  std::vector<MulticastReplica> replicas;
  for (const Word& word : words.subspan(2)) {
    if (word.text == "|") {
      diagnostics_.report(diag::kUnsupportedCommand, word.span, "mc_node_create", "link aggregation groups");
      break;
    }
    if (const auto port = number(word, "port")) replicas.push_back({*port, instance.value_or(0)});
  }
  nodes_.push_back(std::move(replicas));
}

void CommandReader::node_associate(Words words) {
  const auto id = number(words[1], "multicast group");
  const auto node = number(words[2], "node handle");
  if (!id || !node) return;
  auto& groups = tables_.control_plane().multicast_groups;
  const auto group = std::ranges::find(groups, *id, &ControlPlane::Group::id);
  if (group == groups.end()) {
    diagnostics_.report(diag::kUnknownGroup, words[1].span, *id);
  } else if (*node >= nodes_.size()) {
    diagnostics_.report(diag::kUnknownNode, words[2].span, *node);
  } else {
    const auto& replicas = nodes_[*node];
    group->replicas.insert(group->replicas.end(), replicas.begin(), replicas.end());
  }
}

void CommandReader::install() {
  for (auto& [table, handles] : handles_)
    for (auto& entry : handles.entries)
      if (entry) tables_.add_entry(table, std::move(*entry));
}

}  // namespace

void read_commands(FileId file, TableSet& tables, Diagnostics& diagnostics) {
  CommandReader reader(tables, diagnostics);
  const std::size_t errors = diagnostics.error_count();
  std::string_view rest = diagnostics.sources().text(file);
  for (std::uint32_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end > kMaxLine) {
      diagnostics.report(diag::kLineTooLong, Span{file, {number, 1}, {number, 1}}, end, kMaxLine);
      return;
    }
    std::vector<Word> words = split(rest.substr(0, end), file, number);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (words.empty()) continue;
    reader.run(std::move(words));
    if (diagnostics.error_count() - errors < kMaxErrors) continue;
    diagnostics.report(diag::kTooManyErrors, Span{file, {}, {}}, kMaxErrors,
                       diagnostics.sources().name(file));
    return;
  }
  reader.install();
}

}  // namespace perfpact::tables
