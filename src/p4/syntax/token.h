// The tokens of P4_16. `>` is always a token of its own (or `>=`), because `>>` may close two lists of type
// arguments; the parser puts `>>` and `>>=` together from adjacent tokens.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace perfpact::p4 {

enum class TokenKind : std::uint8_t {
  End,
  Identifier,
  Integer,
  String,
  Pragma,
  EndPragma,
  Unexpected,
  // punctuation
  LessEqual,
  GreaterEqual,
  ShiftLeft,
  AndAnd,
  OrOr,
  NotEqual,
  EqualEqual,
  Plus,
  Minus,
  PlusSaturate,
  MinusSaturate,
  Star,
  Slash,
  Percent,
  InvalidHeader,
  Or,
  And,
  Xor,
  Tilde,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Less,
  Greater,
  LeftParenthesis,
  RightParenthesis,
  Not,
  Colon,
  PlusColon,
  Comma,
  Question,
  Dot,
  Assign,
  PlusAssign,
  MinusAssign,
  StarAssign,
  SlashAssign,
  PercentAssign,
  AndAssign,
  OrAssign,
  XorAssign,
  ShiftLeftAssign,
  PlusSaturateAssign,
  MinusSaturateAssign,
  Semicolon,
  At,
  PlusPlus,
  Mask,
  Dots,
  Range,
  // keywords
  Abstract,
  Action,
  Actions,
  Apply,
  Bit,
  Bool,
  Break,
  Const,
  Continue,
  Control,
  Default,
  Else,
  Entries,
  Enum,
  Error,
  Exit,
  Extern,
  False,
  For,
  Header,
  HeaderUnion,
  If,
  In,
  InOut,
  Int,
  Key,
  List,
  MatchKind,
  Out,
  Package,
  Parser,
  Priority,
  Return,
  Select,
  State,
  StringType,
  Struct,
  Switch,
  Table,
  This,
  Transition,
  True,
  Tuple,
  Type,
  Typedef,
  Underscore,
  ValueSet,
  Varbit,
  Void,
};

struct Token {
  TokenKind kind = TokenKind::End;
  bool joined = false;  // nothing between this token and the next one
  std::string_view text;
  Span span;
};

/// The keyword of this text, or nothing.
[[nodiscard]] std::optional<TokenKind> keyword_kind(std::string_view text);
[[nodiscard]] bool is_keyword(TokenKind kind);
/// As written in P4: `(`, `header_union`; a description such as `a name` for kinds with varying text.
[[nodiscard]] std::string_view spelling(TokenKind kind);
/// Punctuation in the order in which it is tried: a longer one before its beginnings.
struct Punctuation {
  std::string_view text;
  TokenKind kind;
};
[[nodiscard]] const std::vector<Punctuation>& punctuation();

}  // namespace perfpact::p4
