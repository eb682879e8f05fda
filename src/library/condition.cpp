#include "library/condition.h"

#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <map>

#include "library/diagnostics.h"

namespace perfpact::library {
namespace {

constexpr std::uint64_t kArguments = 6;  // that registers pass (System V x86-64 ABI, section 3.2.3)

const std::map<std::string_view, Atom::Comparison>& comparisons() {
  using enum Atom::Comparison;
  static const std::map<std::string_view, Atom::Comparison> signs{{"==", Equal},  {"!=", NotEqual},
                                                                  {"<", Less},    {"<=", LessOrEqual},
                                                                  {">", Greater}, {">=", GreaterOrEqual}};
  return signs;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Token {
  std::string_view text;  // empty: the end
  std::size_t offset = 0;
};

class Parser {
 public:
  Parser(std::string_view text, const Span& at, Diagnostics& diagnostics)
      : text_(text), at_(at), diagnostics_(diagnostics) {
    advance();
  }

  std::optional<Condition> condition() {
    Condition result;
    do {
      std::optional<Atom> one = atom();
      if (!one) return std::nullopt;
      result.push_back(std::move(*one));
    } while (accept("and"));
    return at_end() ? std::optional(std::move(result)) : std::nullopt;
  }

  std::optional<Term> only_term() {
    std::optional<Term> result = term();
    return result && at_end() ? std::move(result) : std::nullopt;
  }

 private:
  std::optional<Atom> atom() {
    const bool is_negated = accept("not");
    std::optional<Term> left = term();
    if (!left) return std::nullopt;
    const auto sign = comparisons().find(token_.text);
    if (left->kind == Term::Kind::Function && (is_negated || sign == comparisons().end()))
      return Atom{Atom::Comparison::Holds, is_negated, std::move(*left), {}};
    if (is_negated || sign == comparisons().end()) {
      fail(is_negated ? "a function behind `not`" : "a comparison");
      return std::nullopt;
    }
    advance();
    std::optional<Term> right = term();
    if (!right) return std::nullopt;
    return Atom{sign->second, false, std::move(*left), std::move(*right)};
  }

  std::optional<Term> term() {
    Term result{.at = span()};
    const std::string_view word = token_.text;
    if (word.empty() || (!is_letter(word.front()) && !is_digit(word.front()))) {
      fail("a number, `argument N`, `value` or a name");
      return std::nullopt;
    }
    if (is_digit(word.front())) return number(std::move(result));
    if (word == "argument") return argument(std::move(result));
    advance();
    result.name = word;
    result.kind = word == "value" && token_.text != "(" ? Term::Kind::Value : Term::Kind::Field;
    if (!accept("(")) return result;
    result.kind = Term::Kind::Function;
    do {
      std::optional<Term> read = term();
      if (!read) return std::nullopt;
      result.arguments.push_back(std::move(*read));
    } while (accept(","));
    if (!accept(")")) {
      fail("`)`");
      return std::nullopt;
    }
    return result;
  }

  std::optional<Term> number(Term result) {
    std::string_view digits = token_.text;
    const int base = digits.starts_with("0x") ? 16 : 10;
    if (base == 16) digits.remove_prefix(2);
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), result.number, base);
    if (error != std::errc() || end != digits.end() || digits.empty()) {
      fail("a number of 64 bits");
      return std::nullopt;
    }
    advance();
    result.kind = Term::Kind::Number;
    return result;
  }

  std::optional<Term> argument(Term result) {
    advance();
    const std::string position(token_.text);
    const std::size_t errors = diagnostics_.error_count();
    std::optional<Term> read =
        position.empty() || !is_digit(position.front()) ? std::nullopt : number(std::move(result));
    if (!read || read->number >= kArguments) {
      if (errors == diagnostics_.error_count())
        diagnostics_.report(diag::kArgument, at_, "argument " + position);
      return std::nullopt;
    }
    read->kind = Term::Kind::Argument;
    return read;
  }

  bool accept(std::string_view text) {
    if (token_.text != text) return false;
    advance();
    return true;
  }

  bool at_end() {
    if (token_.text.empty()) return true;
    fail("`and` or the end");
    return false;
  }

  void fail(std::string_view expected) {
    diagnostics_.report(diag::kConditionSyntax, span(), expected,
                        token_.text.empty() ? std::string("the end") : fmt::format("'{}'", token_.text));
  }

  void advance() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
    const std::size_t begin = position_;
    if (position_ < text_.size()) {
      const auto is_word = [](char c) { return is_letter(c) || is_digit(c); };
      if (is_word(text_[position_]))
        while (position_ < text_.size() && is_word(text_[position_])) ++position_;
      else
        position_ +=
            text_.size() - position_ > 1 && comparisons().contains(text_.substr(position_, 2)) ? 2 : 1;
    }
    token_ = {text_.substr(begin, position_ - begin), begin};
  }

  Span span() const {
    Span span = at_;
    span.begin.column += static_cast<std::uint32_t>(token_.offset);
    span.end = span.begin;
    span.end.column += static_cast<std::uint32_t>(std::max<std::size_t>(1, token_.text.size()));
    return span;
  }

  std::string_view text_;
  Span at_;
  Diagnostics& diagnostics_;
  std::size_t position_ = 0;
  Token token_;
};

std::string to_string(const Atom& atom) {
  if (atom.comparison == Atom::Comparison::Holds)
    return fmt::format("{}{}", atom.is_negated ? "not " : "", to_string(atom.left));
  for (const auto& [sign, comparison] : comparisons())
    if (comparison == atom.comparison)
      return fmt::format("{} {} {}", to_string(atom.left), sign, to_string(atom.right));
  return "";
}

}  // namespace

Result<Condition> parse_condition(const std::string& text, const Span& at, Diagnostics& diagnostics) {
  std::optional<Condition> condition = Parser(text, at, diagnostics).condition();
  if (!condition) return std::unexpected(diagnostics.already_reported());
  return std::move(*condition);
}

Result<Term> parse_term(const std::string& text, const Span& at, Diagnostics& diagnostics) {
  std::optional<Term> term = Parser(text, at, diagnostics).only_term();
  if (!term) return std::unexpected(diagnostics.already_reported());
  return std::move(*term);
}

std::string to_string(const Term& term) {
  switch (term.kind) {
    case Term::Kind::Number:
      return std::to_string(term.number);
    case Term::Kind::Argument:
      return fmt::format("argument {}", term.number);
    case Term::Kind::Value:
      return "value";
    case Term::Kind::Field:
      return term.name;
    case Term::Kind::Function:
      break;
  }
  std::vector<std::string> arguments;
  for (const Term& argument : term.arguments) arguments.push_back(to_string(argument));
  return fmt::format("{}({})", term.name, fmt::join(arguments, ", "));
}

std::string to_string(const Condition& condition) {
  std::vector<std::string> atoms;
  for (const Atom& atom : condition) atoms.push_back(to_string(atom));
  return fmt::format("{}", fmt::join(atoms, " and "));
}

}  // namespace perfpact::library
