#include "p4/syntax/lexer.h"

#include <cctype>

#include "base/check.h"

#include "p4/syntax/diagnostics.h"

namespace perfpact::p4 {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  Lexer(const PreprocessedText& text, Diagnostics& diagnostics)
      : source_(text), text_(text.text()), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    while (errors_ < kLexicalErrorLimit) {
      skip_space();
      if (at_ == text_.size()) break;
      next_token();
    }
    if (in_pragma_) add(TokenKind::EndPragma, 0);
    add(TokenKind::End, 0);
    return std::move(tokens_);
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      if (text_[at_] == '\n' && in_pragma_) {
        add(TokenKind::EndPragma, 0);
        in_pragma_ = false;
      }
      ++at_;
    }
  }

  void add(TokenKind kind, std::size_t length) {
    auto begin = static_cast<std::uint32_t>(at_);
    auto end = static_cast<std::uint32_t>(at_ + length);
    Token token{kind, false, text_.substr(at_, length), {}};
    if (length > 0) {
      token.span = source_.span(begin, end, cursor_);
    } else if (!tokens_.empty()) {
      const Span& last = tokens_.back().span;
      token.span = {last.file, last.end, last.end};
    }
    at_ += length;
    token.joined = at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) == 0;
    tokens_.push_back(token);
  }

  std::size_t word_length() const {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return end - at_;
  }

  void next_token() {
    char c = text_[at_];
    if (is_digit(c)) return add(TokenKind::Integer, word_length());
    if (is_word(c)) {
      std::size_t length = word_length();
      return add(keyword_kind(text_.substr(at_, length)).value_or(TokenKind::Identifier), length);
    }
    if (c == '"') return string();
    constexpr std::string_view kPragma = "@pragma";
    if (text_.substr(at_).starts_with(kPragma) &&
        (at_ + kPragma.size() == text_.size() || !is_word(text_[at_ + kPragma.size()]))) {
      in_pragma_ = true;
      return add(TokenKind::Pragma, kPragma.size());
    }
    for (const auto& [text, kind] : punctuation())
      if (text_.substr(at_, text.size()) == text) return add(kind, text.size());
    unexpected();
  }

  void string() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"')
      end += text_[end] == '\\' && end + 1 < text_.size() ? 2 : 1;
    if (end < text_.size()) return add(TokenKind::String, end + 1 - at_);
    // The rest of the line is taken for the string.
    add(TokenKind::String, std::min(text_.find('\n', at_), text_.size()) - at_);
    diagnostics_.report(diag::kUnterminatedString, tokens_.back().span);
    ++errors_;
  }

  /// One token for a character that starts no token. The text of an annotation may hold any character, so it
  /// is the parser that complains.
  void unexpected() {
    auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    std::size_t length = 1;
    while (at_ + length < text_.size() && is_continuation(text_[at_ + length])) ++length;
    add(TokenKind::Unexpected, length);
  }

  const PreprocessedText& source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::size_t cursor_ = 0;
  bool in_pragma_ = false;
  std::size_t errors_ = 0;
  std::vector<Token> tokens_;
};

/// `0x`, `0b`, `0o`, `0d` in either case at the start of `digits`: its base, 0 where there is none.
int base_prefix(std::string_view digits) {
  if (digits.size() < 2 || digits[0] != '0') return 0;
  switch (std::tolower(static_cast<unsigned char>(digits[1]))) {
    case 'x':
      return 16;
    case 'b':
      return 2;
    case 'o':
      return 8;
    case 'd':
      return 10;
    default:
      return 0;
  }
}

bool is_digit_of(char c, int base) {
  if (base == 16) return std::isxdigit(static_cast<unsigned char>(c)) != 0;
  return c >= '0' && c < '0' + base;
}

Reported malformed(const Token& token, std::string_view why, Diagnostics& diagnostics) {
  return diagnostics.report(diag::kMalformedNumber, token.span, token.text, why);
}

/// The value of the digits of `token` from `start`, after its width.
Result<Integer> parse_digits(const Token& token, std::size_t start, Diagnostics& diagnostics) {
  std::string_view digits = token.text.substr(start);
  int prefix = base_prefix(digits);
  int base = prefix == 0 ? 10 : prefix;
  if (prefix != 0) digits.remove_prefix(2);
  std::string cleaned = base == 16 ? "0x" : base == 8 ? "0o" : base == 2 ? "0b" : "";
  std::size_t before = cleaned.size();
  for (char c : digits) {
    if (c == '_') continue;
    if (!is_digit_of(c, base))
      return std::unexpected(
          malformed(token, fmt::format("'{}' is not a digit of base {}", c, base), diagnostics));
    cleaned += c;
  }
  if (cleaned.size() == before) return std::unexpected(malformed(token, "it has no digits", diagnostics));
  if (cleaned.size() > kMaxLiteralWidth + before)
    return std::unexpected(malformed(token, "it has too many digits", diagnostics));
  std::optional<Integer> value = parse_integer(cleaned);
  PERFPACT_CHECK(value.has_value(), "digits were checked: {}", cleaned);
  return *value;
}

/// What is left of a value that has only `width` bits.
Integer wrap(const Integer& value, std::uint32_t width, bool is_signed) {
  if (width == 0) return 0;
  Integer result = value & all_ones(width);
  if (is_signed && bit_test(result, width - 1)) result -= Integer(1) << width;
  return result;
}

}  // namespace

std::vector<Token> lex(const PreprocessedText& text, Diagnostics& diagnostics) {
  return Lexer(text, diagnostics).run();
}

Result<IntegerValue> parse_integer_token(const Token& token, Diagnostics& diagnostics) {
  IntegerValue result;
  std::size_t start = 0;
  std::size_t letter = 0;
  while (letter < token.text.size() && is_digit(token.text[letter])) ++letter;
  if (letter < token.text.size() && (token.text[letter] == 'w' || token.text[letter] == 's')) {
    std::optional<Integer> width = letter <= 10 ? parse_integer(token.text.substr(0, letter)) : std::nullopt;
    if (!width || *width > kMaxLiteralWidth)
      return std::unexpected(diagnostics.report(diag::kLiteralWidth, token.span, token.text.substr(0, letter),
                                                kMaxLiteralWidth));
    result.width = static_cast<std::uint32_t>(*width);
    result.is_signed = token.text[letter] == 's';
    start = letter + 1;
  }
  Result<Integer> value = parse_digits(token, start, diagnostics);
  if (!value) return std::unexpected(value.error());
  result.value = *value;
  if (result.width) {
    result.value = wrap(*value, *result.width, result.is_signed);
    if (result.value != *value)
      diagnostics.report(diag::kLiteralTruncated, token.span, token.text, *result.width, result.value.str());
  }
  return result;
}

std::string unescape(std::string_view literal) {
  if (literal.starts_with('"')) literal.remove_prefix(1);
  if (literal.ends_with('"')) literal.remove_suffix(1);
  std::string result;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      result += literal[i];
      continue;
    }
    char next = literal[++i];
    if (next == 'n') {
      result += '\n';
    } else if (next == 't') {
      result += '\t';
    } else {
      if (next != '"' && next != '\\') result += '\\';
      result += next;
    }
  }
  return result;
}

}  // namespace perfpact::p4
