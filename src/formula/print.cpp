// Canonical printing: an expression becomes a polynomial over atoms (names, and the canonical texts of what
// is no polynomial), which is printed term by term. Division by an atom is a factor of its own: a/b is a *
// (1/b), never shortened, since a/a has no value at a = 0.
#include <algorithm>

#include "formula/expression.h"

namespace perfpact::formula {
namespace {

constexpr std::size_t kMostTerms = 1000;
constexpr std::size_t kLongestExpansion = 100'000;  // characters

struct Factor {
  std::string text;  // ready to stand in a product
  bool inverse = false;
  auto operator<=>(const Factor&) const = default;
};
using Monomial = std::vector<Factor>;  // sorted; a power is a repeated factor

std::ptrdiff_t degree(const Monomial& monomial) {
  return std::ranges::count(monomial, false, &Factor::inverse);
}

struct ByDegreeThenName {
  bool operator()(const Monomial& a, const Monomial& b) const {
    const auto degree_a = degree(a);
    const auto degree_b = degree(b);
    return degree_a != degree_b ? degree_a > degree_b : a < b;
  }
};
using Polynomial = std::map<Monomial, Rational, ByDegreeThenName>;  // no zero coefficients

void add(Polynomial& sum, const Monomial& monomial, const Rational& coefficient) {
  auto [term, is_new] = sum.try_emplace(monomial, 0);
  term->second += coefficient;
  if (term->second == 0) sum.erase(term);
}

Polynomial constant(const Rational& value) {
  Polynomial result;
  add(result, {}, value);
  return result;
}
Polynomial atom(std::string text, bool inverse = false) {
  return {{{{std::move(text), inverse}}, 1}};
}

std::string term_text(const Monomial& monomial, const Rational& coefficient) {
  std::string text;
  std::string divisors;
  for (const Factor& factor : monomial) {
    if (factor.inverse)
      divisors += "/" + factor.text;
    else
      text += (text.empty() ? "" : "*") + factor.text;
  }
  if (text.empty()) return to_fraction(coefficient) + divisors;
  if (coefficient == 1) return text + divisors;
  return to_fraction(coefficient) + "*" + text + divisors;
}

std::string to_text(const Polynomial& polynomial) {
  if (polynomial.empty()) return "0";
  std::string text;
  for (const auto& [monomial, coefficient] : polynomial) {
    const bool negative = coefficient < 0;
    if (text.empty())
      text = negative ? "-" : "";
    else
      text += negative ? " - " : " + ";
    text += term_text(monomial, negative ? Rational(-coefficient) : coefficient);
  }
  return text;
}

// The text as one factor: in parentheses unless it is an atom or a non-negative whole number.
std::string factor_text(const Polynomial& polynomial) {
  const std::string text = to_text(polynomial);
  if (polynomial.empty()) return text;
  const auto& [monomial, coefficient] = *polynomial.begin();
  const bool is_number = monomial.empty() && coefficient >= 0 && is_integer(coefficient);
  const bool is_atom = monomial.size() == 1 && !monomial.front().inverse && coefficient == 1;
  return polynomial.size() == 1 && (is_number || is_atom) ? text : "(" + text + ")";
}

std::size_t length(const Polynomial& polynomial) {
  std::size_t characters = 0;
  for (const auto& [monomial, coefficient] : polynomial)
    for (const Factor& factor : monomial) characters += factor.text.size();
  return characters;
}

Monomial product_of(std::string a, std::string b) {
  Monomial factors{{std::move(a)}, {std::move(b)}};
  std::ranges::sort(factors);
  return factors;
}

// Expanded unless that becomes too long: nested products grow exponentially.
Polynomial multiply(const Polynomial& a, const Polynomial& b) {
  if (a.size() * b.size() > kMostTerms || a.size() * length(b) + b.size() * length(a) > kLongestExpansion)
    return {{product_of(factor_text(a), factor_text(b)), 1}};
  Polynomial result;
  for (const auto& [monomial_a, coefficient_a] : a) {
    for (const auto& [monomial_b, coefficient_b] : b) {
      Monomial monomial;
      std::ranges::merge(monomial_a, monomial_b, std::back_inserter(monomial));
      add(result, monomial, coefficient_a * coefficient_b);
    }
  }
  return result;
}

Polynomial inverse(const Polynomial& divisor) {
  if (divisor.size() == 1 && divisor.begin()->first.empty()) return constant(1 / divisor.begin()->second);
  return atom(factor_text(divisor), true);
}

class Printer {
 public:
  explicit Printer(const std::vector<Formula::Name>& names) : names_(names) {}

  std::string text(const Expression& e) { return written(e).text; }

  std::optional<std::vector<Formula::Term>> terms(const Expression& e) {
    std::vector<Formula::Term> result;
    for (const auto& [monomial, coefficient] : polynomial(e)) {
      Formula::Term& term = result.emplace_back(Formula::Term{coefficient, {}});
      for (const Factor& factor : monomial) {
        if (factor.inverse || std::ranges::find(names_, factor.text, &Formula::Name::name) == names_.end())
          return std::nullopt;
        term.names.push_back(factor.text);
      }
    }
    return result;
  }

 private:
  // A text and the operator that binds loosest in it; Sum for every polynomial.
  struct Written {
    std::string text;
    Operator op;
  };

  static const OperatorText* find(std::span<const OperatorText> texts, Operator op) {
    const auto found = std::ranges::find(texts, op, &OperatorText::op);
    return found == texts.end() ? nullptr : &*found;
  }

  Written written(const Expression& e) {
    if (e.op == Operator::Or) return {joined(e, " or ", {Operator::Or}), e.op};
    if (e.op == Operator::And) return {joined(e, " and ", {Operator::Or, Operator::And}), e.op};
    if (e.op == Operator::Not)
      return {"not " + joined(e, "", {Operator::Or, Operator::And, Operator::Not}), e.op};
    if (const OperatorText* comparison = find(comparisons(), e.op))
      return {fmt::format("{} {} {}", to_text(polynomial(*e.operands[0].expression)), comparison->text,
                          to_text(polynomial(*e.operands[1].expression))),
              e.op};
    const Polynomial sum = polynomial(e);
    if (sum.size() == 1 && sum.begin()->first.size() == 1 && sum.begin()->second == 1) {
      const auto condition = conditions_.find(sum.begin()->first.front().text);
      if (condition != conditions_.end() && !sum.begin()->first.front().inverse) return condition->second;
    }
    return {to_text(sum), Operator::Sum};
  }

  // The operands' texts, those with an operator of `parenthesized` in parentheses.
  std::string joined(const Expression& e, std::string_view separator,
                     const std::vector<Operator>& parenthesized) {
    std::string result;
    for (const Operand& operand : e.operands) {
      if (!result.empty()) result += separator;
      const Written inner = written(*operand.expression);
      const bool enclose = std::ranges::count(parenthesized, inner.op) > 0;
      result += enclose ? "(" + inner.text + ")" : inner.text;
    }
    return result;
  }

  Polynomial polynomial(const Expression& e) {
    switch (e.op) {
      case Operator::Number:
        return constant(e.number);
      case Operator::Name:
        return atom(names_[e.name_index].name);
      case Operator::Sum: {
        Polynomial sum;
        for (const Operand& operand : e.operands)
          for (const auto& [monomial, coefficient] : polynomial(*operand.expression))
            add(sum, monomial, operand.inverse ? Rational(-coefficient) : coefficient);
        return sum;
      }
      case Operator::Product: {
        Polynomial product = constant(1);
        for (const Operand& operand : e.operands) {
          const Polynomial factor = polynomial(*operand.expression);
          product = multiply(product, operand.inverse ? inverse(factor) : factor);
        }
        return product;
      }
      default:
        break;
    }
    if (const OperatorText* function = find(functions(), e.op))
      return atom(fmt::format("{}({})", function->text, joined(e, ", ", {})));
    const Written condition = written(e);
    const std::string enclosed = "(" + condition.text + ")";
    conditions_.emplace(enclosed, condition);
    return atom(enclosed);
  }

  const std::vector<Formula::Name>& names_;
  std::map<std::string, Written>
      conditions_;  // by their text as an atom: comparisons and logic, in parentheses
};

}  // namespace

std::string canonical_text(const Expression& expression, const std::vector<Formula::Name>& names) {
  return Printer(names).text(expression);
}

std::optional<std::vector<Formula::Term>> canonical_terms(const Expression& expression,
                                                          const std::vector<Formula::Name>& names) {
  return Printer(names).terms(expression);
}

}  // namespace perfpact::formula
