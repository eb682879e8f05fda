// YAML input with places: every value knows file, line and column, every reader reports what was expected.
//
//   YamlMap map(root, diagnostics, "cost model");      // reports when root is not a mapping
//   auto unit = map.require_string("unit");
//   if (auto others = map.optional("others")) ...
//   map.finish();                                      // reports unknown keys, with suggestions
//
// Tested by tests/base/yaml_test.cpp.
#pragma once
#include <yaml-cpp/yaml.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/number.h"

namespace perfpact {

/// A value of a YAML document.
class Yaml {
 public:
  Yaml(const YAML::Node& node, FileId file) : node_(node), file_(file) {}

  [[nodiscard]] Span span() const;
  [[nodiscard]] bool is_map() const { return node_.IsMap(); }
  [[nodiscard]] bool is_list() const { return node_.IsSequence(); }
  [[nodiscard]] bool is_scalar() const { return node_.IsScalar(); }
  [[nodiscard]] bool is_null() const { return node_.IsNull(); }
  /// The text of a scalar; empty for null.
  [[nodiscard]] std::string text() const;
  /// Elements of a list; empty otherwise.
  [[nodiscard]] std::vector<Yaml> items() const;
  /// Keys and values of a mapping in their order; empty otherwise.
  [[nodiscard]] std::vector<std::pair<Yaml, Yaml>> entries() const;
  [[nodiscard]] FileId file() const { return file_; }
  /// `a list`, `a mapping`, `'text'`, `nothing`: for messages.
  [[nodiscard]] std::string describe() const;

  /// Each reports yaml-expected when the value is not of the kind asked for; `what` names it in the message.
  [[nodiscard]] Result<std::string> as_string(std::string_view what, Diagnostics& diagnostics) const;
  [[nodiscard]] Result<Rational> as_rational(std::string_view what, Diagnostics& diagnostics) const;
  /// Non-negative; decimal, 0x, 0b, 0o.
  [[nodiscard]] Result<Integer> as_integer(std::string_view what, Diagnostics& diagnostics) const;
  [[nodiscard]] Result<std::uint64_t> as_u64(std::string_view what, std::uint64_t max,
                                             Diagnostics& diagnostics) const;

 private:
  YAML::Node node_;
  FileId file_;
};

/// Reads and parses a file; reports syntax errors, an empty document, duplicate keys.
[[nodiscard]] Result<Yaml> load_yaml(const std::string& path, Diagnostics& diagnostics);
/// Parses a file that is registered already.
[[nodiscard]] Result<Yaml> parse_yaml(FileId file, Diagnostics& diagnostics);

/// Strict access to a mapping: keys that nobody asked for are errors.
class YamlMap {
 public:
  /// `what` names the mapping in messages: "cost model".
  YamlMap(const Yaml& value, Diagnostics& diagnostics, std::string what);

  [[nodiscard]] bool is_valid() const { return valid_; }
  [[nodiscard]] const Yaml& yaml() const { return value_; }
  /// The value of a key, if it is there.
  [[nodiscard]] std::optional<Yaml> optional(std::string_view key);
  /// The value of a key that must be there.
  [[nodiscard]] Result<Yaml> require(std::string_view key);
  [[nodiscard]] Result<std::string> require_string(std::string_view key);
  /// `schema: NAME` must be there and be `expected`.
  bool check_schema(std::string_view expected);
  /// Names a key that is known without reading it now.
  void allow(std::string_view key) { known_.emplace(key); }
  /// Reports every key that was never asked for. False when there was one (or the value is no mapping).
  bool finish();

 private:
  Yaml value_;
  Diagnostics& diagnostics_;
  std::string what_;
  bool valid_;
  std::set<std::string, std::less<>> known_;
};

namespace diag {
inline constexpr DiagnosticKind kYamlSyntax{"yaml-syntax", Severity::Error, "not valid YAML: {}"};
inline constexpr DiagnosticKind kYamlEmpty{"yaml-empty", Severity::Error,
                                           "the file is empty; expected a YAML mapping"};
inline constexpr DiagnosticKind kYamlDuplicateKey{"yaml-duplicate-key", Severity::Error,
                                                  "key '{}' stands twice"};
inline constexpr DiagnosticKind kYamlExpected{"yaml-expected", Severity::Error, "{} must be {}, not {}"};
inline constexpr DiagnosticKind kYamlUnknownKey{"yaml-unknown-key", Severity::Error,
                                                "unknown key '{}' in {}{}"};
inline constexpr DiagnosticKind kYamlMissingKey{"yaml-missing-key", Severity::Error, "{} needs a key '{}'"};
inline constexpr DiagnosticKind kYamlSchema{"yaml-schema", Severity::Error, "schema is '{}'; expected '{}'"};
}  // namespace diag

}  // namespace perfpact
