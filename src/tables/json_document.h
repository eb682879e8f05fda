// JSON with places: nlohmann's parser drives, every value keeps its line and column.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"

namespace perfpact::tables {

struct JsonValue {
  enum class Kind { Null, Bool, Number, String, List, Object };

  Kind kind = Kind::Null;
  std::string text;  // of a scalar; a number as it was written
  std::vector<JsonValue> items;
  struct Member;
  std::vector<Member> members;
  Span span;  // of an object or list: its opening bracket

  [[nodiscard]] bool is_scalar() const { return kind <= Kind::String; }
  /// `an object`, `a list`, `'text'`, `null`: for messages.
  [[nodiscard]] std::string describe() const;
};

struct JsonValue::Member {
  std::string name;
  Span name_span;
  JsonValue value;
};

/// Parses a registered file. Reports json-syntax, json-duplicate-key.
[[nodiscard]] Result<JsonValue> parse_json(FileId file, Diagnostics& diagnostics);

}  // namespace perfpact::tables
