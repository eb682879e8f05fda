#include "tables/stf.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>
#include <tuple>

#include "packet/packet.h"
#include "tables/actions.h"
#include "tables/diagnostics.h"
#include "tables/names.h"
#include "tables/stf_line.h"

namespace perfpact::tables::stf {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
constexpr std::string_view kExpectedDigits = "0123456789abcdefABCDEF*";

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Word word(const Piece& piece) {
  return {piece.text, piece.span};
}

// `hdr$0.x` is `hdr[0].x`.
std::string with_brackets(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i + 1;
    while (name[i] == '$' && end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0)
      ++end;
    if (end > i + 1)
      result.append("[").append(name.substr(i + 1, end - i - 1)).append("]");
    else
      result += name[i];
    i = end;
  }
  return result;
}

Result<std::size_t> find_key_of(const TableSchema& schema, const Piece& written, Diagnostics& diagnostics) {
  constexpr std::string_view kValid = ".valid";
  const std::string name = with_brackets(written.text);
  std::vector<std::string> candidates{name, name + "$", name + ".isValid()"};
  if (name.ends_with(kValid))
    candidates.push_back(name.substr(0, name.size() - kValid.size()) + ".isValid()");
  if (name == "valid" || name == "$valid$") candidates.emplace_back("isValid()");
  for (const std::string& candidate : candidates)
    if (!find_names(candidate, schema.keys).empty())
      return find_key(schema, {candidate, written.span}, diagnostics);
  return find_key(schema, {name, written.span}, diagnostics);
}

// `0x0a**`: the digits that count as a mask.
Result<Match> match_digits(const KeySchema& key, const Piece& value, Diagnostics& diagnostics) {
  const bool is_hex = value.text.starts_with("0x");
  const unsigned bits_per_digit = is_hex ? 4 : 1;
  std::string digits = value.text;
  std::ranges::replace(digits, '*', '0');
  if (key.kind == MatchKind::Lpm) {
    const std::size_t first = value.text.find('*');
    const std::size_t bits = (value.text.size() - first) * bits_per_digit;
    if (value.text.find_first_not_of('*', first) == std::string::npos && bits <= key.width)
      return match_prefix(key, {digits, value.span}, {std::to_string(key.width - bits), value.span},
                          diagnostics);
  } else if (key.kind == MatchKind::Ternary || key.kind == MatchKind::Optional) {
    Integer mask = all_ones(key.width);
    unsigned low = 0;
    for (std::size_t i = value.text.size(); i-- > 2; low += bits_per_digit)
      if (value.text[i] == '*') mask &= ~(all_ones(bits_per_digit) << low) & all_ones(key.width);
    const std::string mask_text = to_hex(mask);
    return match_masked(key, {digits, value.span}, {mask_text, value.span}, diagnostics);
  }
  return std::unexpected(
      diagnostics.report(diag::kStfStars, value.span, value.text, to_string(key.kind), key.name));
}

class Reader {
 public:
  Reader(const TableSet& tables, Diagnostics& diagnostics) : tables_(tables), diagnostics_(diagnostics) {}

  Result<void> read(Line& line);
  [[nodiscard]] std::vector<Statement> take() { return std::move(statements_); }

 private:
  struct Keyword {
    std::string_view name;
    Result<void> (Reader::*read)(Line&);
  };
  static std::span<const Keyword> keywords();

  Result<void> add(Line& line);
  Result<void> set_default(Line& line);
  Result<void> remove(Line& line);
  Result<void> packet(Line& line);
  Result<void> expect(Line& line);
  Result<void> no_packet(Line& line);
  Result<void> session_to_port(Line& line) { return session(line, false); }
  Result<void> session_to_group(Line& line) { return session(line, true); }
  Result<void> session(Line& line, bool is_group);
  Result<void> delete_session(Line& line);
  Result<void> create_group(Line& line);
  Result<void> create_node(Line& line);
  Result<void> update_node(Line& line);
  Result<void> associate_node(Line& line);
  Result<void> register_read(Line& line);
  Result<void> register_write(Line& line);
  Result<void> register_reset(Line& line);
  Result<void> counter_read(Line& line);
  Result<void> check_counter(Line& line);
  struct NamedEntry;
  Result<const NamedEntry*> named_entry(Line& line);
  Result<void> shows_only(Line& line);
  Result<void> unsupported(Line& line);

  struct Key {
    Piece name;
    Piece value;
    std::optional<Piece> length;
  };
  Result<Match> match(const KeySchema& key, const Key& written);
  Result<std::vector<Match>> matches(const TableSchema& schema, const std::vector<Key>& keys,
                                     const Span& place);
  Result<ActionCall> action(const TableSchema& schema, const Piece& name, Line& line, ActionUse use);
  Result<std::vector<std::uint64_t>> ports(Line& line);
  /// The statement is complete; nothing may follow it.
  template <class What>
  Result<void> done(Line& line, What what) {
    if (auto end = line.expect_end(); !end) return end;
    statements_.push_back({line.whole(), std::move(what)});
    return {};
  }

  const TableSet& tables_;
  Diagnostics& diagnostics_;
  Piece keyword_;  // of the current statement
  std::vector<Statement> statements_;
  struct NamedEntry {
    std::string name;
    TableId table{};
    std::uint64_t number = 0;
  };
  std::vector<NamedEntry> named_;
  std::map<TableId, std::uint64_t> added_;  // entries, since the last `remove all`
};

std::span<const Reader::Keyword> Reader::keywords() {
  static constexpr std::array<Keyword, 24> kKeywords{{
      {"add", &Reader::add},
      {"setdefault", &Reader::set_default},
      {"remove", &Reader::remove},
      {"wait", &Reader::shows_only},
      {"packet", &Reader::packet},
      {"expect", &Reader::expect},
      {"no_packet", &Reader::no_packet},
      {"check_counter", &Reader::check_counter},
      {"mirroring_add", &Reader::session_to_port},
      {"mirroring_add_mc", &Reader::session_to_group},
      {"mirroring_delete", &Reader::delete_session},
      {"mirroring_get", &Reader::shows_only},
      {"mc_mgrp_create", &Reader::create_group},
      {"mc_node_create", &Reader::create_node},
      {"mc_node_update", &Reader::update_node},
      {"mc_node_associate", &Reader::associate_node},
      {"counter_read", &Reader::counter_read},
      {"counter_write", &Reader::unsupported},
      {"register_read", &Reader::register_read},
      {"register_write", &Reader::register_write},
      {"register_reset", &Reader::register_reset},
      {"meter_get_rates", &Reader::shows_only},
      {"meter_set_rates", &Reader::unsupported},
      {"meter_array_set_rates", &Reader::unsupported},
  }};
  return kKeywords;
}

Result<void> Reader::read(Line& line) {
  auto first = line.identifier("a statement");
  if (!first) return std::unexpected(first.error());
  keyword_ = std::move(*first);
  const auto found = std::ranges::find(keywords(), lower(keyword_.text), &Keyword::name);
  if (found != keywords().end()) return (this->*found->read)(line);
  std::vector<std::string> names;
  for (const Keyword& keyword : keywords()) names.emplace_back(keyword.name);
  return std::unexpected(diagnostics_.report(diag::kStfUnknownStatement, keyword_.span, keyword_.text,
                                             did_you_mean(lower(keyword_.text), names)));
}

Result<void> Reader::shows_only(Line& /*line*/) {
  return {};
}

Result<void> Reader::unsupported(Line& /*line*/) {
  return std::unexpected(
      diagnostics_.report(diag::kStfUnsupported, keyword_.span, fmt::format("'{}'", lower(keyword_.text))));
}

Result<Match> Reader::match(const KeySchema& key, const Key& written) {
  if (written.length) return match_prefix(key, word(written.value), word(*written.length), diagnostics_);
  if (written.value.text.contains('*')) return match_digits(key, written.value, diagnostics_);
  return match_value(key, word(written.value), diagnostics_);
}

Result<std::vector<Match>> Reader::matches(const TableSchema& schema, const std::vector<Key>& keys,
                                           const Span& place) {
  bool ok = true;
  std::vector<std::optional<Match>> given(schema.keys.size());
  for (const Key& written : keys) {
    const auto index = find_key_of(schema, written.name, diagnostics_);
    if (!index) {
      ok = false;
      continue;
    }
    const KeySchema& key = schema.keys[*index];
    if (given[*index]) diagnostics_.report(diag::kKeyTwice, written.name.span, key.name, schema.name);
    ok &= !given[*index];
    if (written.length && key.kind != MatchKind::Lpm) {
      diagnostics_.report(diag::kStfPrefix, written.value.span, to_string(key.kind), key.name);
      ok = false;
      continue;
    }
    if (auto one = match(key, written))
      given[*index] = std::move(*one);
    else
      ok = false;
  }
  if (!ok) return std::unexpected(diagnostics_.already_reported());
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!given[i] && schema.keys[i].kind == MatchKind::Exact)
      given[i] = Match{0, all_ones(schema.keys[i].width)};
  return complete_matches(schema, std::move(given), place, diagnostics_);
}

// From the '(' on.
Result<ActionCall> Reader::action(const TableSchema& schema, const Piece& name, Line& line, ActionUse use) {
  if (auto open = line.expect('('); !open) return std::unexpected(open.error());
  std::vector<std::pair<Piece, Piece>> written;
  while (!line.take(')')) {
    if (!written.empty())
      if (auto comma = line.expect(','); !comma) return std::unexpected(comma.error());
    auto parameter = line.qualified_name("the name of a parameter");
    if (!parameter) return std::unexpected(parameter.error());
    if (auto colon = line.expect(':'); !colon) return std::unexpected(colon.error());
    auto value = line.number("a number");
    if (!value) return std::unexpected(value.error());
    written.emplace_back(std::move(*parameter), std::move(*value));
  }
  std::vector<Argument> arguments;
  for (const auto& [parameter, value] : written) arguments.push_back({word(parameter), word(value)});
  return make_action_call(schema, word(name), arguments, use, diagnostics_);
}

Result<void> Reader::add(Line& line) {
  auto name = line.qualified_name("the name of a table");
  if (!name) return std::unexpected(name.error());
  const auto table = tables_.find(name->text, name->span, diagnostics_);
  std::optional<Piece> priority;
  if (std::isdigit(static_cast<unsigned char>(line.peek())) != 0) priority = *line.number("a priority");
  std::vector<Key> keys;
  std::optional<Piece> action_name;
  while (!action_name) {
    auto next = line.qualified_name(keys.empty() ? "a key" : "a key or an action");
    if (!next) return std::unexpected(next.error());
    if (line.peek() == '(') {
      action_name = std::move(*next);
      break;
    }
    if (auto colon = line.expect(':'); !colon) return colon;
    auto value = line.number("a number");
    if (!value) return std::unexpected(value.error());
    keys.push_back({std::move(*next), std::move(*value), std::nullopt});
    if (!line.take('/')) continue;
    auto length = line.number("the length of a prefix");
    if (!length) return std::unexpected(length.error());
    keys.back().length = std::move(*length);
  }
  if (!table) return std::unexpected(table.error());
  const TableSchema& schema = tables_.schema(*table);
  auto call = action(schema, *action_name, line, ActionUse::Entry);
  const std::uint64_t number = schema.initial_entries.size() + added_[*table]++;
  if (call && line.take('=')) {
    auto id = line.identifier("the name of the entry");
    if (!id) return std::unexpected(id.error());
    std::erase_if(named_, [&](const NamedEntry& one) { return one.name == id->text; });
    named_.push_back({id->text, *table, number});
  }
  AddEntry add{*table, {}};
  add.entry.span = line.whole();
  auto matched = matches(schema, keys, add.entry.span);
  if (schema.has_priorities()) {
    if (!priority)
      return std::unexpected(diagnostics_.report(diag::kMissingPriority, add.entry.span, schema.name));
    const auto value = read_priority(word(*priority), 0, kMaxPriority, diagnostics_);
    if (!value) return std::unexpected(value.error());
    add.entry.priority = *value;
  }
  if (!call) return std::unexpected(call.error());
  if (!matched) return std::unexpected(matched.error());
  add.entry.matches = std::move(*matched);
  add.entry.action = std::move(*call);
  return done(line, Control(std::move(add)));
}

Result<void> Reader::set_default(Line& line) {
  auto name = line.qualified_name("the name of a table");
  if (!name) return std::unexpected(name.error());
  const auto table = tables_.find(name->text, name->span, diagnostics_);
  if (!table) return std::unexpected(table.error());
  auto action_name = line.qualified_name("an action");
  if (!action_name) return std::unexpected(action_name.error());
  auto call = action(tables_.schema(*table), *action_name, line, ActionUse::Default);
  if (!call) return std::unexpected(call.error());
  return done(line, Control(SetDefault{*table, std::move(*call)}));
}

Result<void> Reader::remove(Line& line) {
  auto what = line.identifier("'all'");
  if (!what) return std::unexpected(what.error());
  if (lower(what->text) != "all")
    return std::unexpected(
        diagnostics_.report(diag::kStfExpected, what->span, "'all'", "'" + what->text + "'"));
  added_.clear();
  named_.clear();
  return done(line, Control(RemoveAll{}));
}

Result<void> Reader::packet(Line& line) {
  auto port = line.small_number("port");
  if (!port) return std::unexpected(port.error());
  const Piece digits = line.characters(kHexDigits);
  if (auto end = line.expect_end(); !end) return end;
  auto bytes = packet::parse_hex(digits.text, digits.span, diagnostics_);
  if (!bytes) return std::unexpected(bytes.error());
  return done(line, Packet{*port, std::move(*bytes)});
}

Result<void> Reader::expect(Line& line) {
  auto port = line.small_number("port");
  if (!port) return std::unexpected(port.error());
  Expect expect{*port, lower(line.characters(kExpectedDigits).text), false};
  expect.is_exact = line.take('$');
  return done(line, std::move(expect));
}

Result<void> Reader::no_packet(Line& line) {
  return done(line, ExpectNone{});
}

Result<void> Reader::session(Line& line, bool is_group) {
  auto session = line.small_number("clone session");
  if (!session) return std::unexpected(session.error());
  auto target = line.small_number(is_group ? "multicast group" : "port");
  if (!target) return std::unexpected(target.error());
  return done(line, Control(AddSession{*session, *target, is_group}));
}

Result<void> Reader::delete_session(Line& line) {
  auto session = line.small_number("clone session");
  if (!session) return std::unexpected(session.error());
  return done(line, Control(DeleteSession{*session}));
}

Result<void> Reader::create_group(Line& line) {
  auto group = line.small_number("multicast group");
  if (!group) return std::unexpected(group.error());
  return done(line, Control(CreateGroup{*group}));
}

Result<std::vector<std::uint64_t>> Reader::ports(Line& line) {
  std::vector<std::uint64_t> result;
  do {
    auto port = line.small_number("port");
    if (!port) return std::unexpected(port.error());
    result.push_back(*port);
  } while (!line.at_end());
  return result;
}

Result<void> Reader::create_node(Line& line) {
  auto instance = line.small_number("replication id");
  if (!instance) return std::unexpected(instance.error());
  auto all = ports(line);
  if (!all) return std::unexpected(all.error());
  return done(line, Control(CreateNode{*instance, std::move(*all)}));
}

Result<void> Reader::update_node(Line& line) {
  auto node = line.small_number("node handle");
  if (!node) return std::unexpected(node.error());
  auto all = ports(line);
  if (!all) return std::unexpected(all.error());
  return done(line, Control(UpdateNode{*node, std::move(*all)}));
}

Result<void> Reader::associate_node(Line& line) {
  auto group = line.small_number("multicast group");
  if (!group) return std::unexpected(group.error());
  auto node = line.small_number("node handle");
  if (!node) return std::unexpected(node.error());
  return done(line, Control(AssociateNode{*group, *node}));
}

Result<void> Reader::register_read(Line& line) {
  auto name = line.qualified_name("the name of a register");
  if (!name) return std::unexpected(name.error());
  auto index = line.small_number("index");
  if (!index) return std::unexpected(index.error());
  return done(line, RegisterRead{{name->text, name->span}, *index});
}

Result<void> Reader::register_write(Line& line) {
  auto name = line.qualified_name("the name of a register");
  if (!name) return std::unexpected(name.error());
  auto index = line.small_number("index");
  if (!index) return std::unexpected(index.error());
  auto value = line.number("a number");
  if (!value) return std::unexpected(value.error());
  const auto number = parse_integer(value->text);
  if (!number)
    return std::unexpected(
        diagnostics_.report(diag::kStfExpected, value->span, "a number", "'" + value->text + "'"));
  return done(line, RegisterWrite{{name->text, name->span}, *index, *number});
}

Result<void> Reader::register_reset(Line& line) {
  auto name = line.qualified_name("the name of a register");
  if (!name) return std::unexpected(name.error());
  return done(line, RegisterReset{{name->text, name->span}});
}

Result<void> Reader::counter_read(Line& line) {
  auto name = line.qualified_name("the name of a counter");
  if (!name) return std::unexpected(name.error());
  auto index = line.small_number("index");
  if (!index) return std::unexpected(index.error());
  return done(line, CounterRead{{name->text, name->span}, *index});
}

// `$name`.
Result<const Reader::NamedEntry*> Reader::named_entry(Line& line) {
  const auto written = line.identifier("an index or $ and the name of an entry");
  if (!written) return std::unexpected(written.error());
  const std::string_view text = written->text;
  const std::string_view name = text.substr(text.starts_with('$') ? 1 : 0);
  const auto found = std::ranges::find(named_, name, &NamedEntry::name);
  if (found != named_.end()) return &*found;
  return std::unexpected(
      diagnostics_.report(diag::kStfUnknownEntry, written->span, name, did_you_mean(name, names_of(named_))));
}

Result<void> Reader::check_counter(Line& line) {
  auto name = line.qualified_name("the name of a counter");
  if (!name) return std::unexpected(name.error());
  if (auto open = line.expect('('); !open) return open;
  std::optional<TableId> entry_of;
  Result<std::uint64_t> index = 0;
  if (std::isdigit(static_cast<unsigned char>(line.peek())) == 0) {
    const auto entry = named_entry(line);
    if (!entry) return std::unexpected(entry.error());
    entry_of = (*entry)->table;
    index = (*entry)->number;
  } else {
    index = line.small_number("index");
    if (!index) return std::unexpected(index.error());
  }
  if (auto close = line.expect(')'); !close) return close;
  CheckCounter check{{name->text, name->span}, *index, entry_of, false, "==", 0};
  if (line.at_end()) return done(line, std::move(check));
  auto what = line.identifier("'packets' or 'bytes'");
  if (!what) return std::unexpected(what.error());
  check.counts_bytes = lower(what->text) == "bytes";
  if (!check.counts_bytes && lower(what->text) != "packets")
    return std::unexpected(
        diagnostics_.report(diag::kStfExpected, what->span, "'packets' or 'bytes'", "'" + what->text + "'"));
  const Piece comparison = line.characters("=!<>");
  constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<", "<=", ">", ">="};
  if (std::ranges::find(kComparisons, comparison.text) == kComparisons.end())
    return std::unexpected(diagnostics_.report(diag::kStfExpected, comparison.span,
                                               "one of ==, !=, <, <=, >, >=", "'" + comparison.text + "'"));
  auto value = line.small_number("number");
  if (!value) return std::unexpected(value.error());
  check.comparison = comparison.text;
  check.value = *value;
  return done(line, std::move(check));
}

}  // namespace

Result<std::vector<Statement>> read(const std::string& path, const TableSet& tables,
                                    Diagnostics& diagnostics) {
  const auto file = read_source(path, diagnostics);
  if (!file) return std::unexpected(file.error());
  Reader reader(tables, diagnostics);
  const std::size_t errors = diagnostics.error_count();
  std::string_view rest = diagnostics.sources().text(*file);
  for (std::uint32_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    Line line(rest.substr(0, end), *file, number, diagnostics);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    // Reported already; the other lines are read for their own faults.
    if (!line.at_end()) std::ignore = reader.read(line);
  }
  if (diagnostics.error_count() > errors) return std::unexpected(diagnostics.already_reported());
  return reader.take();
}

}  // namespace perfpact::tables::stf
