#include "tables/stf_line.h"

#include <algorithm>
#include <limits>

#include "base/number.h"
#include "tables/diagnostics.h"

namespace perfpact::tables::stf {
namespace {

constexpr std::string_view kBlank = " \t\r\f\v";

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A `#` in quotes begins no comment.
std::string_view without_comment(std::string_view text) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] == '#' && !is_quoted) return text.substr(0, i);
  }
  return text;
}

}  // namespace

Line::Line(std::string_view text, FileId file, std::uint32_t number, Diagnostics& diagnostics)
    : text_(without_comment(text)), file_(file), number_(number), diagnostics_(diagnostics) {
  text_ = text_.substr(0, text_.find_last_not_of(kBlank) + 1);
  skip_blank();
  begin_ = at_;
}

Span Line::span(std::size_t from, std::size_t to) const {
  return {
      file_, {number_, static_cast<std::uint32_t>(from + 1)}, {number_, static_cast<std::uint32_t>(to + 1)}};
}

void Line::skip_blank() {
  at_ = std::min(text_.find_first_not_of(kBlank, at_), text_.size());
}

char Line::peek() {
  skip_blank();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Line::at_end() {
  skip_blank();
  return at_ == text_.size();
}

bool Line::take(char c) {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

Reported Line::report_expected(std::string_view what) {
  if (at_end()) return diagnostics_.report(diag::kStfExpected, span(at_, at_), what, "the end of the line");
  const std::size_t end = std::min(text_.find_first_of(kBlank, at_), text_.size());
  return diagnostics_.report(diag::kStfExpected, span(at_, end), what,
                             "'" + std::string(text_.substr(at_, end - at_)) + "'");
}

Result<void> Line::expect(char c) {
  if (take(c)) return {};
  return std::unexpected(report_expected(std::string("'") + c + "'"));
}

Result<void> Line::expect_end() {
  if (at_end()) return {};
  return std::unexpected(report_expected("the end of the statement"));
}

Result<Piece> Line::identifier(std::string_view what) {
  const char first = peek();
  const std::size_t from = at_;
  if (first == '"') {
    const std::size_t close = text_.find('"', from + 1);
    if (close == std::string_view::npos || close == from + 1) return std::unexpected(report_expected(what));
    at_ = close + 1;
    return Piece{std::string(text_.substr(from + 1, close - from - 1)), span(from, at_)};
  }
  if (!begins_name(first)) return std::unexpected(report_expected(what));
  while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
  return Piece{std::string(text_.substr(from, at_ - from)), span(from, at_)};
}

Result<Piece> Line::qualified_name(std::string_view what) {
  Piece name;
  do {
    auto part = identifier(what);
    if (!part) return std::unexpected(part.error());
    name.span = name.text.empty() ? part->span : join(name.span, part->span);
    name.text += (name.text.empty() ? "" : ".") + part->text;
    if (!take('[')) continue;
    const Piece index = characters("0123456789");
    if (index.text.empty()) return std::unexpected(report_expected("an index"));
    if (auto close = expect(']'); !close) return std::unexpected(close.error());
    name.text += "[" + index.text + "]";
    name.span = join(name.span, span(at_ - 1, at_));
  } while (take('.'));
  return name;
}

Result<Piece> Line::number(std::string_view what) {
  if (!is_digit(peek())) return std::unexpected(report_expected(what));
  const std::size_t from = at_;
  const std::string_view prefix = text_.substr(from, 2);
  std::string_view digits = "0123456789";
  if (prefix == "0x" || prefix == "0X") digits = "0123456789abcdefABCDEF*";
  if (prefix == "0b" || prefix == "0B") digits = "01*";
  if (digits.ends_with('*')) at_ += prefix.size();
  at_ = std::min(text_.find_first_not_of(digits, at_), text_.size());
  Piece result{std::string(text_.substr(from, at_ - from)), span(from, at_)};
  if (digits.ends_with('*')) result.text[1] = prefix[1] == 'X' || prefix[1] == 'x' ? 'x' : 'b';
  if (result.text != "0x" && result.text != "0b") return result;
  at_ = from;
  return std::unexpected(report_expected(what));
}

Result<std::uint64_t> Line::small_number(std::string_view what) {
  auto text = number(what);
  if (!text) return std::unexpected(text.error());
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  const auto value = parse_integer(text->text);
  if (!value || *value > kMax)
    return std::unexpected(diagnostics_.report(diag::kBadNumber, text->span, text->text, what, kMax));
  return value->convert_to<std::uint64_t>();
}

Piece Line::characters(std::string_view set) {
  skip_blank();
  Piece result{"", span(at_, at_)};
  while (at_ < text_.size() && set.find(text_[at_]) != std::string_view::npos) {
    result.text += text_[at_++];
    result.span = join(result.span, span(at_ - 1, at_));
    skip_blank();
  }
  return result;
}

}  // namespace perfpact::tables::stf
