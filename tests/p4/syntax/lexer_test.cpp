#include "p4/syntax/lexer.h"

#include <gtest/gtest.h>

#include "p4/syntax/diagnostics.h"

namespace perfpact::p4 {
namespace {

struct Lexed {
  SourceManager sources;
  Diagnostics diagnostics{sources};
  PreprocessedText text;
  std::vector<Token> tokens;

  explicit Lexed(std::string_view source) {
    FileId file = sources.add("t.p4", std::string(source));
    text.append("", source, file, {1, 1}, {});
    tokens = lex(text, diagnostics);
  }
  [[nodiscard]] std::string words() const {
    std::string result;
    for (const Token& token : tokens) result += std::string(token.text) + (token.joined ? "~" : " ");
    return result;
  }
};

TEST(Lexer, TakesTheLongestPunctuation) {
  EXPECT_EQ(Lexed("a|+|=b |-|c|=d||e&&&f&&g{#}h...i..j+:k<<=l").words(),
            "a~|+|=~b |-|~c~|=~d~||~e~&&&~f~&&~g~{#}~h~...~i~..~j~+:~k~<<=~l  ");
}

TEST(Lexer, LeavesAnglesApart) {
  Lexed lexed("a>>b>>=c >= d");
  EXPECT_EQ(lexed.words(), "a~>~>~b~>~>=~c >= d  ");
}

TEST(Lexer, EndsAPragmaAtItsLine) {
  Lexed lexed("@pragma a b\nc");
  ASSERT_EQ(lexed.tokens.size(), 6U);
  EXPECT_EQ(lexed.tokens[3].kind, TokenKind::EndPragma);
}

TEST(Lexer, KnowsKeywords) {
  EXPECT_EQ(Lexed("header_union").tokens[0].kind, TokenKind::HeaderUnion);
  EXPECT_EQ(Lexed("_").tokens[0].kind, TokenKind::Underscore);
  EXPECT_EQ(Lexed("_x").tokens[0].kind, TokenKind::Identifier);
}

TEST(Lexer, ReportsAnUnterminatedString) {
  Lexed lexed("x \"abc\ny");
  ASSERT_EQ(lexed.diagnostics.all().size(), 1U);
  EXPECT_EQ(lexed.diagnostics.all()[0].kind, &diag::kUnterminatedString);
}

struct Number {
  std::string text;
  std::string value;
  int width;  // -1: none
  bool is_signed;
};

TEST(Lexer, ReadsNumbers) {
  const std::vector<Number> numbers = {
      {"12", "12", -1, false},
      {"0x1F", "31", -1, false},
      {"0b1_0", "2", -1, false},
      {"0o17", "15", -1, false},
      {"0d19", "19", -1, false},
      {"8w0b10", "2", 8, false},
      {"16w0377", "377", 16, false},
      {"4s7", "7", 4, true},
      {"1_000", "1000", -1, false},
      {"128w0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "340282366920938463463374607431768211455", 128, false},
      {"8w300", "44", 8, false},
      {"8s128", "-128", 8, true},
      {"0w0", "0", 0, false}};
  for (const Number& number : numbers) {
    Lexed lexed(number.text);
    ASSERT_EQ(lexed.tokens.size(), 2U) << number.text;
    auto value = parse_integer_token(lexed.tokens[0], lexed.diagnostics);
    ASSERT_TRUE(value) << number.text;
    EXPECT_EQ(value->value.str(), number.value) << number.text;
    EXPECT_EQ(value->width ? static_cast<int>(*value->width) : -1, number.width) << number.text;
    EXPECT_EQ(value->is_signed, number.is_signed) << number.text;
  }
}

TEST(Lexer, WarnsOfNumbersThatAreCutOff) {
  Lexed lexed("8w256");
  ASSERT_TRUE(parse_integer_token(lexed.tokens[0], lexed.diagnostics));
  ASSERT_EQ(lexed.diagnostics.all().size(), 1U);
  EXPECT_EQ(lexed.diagnostics.all()[0].kind, &diag::kLiteralTruncated);
  EXPECT_EQ(lexed.diagnostics.all()[0].message, "'8w256' does not fit in 8 bits; it becomes 0");
}

TEST(Lexer, RefusesMalformedNumbers) {
  for (const char* text : {"12ab", "0b12", "0o8", "8q3", "0x", "8w", "8wx", "0x_"}) {
    Lexed lexed(text);
    EXPECT_FALSE(parse_integer_token(lexed.tokens[0], lexed.diagnostics)) << text;
    EXPECT_EQ(lexed.diagnostics.all()[0].kind, &diag::kMalformedNumber) << text;
  }
  for (const char* text : {"65537w1", "99999999999999999999w1"}) {
    Lexed lexed(text);
    EXPECT_FALSE(parse_integer_token(lexed.tokens[0], lexed.diagnostics)) << text;
    EXPECT_EQ(lexed.diagnostics.all()[0].kind, &diag::kLiteralWidth) << text;
  }
}

TEST(Lexer, ResolvesEscapes) {
  EXPECT_EQ(unescape(R"("a\"b\\c\nd\q")"), "a\"b\\c\nd\\q");
}

}  // namespace
}  // namespace perfpact::p4
