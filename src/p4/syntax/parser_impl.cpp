#include "p4/syntax/parser_impl.h"

#include "base/check.h"
#include "base/spelling.h"

namespace perfpact::p4 {

using enum TokenKind;

const Token& Parser::take() {
  const Token& token = peek();
  if (token.kind == LeftBrace) open_.push_back(token.span);
  if (token.kind == RightBrace && !open_.empty()) open_.pop_back();
  if (token.kind != End) ++index_;
  return token;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

const Token& Parser::expect(TokenKind kind) {
  if (!at(kind))
    fail(diag::kExpectedToken, peek().span, fmt::format("'{}'", spelling(kind)), describe(peek()));
  return take();
}

void Parser::expect_after(TokenKind kind, std::string_view what) {
  if (accept(kind)) return;
  const Span& last = previous().span;
  fail(diag::kExpectedAfter, Span{last.file, last.end, {last.end.line, last.end.column + 1}}, spelling(kind),
       what);
}

void Parser::expect_closing(TokenKind kind, const Span& open) {
  if (accept(kind)) return;
  report(diag::kExpectedToken, peek().span, fmt::format("'{}'", spelling(kind)), describe(peek()));
  diagnostics_.note(open, "to match this one");
  throw Abandon{};
}

void Parser::expect_closing_angle() {
  expect(Greater);
}

bool Parser::is_name(TokenKind kind) {
  switch (kind) {
    case Identifier:
    case Actions:
    case Apply:
    case Entries:
    case Key:
    case List:
    case Priority:
    case State:
    case Type:
      return true;
    default:
      return false;
  }
}

ast::Identifier Parser::identifier(std::string_view what) {
  if (!at_name()) {
    std::string found =
        is_keyword(kind()) ? fmt::format("the keyword {}", describe(peek())) : describe(peek());
    fail(diag::kExpectedToken, peek().span, what, found);
  }
  const Token& token = take();
  return {std::string(token.text), token.span};
}

std::string Parser::describe(const Token& token) {
  constexpr std::size_t kLongest = 40;
  if (token.kind == End || token.kind == EndPragma) return std::string(spelling(token.kind));
  if (token.kind == Unexpected) {
    auto byte = static_cast<unsigned char>(token.text.front());
    if (byte <= 0x20 || byte == 0x7f || (byte >= 0x80 && token.text.size() == 1))
      return fmt::format("0x{:02x}", byte);
  }
  if (token.text.size() > kLongest) return fmt::format("'{}...'", token.text.substr(0, kLongest));
  return fmt::format("'{}'", token.text);
}

std::optional<std::size_t> Parser::behind_brackets(std::size_t index) const {
  std::size_t depth = 0;
  for (; index < tokens_.size(); ++index) {
    switch (tokens_[index].kind) {
      case LeftParenthesis:
      case LeftBracket:
      case LeftBrace:
        ++depth;
        break;
      case RightParenthesis:
      case RightBracket:
      case RightBrace:
        if (--depth == 0) return index + 1;
        break;
      case Semicolon:
      case End:
        return std::nullopt;
      default:
        break;
    }
  }
  return std::nullopt;
}

void Parser::fail_unclosed() {
  PERFPACT_CHECK(!open_.empty(), "no brace is open");
  report(diag::kUnclosed, peek().span, "}", describe(peek()));
  diagnostics_.note(open_.back(), "to match this '{'");
  brace_missing_ = true;
  throw Abandon{};
}

void Parser::too_deep() {
  fail(diag::kTooDeep, peek().span, kMaxDepth);
}

bool Parser::correct_keyword(std::string_view what, const std::vector<TokenKind>& keywords) {
  if (!at(Identifier) || types_.is_type(peek().text)) return false;
  std::vector<std::string> candidates;
  for (TokenKind keyword : keywords) candidates.emplace_back(spelling(keyword));
  std::optional<std::string> nearest = nearest_name(peek().text, candidates);
  if (!nearest) return false;
  report(diag::kExpectedDeclaration, peek().span, what, describe(peek()),
         fmt::format("; did you mean '{}'?", *nearest));
  tokens_[index_].kind = *keyword_kind(*nearest);
  return true;
}

bool Parser::begins_outer(Level level) const {
  if (level == Level::Program) return false;
  switch (kind()) {
    case Control:
    case TokenKind::Parser:
    case Header:
    case HeaderUnion:
    case Struct:
    case Package:
    case Extern:
    case Typedef:
      return true;
    case Action:
    case Table:
    case Enum:
      return level == Level::Statements;
    case State:
      return level == Level::Statements && at_name(1) && kind(2) == LeftBrace;
    case Apply:
      return level == Level::Statements && kind(1) == LeftBrace;
    default:
      return false;
  }
}

bool Parser::begins_element(Level level, bool nested) const {
  switch (kind()) {
    case If:
    case Return:
    case Exit:
    case Switch:
    case For:
    case Break:
    case Continue:
    case Transition:
      return level == Level::Statements && !nested;
    case Action:
      return level == Level::Members || (level == Level::Program && !nested);
    case Table:
      return level == Level::Members;
    case State:
      return level == Level::Members && at_name(1) && kind(2) == LeftBrace;
    case Apply:
      return level == Level::Members && kind(1) == LeftBrace;
    case Control:
    case TokenKind::Parser:
    case Header:
    case HeaderUnion:
    case Struct:
    case Package:
    case Extern:
    case Typedef:
      return level == Level::Program;
    case Const:
    case Enum:
      return !nested;
    default:
      return false;
  }
}

bool Parser::recover(Level level, std::size_t start, std::size_t open_braces, std::size_t scopes) {
  level_ = level;
  types_.cut(scopes);
  no_greater_ = false;
  if (index_ == start && !at(RightBrace) && !begins_outer(level)) take();
  while (!at(End)) {
    if (begins_outer(level)) return false;
    if (begins_element(level, open_.size() > open_braces)) break;
    if (at(RightBrace) && open_.size() <= open_braces) {
      if (level == Level::Program) take();
      break;
    }
    bool was_semicolon = at(Semicolon);
    bool was_brace = at(RightBrace);
    take();
    if (was_semicolon && open_.size() <= open_braces) break;
    if (was_brace && open_.size() == open_braces) {
      accept(Semicolon);
      break;
    }
  }
  if (at(End) && level != Level::Program) return false;
  open_.resize(std::min(open_.size(), open_braces));
  return true;
}

}  // namespace perfpact::p4
