// The tree of a formula, shared by parser, evaluation and printing. Chains of one precedence level are one
// node with many operands, so the depth of a tree is the depth of its parentheses.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "formula/formula.h"

namespace perfpact::formula {

enum class Operator : std::uint8_t {
  Number,
  Name,
  Sum,      // an inverse operand is subtracted
  Product,  // an inverse operand divides
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  Not,
  And,
  Or,
  Min,
  Max,
  Floor,
  Ceil,
  Mod,
  Log2Ceil,
  If,
};

struct Operand {
  std::shared_ptr<const Expression> expression;
  bool inverse = false;
};

struct Expression {
  Operator op;
  Span span;
  std::vector<Operand> operands;
  Rational number;             // Number
  std::size_t name_index = 0;  // Name: into Formula::names()
};

/// How a function or a comparison is written, and how many arguments a function takes.
struct OperatorText {
  Operator op;
  std::string_view text;
  std::size_t least_arguments = 0;
  std::size_t most_arguments = 0;
};
/// min, max, floor, ceil, mod, log2_ceil, if.
[[nodiscard]] std::span<const OperatorText> functions();
/// ==, !=, <=, <, >=, >; a text that begins another one comes after it.
[[nodiscard]] std::span<const OperatorText> comparisons();

/// The canonical text of `expression`; `names` are those of its formula.
[[nodiscard]] std::string canonical_text(const Expression& expression,
                                         const std::vector<Formula::Name>& names);

/// As Formula::terms.
[[nodiscard]] std::optional<std::vector<Formula::Term>> canonical_terms(
    const Expression& expression, const std::vector<Formula::Name>& names);

}  // namespace perfpact::formula
