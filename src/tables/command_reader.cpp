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
constexpr std::int64_t kMaxPriority = std::numeric_limits<std::int32_t>::max();

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
  constexpr std::array<std::string_view, 6> kBegins{"show_",   "table_dump",    "table_info",
                                                    "mc_dump", "mirroring_get", "table_show"};
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
  void table_modify(Words words);
  void table_delete(Words words);
  void mirroring_add(Words words);
  void group_create(Words words);
  void node_create(Words words);
  void node_associate(Words words);

  void report_unknown(const Word& name);
  void report_usage(Words words) { diagnostics_.report(diag::kCommandUsage, words[0].span, command_->usage); }
  std::optional<std::uint64_t> number(const Word& word, std::string_view what);
  Result<ActionCall> read_action(const TableSchema& schema, const Word& name, Words parameters,
                                 ActionUse use);
  Result<std::vector<Match>> read_keys(const TableSchema& schema, Words keys, const Span& place);
  std::optional<Entry>* find_entry(TableId table, const Word& handle);

  TableSet& tables_;
  Diagnostics& diagnostics_;
  const Command* command_ = nullptr;  // the one that runs
  std::map<TableId, Handles> handles_;
  std::vector<std::vector<MulticastReplica>> nodes_;  // by handle
};

std::span<const CommandReader::Command> CommandReader::commands() {
  static constexpr std::array<Command, 8> kCommands{{
      {"table_add", "table_add TABLE ACTION KEY... => PARAMETER... [PRIORITY]", 2, &CommandReader::table_add},
      {"table_set_default", "table_set_default TABLE ACTION PARAMETER...", 2,
       &CommandReader::table_set_default},
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
  static constexpr std::array<Unsupported, 13> kUnsupported{{
      {"table_indirect_", "action profiles and selectors"},
      {"act_prof_", "action profiles and selectors"},
      {"table_", "this change of a table"},
      {"mirroring_", "this change of clone sessions"},
      {"mc_", "this change of multicast groups"},
      {"register_", "registers set by the control plane"},
      {"counter_", "counters set by the control plane"},
      {"meter_", "meters set by the control plane"},
      {"set_queue_", "queue settings"},
      {"pvs_", "parser value sets"},
      {"set_crc", "custom CRC parameters"},
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
  const Span place = join(words.front().span, words.back().span);
  auto matches = read_keys(schema, Words(words.begin() + 3, arrow), place);

  Words parameters(arrow + 1, words.end());
  std::optional<Word> priority_word;
  if (schema.has_priorities()) {
    // Without a priority the last parameter would be taken for it.
    const auto actions = find_names(words[2].text, schema.actions);
    const std::size_t wanted = actions.size() == 1 ? schema.actions[actions[0]].parameters.size() : 0;
    if (parameters.empty() || (actions.size() == 1 && parameters.size() == wanted)) {
      diagnostics_.report(diag::kMissingPriority, place, schema.name);
      return;
    }
    priority_word = parameters.back();
    parameters = parameters.first(parameters.size() - 1);
  }
  auto action = read_action(schema, words[2], parameters, ActionUse::Entry);
  std::int64_t priority = 0;
  if (priority_word) {
    const auto written = read_priority(*priority_word, 0, kMaxPriority, diagnostics_);
    if (!written) return;
    priority = -*written;
  }
  if (matches && action)
    handles_[*table].entries.push_back(Entry{std::move(*matches), priority, std::move(*action), place});
}

void CommandReader::table_set_default(Words words) {
  const auto table = tables_.find(words[1].text, words[1].span, diagnostics_);
  if (!table) return;
  Words parameters = words.subspan(3);
  if (!parameters.empty() && parameters[0].text == "=>") parameters = parameters.subspan(1);
  auto action = read_action(tables_.schema(*table), words[2], parameters, ActionUse::Default);
  if (action) set_default_action(tables_, *table, std::move(*action), words[2].span, diagnostics_);
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
