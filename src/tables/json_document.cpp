#include "tables/json_document.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tables/diagnostics.h"

namespace perfpact::tables {
namespace {

constexpr std::size_t kMaxDepth = 64;

// Reads characters and counts them where the builder can see it.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t& count) : at_(at), count_(&count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

// Turns rising offsets into lines and columns.
class PlaceFinder {
 public:
  PlaceFinder(FileId file, std::string_view text) : file_(file), text_(text) {}

  Span span(std::size_t begin, std::size_t end) {
    for (; at_ < begin && at_ < text_.size(); ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
    const auto column = [&](std::size_t offset) {
      return static_cast<std::uint32_t>(offset - line_start_ + 1);
    };
    return {file_, {line_, column(begin)}, {line_, column(end)}};
  }

 private:
  FileId file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

// The events of nlohmann's SAX interface (names are its own) build a tree.
class TreeBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  TreeBuilder(FileId file, std::string_view text, const std::size_t& consumed, Diagnostics& diagnostics)
      : text_(text), consumed_(consumed), places_(file, text), diagnostics_(diagnostics) {}

  bool null() { return scalar(JsonValue::Kind::Null, "null", word_begin("null")); }
  bool boolean(bool value) {
    const std::string_view word = value ? "true" : "false";
    return scalar(JsonValue::Kind::Bool, std::string(word), word_begin(word));
  }
  bool number_integer(number_integer_t) { return number(); }
  bool number_unsigned(number_unsigned_t) { return number(); }
  bool number_float(number_float_t, const string_t&) { return number(); }
  bool string(string_t& value) { return scalar(JsonValue::Kind::String, value, string_begin()); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(JsonValue::Kind::Object); }
  bool start_array(std::size_t) { return open(JsonValue::Kind::List); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(string_t& name) {
    JsonValue& object = *open_.back();
    const Span span = places_.span(string_begin(), consumed_);
    if (std::ranges::any_of(object.members, [&](const auto& member) { return member.name == name; }))
      diagnostics_.report(diag::kJsonDuplicateKey, span, name);
    object.members.push_back({name, span, {}});
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    std::string_view message = error.what();  // [json.exception...] parse error at line 1, column 2: <what>
    for (std::string_view prefix : {"] ", ": "})
      if (auto at = message.find(prefix); at != std::string_view::npos)
        message.remove_prefix(at + prefix.size());
    const std::size_t at = consumed_ > 0 ? consumed_ - 1 : 0;
    diagnostics_.report(diag::kJsonSyntax, places_.span(at, at + 1), message);
    return false;
  }

  JsonValue take() { return std::move(root_); }

 private:
  JsonValue& place_value() {
    if (open_.empty()) return root_;
    JsonValue& parent = *open_.back();
    if (parent.kind == JsonValue::Kind::Object) return parent.members.back().value;
    return parent.items.emplace_back();
  }

  bool scalar(JsonValue::Kind kind, std::string text, std::size_t begin) {
    place_value() = {kind, std::move(text), {}, {}, places_.span(begin, consumed_)};
    return true;
  }

  // The parser has read one character beyond a number, except at the end of the file.
  bool number() {
    constexpr std::string_view kDigits = "0123456789+-.eE";
    std::size_t end = consumed_;
    while (end > 0 && kDigits.find(text_[end - 1]) == std::string_view::npos) --end;
    std::size_t begin = end;
    while (begin > 0 && kDigits.find(text_[begin - 1]) != std::string_view::npos) --begin;
    place_value() = {JsonValue::Kind::Number,
                     std::string(text_.substr(begin, end - begin)),
                     {},
                     {},
                     places_.span(begin, end)};
    return true;
  }

  bool open(JsonValue::Kind kind) {
    const Span span = places_.span(consumed_ - 1, consumed_);
    if (open_.size() == kMaxDepth) {
      diagnostics_.report(diag::kJsonSyntax, span, fmt::format("nested more than {} deep", kMaxDepth));
      return false;
    }
    JsonValue& value = place_value();
    value.kind = kind;
    value.span = span;
    open_.push_back(&value);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  [[nodiscard]] std::size_t word_begin(std::string_view word) const { return consumed_ - word.size(); }

  // Of the string that ends just before: back to a quote that no backslash escapes.
  [[nodiscard]] std::size_t string_begin() const {
    std::size_t at = consumed_ - 1;
    while (at > 0) {
      --at;
      if (text_[at] != '"') continue;
      std::size_t backslashes = 0;
      while (backslashes < at && text_[at - 1 - backslashes] == '\\') ++backslashes;
      if (backslashes % 2 == 0) break;
    }
    return at;
  }

  std::string_view text_;
  const std::size_t& consumed_;
  PlaceFinder places_;
  Diagnostics& diagnostics_;
  JsonValue root_;
  std::vector<JsonValue*> open_;  // a value does not move while it is open: only its own children grow
};

}  // namespace

std::string JsonValue::describe() const {
  switch (kind) {
    case Kind::Object:
      return "an object";
    case Kind::List:
      return "a list";
    case Kind::Null:
      return "null";
    case Kind::Bool:
    case Kind::Number:
    case Kind::String:
      return fmt::format("'{}'", text);
  }
  return "nothing";
}

Result<JsonValue> parse_json(FileId file, Diagnostics& diagnostics) {
  const std::string_view text = diagnostics.sources().text(file);
  const std::size_t errors = diagnostics.error_count();
  std::size_t consumed = 0;
  TreeBuilder builder(file, text, consumed, diagnostics);
  try {
    const bool ok =
        nlohmann::json::sax_parse(CountingIterator(text.data(), consumed),
                                  CountingIterator(text.data() + text.size(), consumed), &builder);
    if (ok && diagnostics.error_count() == errors) return builder.take();
  } catch (const nlohmann::json::exception& error) {
    diagnostics.report(diag::kJsonSyntax, Span{file, {}, {}}, error.what());
  }
  return std::unexpected(diagnostics.already_reported());
}

}  // namespace perfpact::tables
