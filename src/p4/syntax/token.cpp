#include "p4/syntax/token.h"

#include <map>
#include <string>
#include <unordered_map>

namespace perfpact::p4 {
namespace {

using enum TokenKind;

const std::unordered_map<std::string_view, TokenKind>& keywords() {
  static const std::unordered_map<std::string_view, TokenKind> table = {
      {"abstract", Abstract},
      {"action", Action},
      {"actions", Actions},
      {"apply", Apply},
      {"bit", Bit},
      {"bool", Bool},
      {"break", Break},
      {"const", Const},
      {"continue", Continue},
      {"control", Control},
      {"default", Default},
      {"else", Else},
      {"entries", Entries},
      {"enum", Enum},
      {"error", Error},
      {"exit", Exit},
      {"extern", Extern},
      {"false", False},
      {"for", For},
      {"header", Header},
      {"header_union", HeaderUnion},
      {"if", If},
      {"in", In},
      {"inout", InOut},
      {"int", Int},
      {"key", Key},
      {"list", List},
      {"match_kind", MatchKind},
      {"out", Out},
      {"package", Package},
      {"parser", Parser},
      {"priority", Priority},
      {"return", Return},
      {"select", Select},
      {"state", State},
      {"string", StringType},
      {"struct", Struct},
      {"switch", Switch},
      {"table", Table},
      {"this", This},
      {"transition", Transition},
      {"true", True},
      {"tuple", Tuple},
      {"type", Type},
      {"typedef", Typedef},
      {"_", Underscore},
      {"value_set", ValueSet},
      {"varbit", Varbit},
      {"void", Void},
  };
  return table;
}

}  // namespace

const std::vector<Punctuation>& punctuation() {
  static const std::vector<Punctuation> table = {
      {"|+|=", PlusSaturateAssign},
      {"|-|=", MinusSaturateAssign},
      {"&&&", Mask},
      {"...", Dots},
      {"{#}", InvalidHeader},
      {"|+|", PlusSaturate},
      {"|-|", MinusSaturate},
      {"<<=", ShiftLeftAssign},
      {"..", Range},
      {"<<", ShiftLeft},
      {"&&", AndAnd},
      {"||", OrOr},
      {"==", EqualEqual},
      {"!=", NotEqual},
      {">=", GreaterEqual},
      {"<=", LessEqual},
      {"++", PlusPlus},
      {"+=", PlusAssign},
      {"-=", MinusAssign},
      {"*=", StarAssign},
      {"/=", SlashAssign},
      {"%=", PercentAssign},
      {"&=", AndAssign},
      {"|=", OrAssign},
      {"^=", XorAssign},
      {"+:", PlusColon},
      {"+", Plus},
      {"-", Minus},
      {"*", Star},
      {"/", Slash},
      {"%", Percent},
      {"|", Or},
      {"&", And},
      {"^", Xor},
      {"~", Tilde},
      {"(", LeftParenthesis},
      {")", RightParenthesis},
      {"[", LeftBracket},
      {"]", RightBracket},
      {"{", LeftBrace},
      {"}", RightBrace},
      {"<", Less},
      {">", Greater},
      {"!", Not},
      {":", Colon},
      {",", Comma},
      {"?", Question},
      {".", Dot},
      {"=", Assign},
      {";", Semicolon},
      {"@", At},
  };
  return table;
}

std::optional<TokenKind> keyword_kind(std::string_view text) {
  auto found = keywords().find(text);
  if (found == keywords().end()) return std::nullopt;
  return found->second;
}

bool is_keyword(TokenKind kind) {
  return kind >= Abstract;
}

std::string_view spelling(TokenKind kind) {
  static const std::map<TokenKind, std::string_view> table = [] {
    std::map<TokenKind, std::string_view> all = {{End, "the end of the program"},
                                                 {Identifier, "a name"},
                                                 {Integer, "a number"},
                                                 {String, "a string"},
                                                 {Pragma, "@pragma"},
                                                 {EndPragma, "the end of the line"},
                                                 {Unexpected, "an unexpected character"}};
    for (const auto& [text, k] : keywords()) all.emplace(k, text);
    for (const auto& [text, k] : punctuation()) all.emplace(k, text);
    return all;
  }();
  return table.at(kind);
}

}  // namespace perfpact::p4
