// From preprocessed text to tokens. Reports unterminated strings, and goes on; a character that starts no
// token is an Unexpected token. The last token is End. Tested by tests/p4/syntax/lexer_test.cpp.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/number.h"
#include "p4/syntax/preprocessor.h"
#include "p4/syntax/token.h"

namespace perfpact::p4 {

/// The tokens refer to `text`, which must outlive them. A `@pragma` is followed by an EndPragma at its line's
/// end. Stops early (with End) after kLexicalErrorLimit errors.
[[nodiscard]] std::vector<Token> lex(const PreprocessedText& text, Diagnostics& diagnostics);
inline constexpr std::size_t kLexicalErrorLimit = 20;

struct IntegerValue {
  Integer value;
  std::optional<std::uint32_t> width;
  bool is_signed = false;
};
/// The widest literal that is supported, in bits.
inline constexpr std::uint32_t kMaxLiteralWidth = 65536;

/// The value of an Integer token: `12`, `0x1F`, `8w0b10`, `16w0377` (decimal), `4s7`. A value that does not
/// fit its width is cut off, with a warning, as the reference compiler does.
[[nodiscard]] Result<IntegerValue> parse_integer_token(const Token& token, Diagnostics& diagnostics);
/// The characters of a String token: without quotes, escapes resolved.
[[nodiscard]] std::string unescape(std::string_view literal);

}  // namespace perfpact::p4
