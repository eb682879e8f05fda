#include "tables/values.h"

#include <algorithm>

#include "packet/packet.h"
#include "tables/names.h"

namespace perfpact::tables {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string_view expected_form(MatchKind kind) {
  switch (kind) {
    case MatchKind::Range:
      return "'low..high', a value or '*'";
    case MatchKind::Ternary:
      return "'value &&& mask', a value or '*'";
    case MatchKind::Optional:
      return "a value or '*'";
    case MatchKind::Lpm:
      return "'value/length', a value or '*'";
    case MatchKind::Exact:
    case MatchKind::Selector:
      return "a value";
  }
  return "a value";
}

Reported report_bad_match(const KeySchema& key, const Word& word, Diagnostics& diagnostics) {
  return diagnostics.report(diag::kBadMatch, word.span, word.text, to_string(key.kind), key.name,
                            expected_form(key.kind));
}

std::optional<Match> wildcard(const KeySchema& key) {
  switch (key.kind) {
    case MatchKind::Range:
      return Match{0, all_ones(key.width)};
    case MatchKind::Ternary:
    case MatchKind::Optional:
    case MatchKind::Lpm:
    case MatchKind::Selector:
      return Match{};
    case MatchKind::Exact:
      return std::nullopt;
  }
  return std::nullopt;
}

Result<Integer> read_key_value(const KeySchema& key, const Word& word, Diagnostics& diagnostics) {
  return read_value(word, key.width, "key", key.name, diagnostics);
}

// Clears what is outside the mask.
Match masked(const KeySchema& key, Integer value, Integer mask, std::uint32_t prefix_length, const Word& word,
             std::string_view what, Diagnostics& diagnostics) {
  Integer kept = value & mask;
  if (kept != value)
    diagnostics.report(diag::kBitsOutsideMask, word.span, word.text, what, key.name, to_hex(kept));
  return {std::move(kept), std::move(mask), prefix_length};
}

}  // namespace

Word Word::part(std::size_t from, std::size_t count) const {
  std::string_view piece = text.substr(std::min(from, text.size()), count);
  const std::size_t first = std::min(piece.find_first_not_of(kBlank), piece.size());
  piece = piece.substr(first, piece.find_last_not_of(kBlank) + 1 - first);
  Span place = span;
  place.begin.column += static_cast<std::uint32_t>(piece.data() - text.data());
  place.end = {place.begin.line, place.begin.column + static_cast<std::uint32_t>(piece.size())};
  return {piece, place};
}

Result<Integer> read_value(const Word& word, unsigned width, std::string_view role, std::string_view name,
                           Diagnostics& diagnostics) {
  std::optional<packet::ParsedValue> parsed = packet::parse_value(word.text);
  if (!parsed && width == 1 && (word.text == "true" || word.text == "false"))
    parsed = packet::ParsedValue{word.text == "true" ? 1 : 0, std::nullopt};
  if (!parsed) return std::unexpected(diagnostics.report(diag::kBadValue, word.span, word.text, role, name));
  if (parsed->natural_width && *parsed->natural_width != width)
    return std::unexpected(diagnostics.report(diag::kAddressWidth, word.span, word.text,
                                              *parsed->natural_width, role, name, width));
  if (parsed->value > all_ones(width))
    return std::unexpected(diagnostics.report(diag::kValueTooWide, word.span, word.text, role, name, width));
  return std::move(parsed->value);
}

Result<Match> match_value(const KeySchema& key, const Word& word, Diagnostics& diagnostics) {
  auto value = read_key_value(key, word, diagnostics);
  if (!value) return std::unexpected(value.error());
  return exact_match(key, std::move(*value));
}

Match exact_match(const KeySchema& key, Integer value) {
  if (key.kind == MatchKind::Range) return {value, value};
  return {std::move(value), all_ones(key.width), key.kind == MatchKind::Lpm ? key.width : 0};
}

Result<Match> match_prefix(const KeySchema& key, const Word& word, const Word& length,
                           Diagnostics& diagnostics) {
  auto value = read_key_value(key, word, diagnostics);
  const auto bits = parse_integer(length.text);
  if (!bits || *bits > key.width)
    return std::unexpected(
        diagnostics.report(diag::kPrefixTooLong, length.span, length.text, key.width, key.name));
  if (!value) return std::unexpected(value.error());
  const auto ones = bits->convert_to<unsigned>();
  Integer mask = all_ones(key.width) - all_ones(key.width - ones);
  return masked(key, std::move(*value), std::move(mask), ones, word, "prefix", diagnostics);
}

Result<Match> match_masked(const KeySchema& key, const Word& word, const Word& mask_word,
                           Diagnostics& diagnostics) {
  auto value = read_key_value(key, word, diagnostics);
  auto mask = read_key_value(key, mask_word, diagnostics);
  if (!value || !mask) return std::unexpected(diagnostics.already_reported());
  if (key.kind == MatchKind::Optional && *mask != 0 && *mask != all_ones(key.width))
    return std::unexpected(report_bad_match(key, mask_word, diagnostics));
  return masked(key, std::move(*value), std::move(*mask), 0, word, "mask", diagnostics);
}

Result<Match> match_range(const KeySchema& key, const Word& low_word, const Word& high_word,
                          Diagnostics& diagnostics) {
  auto low = read_key_value(key, low_word, diagnostics);
  auto high = read_key_value(key, high_word, diagnostics);
  if (!low || !high) return std::unexpected(diagnostics.already_reported());
  if (*low > *high)
    return std::unexpected(
        diagnostics.report(diag::kEmptyRange, low_word.span, key.name, low_word.text, high_word.text));
  return Match{std::move(*low), std::move(*high)};
}

Result<Match> read_match(const Word& word, const KeySchema& key, Diagnostics& diagnostics) {
  if (word.text == "*") {
    if (auto any = wildcard(key)) return std::move(*any);
    return std::unexpected(report_bad_match(key, word, diagnostics));
  }
  struct Form {
    std::string_view separator;
    std::initializer_list<MatchKind> kinds;
    Result<Match> (*read)(const KeySchema&, const Word&, const Word&, Diagnostics&);
  };
  static const std::initializer_list<Form> kForms{
      {"/", {MatchKind::Lpm}, match_prefix},
      {"&&&", {MatchKind::Ternary, MatchKind::Optional}, match_masked},
      {"..", {MatchKind::Range}, match_range},
      {"->", {MatchKind::Range}, match_range},
  };
  for (const Form& form : kForms) {
    const std::size_t at = word.text.find(form.separator);
    if (at == std::string_view::npos) continue;
    if (std::ranges::find(form.kinds, key.kind) == form.kinds.end())
      return std::unexpected(report_bad_match(key, word, diagnostics));
    return form.read(key, word.part(0, at), word.part(at + form.separator.size()), diagnostics);
  }
  return match_value(key, word, diagnostics);
}

Result<std::size_t> find_key(const TableSchema& schema, const Word& name, Diagnostics& diagnostics) {
  constexpr std::string_view kCall = ".isValid()";
  constexpr std::string_view kField = ".$valid$";
  for (auto [written, other] : {std::pair{kCall, kField}, std::pair{kField, kCall}}) {
    if (!name.text.ends_with(written) || !find_names(name.text, schema.keys).empty()) continue;
    std::string alias(name.text.substr(0, name.text.size() - written.size()));
    alias += other;
    if (!find_names(alias, schema.keys).empty())
      return resolve_name(schema.keys, alias, name.span, diagnostics, diag::kUnknownKey, schema.name);
  }
  return resolve_name(schema.keys, name.text, name.span, diagnostics, diag::kUnknownKey, schema.name);
}

Result<std::vector<Match>> complete_matches(const TableSchema& schema,
                                            std::vector<std::optional<Match>> given, const Span& entry,
                                            Diagnostics& diagnostics) {
  std::vector<Match> result;
  result.reserve(schema.keys.size());
  for (std::size_t i = 0; i < schema.keys.size(); ++i) {
    if (!given[i]) given[i] = wildcard(schema.keys[i]);
    if (given[i])
      result.push_back(std::move(*given[i]));
    else
      diagnostics.report(diag::kMissingMatch, entry, schema.keys[i].name, schema.name);
  }
  if (result.size() < schema.keys.size()) return std::unexpected(diagnostics.already_reported());
  return result;
}

Result<std::int64_t> read_priority(const Word& word, std::int64_t low, std::int64_t high,
                                   Diagnostics& diagnostics) {
  const auto value = parse_integer(word.text);
  if (!value || *value < low || *value > high)
    return std::unexpected(diagnostics.report(diag::kBadPriority, word.span, word.text, low, high));
  return value->convert_to<std::int64_t>();
}

}  // namespace perfpact::tables
