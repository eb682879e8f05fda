#include "base/yaml.h"

#include "base/spelling.h"

namespace perfpact {
namespace {

Position position_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

bool check_duplicates(const Yaml& value, Diagnostics& diagnostics) {
  bool ok = true;
  std::set<std::string> seen;
  for (const auto& [key, inner] : value.entries()) {
    if (key.is_scalar() && !seen.insert(key.text()).second) {
      diagnostics.report(diag::kYamlDuplicateKey, key.span(), key.text());
      ok = false;
    }
    ok &= check_duplicates(inner, diagnostics);
  }
  for (const Yaml& item : value.items())
    if (!item.is_scalar()) ok &= check_duplicates(item, diagnostics);
  return ok;
}

}  // namespace

Span Yaml::span() const {
  Position begin = position_of(node_.Mark());
  Position end = begin;
  if (node_.IsScalar()) end.column += static_cast<std::uint32_t>(node_.Scalar().size());
  return {file_, begin, end};
}

std::string Yaml::text() const {
  return node_.IsScalar() ? node_.Scalar() : std::string();
}

std::vector<Yaml> Yaml::items() const {
  std::vector<Yaml> result;
  if (!node_.IsSequence()) return result;
  result.reserve(node_.size());
  for (const auto& item : node_) result.emplace_back(item, file_);
  return result;
}

std::vector<std::pair<Yaml, Yaml>> Yaml::entries() const {
  std::vector<std::pair<Yaml, Yaml>> result;
  if (!node_.IsMap()) return result;
  for (const auto& item : node_) result.emplace_back(Yaml(item.first, file_), Yaml(item.second, file_));
  return result;
}

std::string Yaml::describe() const {
  if (is_map()) return "a mapping";
  if (is_list()) return "a list";
  if (is_scalar()) return fmt::format("'{}'", text());
  return "nothing";
}

Result<std::string> Yaml::as_string(std::string_view what, Diagnostics& diagnostics) const {
  if (is_scalar()) return text();
  return std::unexpected(diagnostics.report(diag::kYamlExpected, span(), what, "a text", describe()));
}

Result<Rational> Yaml::as_rational(std::string_view what, Diagnostics& diagnostics) const {
  if (is_scalar())
    if (auto value = parse_rational(text())) return *value;
  return std::unexpected(
      diagnostics.report(diag::kYamlExpected, span(), what, "a number or a fraction like 1/3", describe()));
}

Result<Integer> Yaml::as_integer(std::string_view what, Diagnostics& diagnostics) const {
  if (is_scalar())
    if (auto value = parse_integer(text())) return *value;
  return std::unexpected(
      diagnostics.report(diag::kYamlExpected, span(), what, "a non-negative whole number", describe()));
}

Result<std::uint64_t> Yaml::as_u64(std::string_view what, std::uint64_t max, Diagnostics& diagnostics) const {
  auto value = as_integer(what, diagnostics);
  if (!value) return std::unexpected(value.error());
  if (*value > max)
    return std::unexpected(
        diagnostics.report(diag::kYamlExpected, span(), what, fmt::format("at most {}", max), describe()));
  return value->convert_to<std::uint64_t>();
}

Result<Yaml> load_yaml(const std::string& path, Diagnostics& diagnostics) {
  auto file = read_source(path, diagnostics);
  if (!file) return std::unexpected(file.error());
  return parse_yaml(*file, diagnostics);
}

Result<Yaml> parse_yaml(FileId file, Diagnostics& diagnostics) {
  try {
    YAML::Node node = YAML::Load(std::string(diagnostics.sources().text(file)));
    if (!node || node.IsNull())
      return std::unexpected(diagnostics.report(diag::kYamlEmpty, Span{file, {}, {}}));
    Yaml root(node, file);
    if (!check_duplicates(root, diagnostics)) return std::unexpected(diagnostics.already_reported());
    return root;
  } catch (const YAML::Exception& error) {
    Position at = position_of(error.mark);
    return std::unexpected(diagnostics.report(diag::kYamlSyntax, Span{file, at, at}, error.msg));
  }
}

YamlMap::YamlMap(const Yaml& value, Diagnostics& diagnostics, std::string what)
    : value_(value), diagnostics_(diagnostics), what_(std::move(what)), valid_(value.is_map()) {
  if (!valid_) diagnostics_.report(diag::kYamlExpected, value.span(), what_, "a mapping", value.describe());
}

std::optional<Yaml> YamlMap::optional(std::string_view key) {
  known_.emplace(key);
  for (const auto& [name, inner] : value_.entries())
    if (name.is_scalar() && name.text() == key) return inner;
  return std::nullopt;
}

Result<Yaml> YamlMap::require(std::string_view key) {
  if (auto value = optional(key)) return *value;
  if (!valid_) return std::unexpected(diagnostics_.already_reported());
  return std::unexpected(diagnostics_.report(diag::kYamlMissingKey, value_.span(), what_, key));
}

Result<std::string> YamlMap::require_string(std::string_view key) {
  auto value = require(key);
  if (!value) return std::unexpected(value.error());
  return value->as_string(key, diagnostics_);
}

bool YamlMap::check_schema(std::string_view expected) {
  auto schema = require_string("schema");
  if (!schema) return false;
  if (*schema == expected) return true;
  diagnostics_.report(diag::kYamlSchema, optional("schema")->span(), *schema, expected);
  return false;
}

bool YamlMap::finish() {
  bool ok = valid_;
  for (const auto& [key, inner] : value_.entries()) {
    if (key.is_scalar() && known_.contains(key.text())) continue;
    std::string name = key.is_scalar() ? key.text() : key.describe();
    diagnostics_.report(diag::kYamlUnknownKey, key.span(), name, what_,
                        did_you_mean(name, {known_.begin(), known_.end()}));
    ok = false;
  }
  return ok;
}

}  // namespace perfpact
