// Recursive descent over the grammar of docs/formats.md, section 3: one function a rule.
#include <cctype>
#include <limits>

#include "base/spelling.h"
#include "formula/diagnostics.h"
#include "formula/expression.h"

namespace perfpact::formula {
namespace {

constexpr unsigned kDeepest = 200;
constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

constexpr std::array<OperatorText, 7> kFunctions{{
    {Operator::Min, "min", 1, kAnyNumber},
    {Operator::Max, "max", 1, kAnyNumber},
    {Operator::Floor, "floor", 1, 1},
    {Operator::Ceil, "ceil", 1, 1},
    {Operator::Mod, "mod", 2, 2},
    {Operator::Log2Ceil, "log2_ceil", 1, 1},
    {Operator::If, "if", 3, 3},
}};
constexpr std::array<OperatorText, 6> kComparisons{{
    {Operator::Equal, "=="},
    {Operator::NotEqual, "!="},
    {Operator::LessEqual, "<="},
    {Operator::Less, "<"},
    {Operator::GreaterEqual, ">="},
    {Operator::Greater, ">"},
}};

bool is_identifier_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool is_identifier_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Parser {
 public:
  using Tree = std::shared_ptr<const Expression>;

  Parser(std::string_view text, const Span& at, Diagnostics& diagnostics)
      : text_(text), file_(at.file), position_(at.begin), diagnostics_(diagnostics) {
    skip_space();
  }

  Result<Tree> parse() {
    auto tree = parse_or();
    if (!tree) return tree;
    if (!at_end()) return syntax_error("an operator or the end");
    return tree;
  }
  std::vector<Formula::Name> take_names() { return std::move(names_); }

 private:
  [[nodiscard]] bool at_end() const { return offset_ == text_.size(); }
  [[nodiscard]] std::string_view rest() const { return text_.substr(offset_); }

  void advance() {
    if (text_[offset_++] == '\n') {
      ++position_.line;
      position_.column = 1;
    } else {
      ++position_.column;
    }
  }
  void skip_space() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(text_[offset_]))) advance();
  }
  // Goes past `length` characters and the space after them; the place of what was passed.
  Span take(std::size_t length) {
    Span span{file_, position_, position_};
    for (std::size_t i = 0; i < length; ++i) advance();
    span.end = position_;
    skip_space();
    return span;
  }
  bool accept(std::string_view symbol) {
    if (!rest().starts_with(symbol)) return false;
    take(symbol.size());
    return true;
  }
  // The length of the name at the current place; 0 where there is none.
  [[nodiscard]] std::size_t name_length() const {
    const std::string_view rest = this->rest();
    std::size_t end = 0;
    while (true) {
      std::size_t i = end == 0 ? 0 : end + 1;
      if (i >= rest.size() || !is_identifier_start(rest[i])) return end;
      while (i < rest.size() && is_identifier_part(rest[i])) ++i;
      if (i + 1 < rest.size() && rest[i] == '#' && is_digit(rest[i + 1])) {
        ++i;
        while (i < rest.size() && is_digit(rest[i])) ++i;
      }
      end = i;
      if (end >= rest.size() || rest[end] != '.') return end;
    }
  }
  bool accept_word(std::string_view word) {
    if (rest().substr(0, name_length()) != word) return false;
    take(word.size());
    return true;
  }

  std::unexpected<Reported> syntax_error(std::string_view expected) {
    const Position end{position_.line, position_.column + 1};
    if (at_end())
      return std::unexpected(
          diagnostics_.report(diag::kSyntax, Span{file_, position_, end}, expected, "its end"));
    const auto byte = static_cast<unsigned char>(text_[offset_]);
    const std::size_t name = name_length();
    const std::string found = name > 0 ? fmt::format("'{}'", rest().substr(0, name))
                              : std::isprint(byte)
                                  ? fmt::format("'{}'", text_[offset_])
                                  : fmt::format("byte 0x{:02x}", static_cast<unsigned>(byte));
    const Position past{position_.line,
                        position_.column + static_cast<std::uint32_t>(std::max<std::size_t>(name, 1))};
    return std::unexpected(diagnostics_.report(diag::kSyntax, Span{file_, position_, past}, expected, found));
  }

  static Tree make(Operator op, std::vector<Operand> operands) {
    const Span span = join(operands.front().expression->span, operands.back().expression->span);
    return std::make_shared<const Expression>(Expression{op, span, std::move(operands), {}, 0});
  }

  // operand { symbol operand }, where `next_symbol` takes a symbol and says whether its operand is an
  // inverse.
  template <class ParseOperand, class NextSymbol>
  Result<Tree> parse_chain(Operator op, ParseOperand parse_operand, NextSymbol next_symbol) {
    auto first = (this->*parse_operand)();
    if (!first) return first;
    std::vector<Operand> operands{{*first, false}};
    while (std::optional<bool> inverse = next_symbol()) {
      auto operand = (this->*parse_operand)();
      if (!operand) return operand;
      operands.push_back({*operand, *inverse});
    }
    return operands.size() == 1 ? *first : make(op, std::move(operands));
  }
  std::optional<bool> next_word(std::string_view word) {
    return accept_word(word) ? std::optional(false) : std::nullopt;
  }
  std::optional<bool> next_symbol(std::string_view plain, std::string_view inverse) {
    if (accept(plain)) return false;
    if (accept(inverse)) return true;
    return std::nullopt;
  }

  Result<Tree> parse_or() {
    return parse_chain(Operator::Or, &Parser::parse_and, [this] { return next_word("or"); });
  }
  Result<Tree> parse_and() {
    return parse_chain(Operator::And, &Parser::parse_not, [this] { return next_word("and"); });
  }
  Result<Tree> parse_not() {
    if (!accept_word("not")) return parse_comparison();
    auto operand = parse_comparison();
    if (!operand) return operand;
    return make(Operator::Not, {{*operand, false}});
  }
  Result<Tree> parse_comparison() {
    auto left = parse_sum();
    if (!left) return left;
    for (const OperatorText& comparison : comparisons()) {
      if (!accept(comparison.text)) continue;
      auto right = parse_sum();
      if (!right) return right;
      return make(comparison.op, {{*left, false}, {*right, false}});
    }
    return left;
  }
  Result<Tree> parse_sum() {
    return parse_chain(Operator::Sum, &Parser::parse_product, [this] { return next_symbol("+", "-"); });
  }
  Result<Tree> parse_product() {
    return parse_chain(Operator::Product, &Parser::parse_unary, [this] { return next_symbol("*", "/"); });
  }
  Result<Tree> parse_unary() {
    if (!accept("-")) return parse_atom();
    auto operand = parse_atom();
    if (!operand) return operand;
    return make(Operator::Sum, {{*operand, true}});
  }

  Result<Tree> parse_atom() {
    if (!at_end() && (is_digit(text_[offset_]) || text_[offset_] == '.')) return parse_number();
    if (rest().starts_with("(")) return parse_parentheses();
    const std::size_t length = name_length();
    const std::string_view word = rest().substr(0, length);
    if (length == 0 || word == "and" || word == "or" || word == "not")
      return syntax_error("a number, a name, a function or '('");
    const Span span = take(length);
    if (rest().starts_with("(")) return parse_call(word, span);
    return std::make_shared<const Expression>(Expression{Operator::Name, span, {}, {}, index_of(word, span)});
  }

  Result<Tree> parse_number() {
    std::size_t length = 0;
    while (length < rest().size() && (is_digit(rest()[length]) || rest()[length] == '.')) ++length;
    auto value = parse_rational(rest().substr(0, length));
    if (!value) return syntax_error("a decimal number");
    const Span span = take(length);
    return std::make_shared<const Expression>(Expression{Operator::Number, span, {}, std::move(*value), 0});
  }

  Result<Tree> parse_parentheses() {
    const Span open = take(1);
    if (!enter()) return std::unexpected(diagnostics_.report(diag::kTooDeep, open, kDeepest));
    auto inner = parse_or();
    if (!inner) return inner;
    if (!accept(")")) return syntax_error("')'");
    --depth_;
    return inner;
  }

  Result<Tree> parse_call(std::string_view name, const Span& at) {
    const auto all = functions();
    const auto function = std::ranges::find(all, name, &OperatorText::text);
    if (function == all.end()) {
      std::vector<std::string> known;
      for (const OperatorText& f : all) known.emplace_back(f.text);
      return std::unexpected(
          diagnostics_.report(diag::kUnknownFunction, at, name, did_you_mean(name, known)));
    }
    const Span open = take(1);
    if (!enter()) return std::unexpected(diagnostics_.report(diag::kTooDeep, open, kDeepest));
    std::vector<Operand> arguments;
    do {
      auto argument = parse_or();
      if (!argument) return argument;
      arguments.push_back({*argument, false});
    } while (accept(","));
    if (!rest().starts_with(")")) return syntax_error("',' or ')'");
    const Span close = take(1);
    --depth_;
    if (arguments.size() < function->least_arguments || arguments.size() > function->most_arguments)
      return std::unexpected(diagnostics_.report(
          diag::kArguments, at, name,
          fmt::format("{} argument{}", function->least_arguments, function->least_arguments == 1 ? "" : "s"),
          arguments.size()));
    return std::make_shared<const Expression>(
        Expression{function->op, join(at, close), std::move(arguments), {}, 0});
  }

  bool enter() { return ++depth_ <= kDeepest; }

  std::size_t index_of(std::string_view name, const Span& span) {
    const auto [place, is_new] = name_indices_.try_emplace(std::string(name), names_.size());
    if (is_new) names_.push_back({std::string(name), span});
    return place->second;
  }

  std::string_view text_;
  std::size_t offset_ = 0;
  FileId file_;
  Position position_;
  unsigned depth_ = 0;
  std::vector<Formula::Name> names_;
  std::map<std::string, std::size_t> name_indices_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::span<const OperatorText> functions() {
  return kFunctions;
}
std::span<const OperatorText> comparisons() {
  return kComparisons;
}

Result<Formula> Formula::parse(std::string_view text, const Span& at, Diagnostics& diagnostics) {
  Parser parser(text, at, diagnostics);
  auto root = parser.parse();
  if (!root) return std::unexpected(root.error());
  return Formula(std::move(*root), parser.take_names());
}

}  // namespace perfpact::formula
