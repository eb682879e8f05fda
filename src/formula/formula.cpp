#include "formula/formula.h"

#include <algorithm>

#include "base/check.h"
#include "formula/diagnostics.h"
#include "formula/expression.h"

namespace perfpact::formula {
namespace {

// Gives the value of a name by its index; nothing when there is none.
using Values = std::function<std::optional<Rational>(std::size_t)>;

class Evaluation {
 public:
  Evaluation(const std::vector<Formula::Name>& names, const Values& values, Diagnostics& diagnostics)
      : names_(names), values_(values), diagnostics_(diagnostics) {}

  Result<Rational> value(const Expression& e) {
    switch (e.op) {
      case Operator::Number:
        return e.number;
      case Operator::Name:
        return name(e);
      case Operator::Sum:
        return sum(e);
      case Operator::Product:
        return product(e);
      case Operator::And:
        return first_or(e, false);
      case Operator::Or:
        return first_or(e, true);
      case Operator::If:
        return choice(e);
      default:
        return strict(e);
    }
  }

 private:
  static Rational truth(bool value) { return value ? 1 : 0; }

  Result<Rational> name(const Expression& e) {
    if (auto result = values_(e.name_index)) return std::move(*result);
    return std::unexpected(diagnostics_.report(diag::kUnknownName, e.span, names_[e.name_index].name));
  }

  Result<Rational> sum(const Expression& e) {
    Rational result = 0;
    for (const Operand& operand : e.operands) {
      auto term = value(*operand.expression);
      if (!term) return term;
      if (operand.inverse)
        result -= *term;
      else
        result += *term;
    }
    return result;
  }

  Result<Rational> product(const Expression& e) {
    Rational result = 1;
    for (const Operand& operand : e.operands) {
      auto factor = value(*operand.expression);
      if (!factor) return factor;
      if (!operand.inverse) {
        result *= *factor;
        continue;
      }
      if (*factor == 0)
        return std::unexpected(diagnostics_.report(diag::kDivisionByZero, operand.expression->span));
      result /= *factor;
    }
    return result;
  }

  // `and`: false at the first operand that is false; `or`: true at the first one that is true.
  Result<Rational> first_or(const Expression& e, bool decisive) {
    for (const Operand& operand : e.operands) {
      auto condition = value(*operand.expression);
      if (!condition) return condition;
      if ((*condition != 0) == decisive) return truth(decisive);
    }
    return truth(!decisive);
  }

  Result<Rational> choice(const Expression& e) {
    auto condition = value(*e.operands[0].expression);
    if (!condition) return condition;
    return value(*e.operands[*condition != 0 ? 1 : 2].expression);
  }

  // Operators that need all their operands.
  Result<Rational> strict(const Expression& e) {
    std::vector<Rational> operands;
    operands.reserve(e.operands.size());
    for (const Operand& operand : e.operands) {
      auto result = value(*operand.expression);
      if (!result) return result;
      operands.push_back(std::move(*result));
    }
    const Rational& a = operands.front();
    const Rational& b = operands.back();
    switch (e.op) {
      case Operator::Less:
        return truth(a < b);
      case Operator::LessEqual:
        return truth(a <= b);
      case Operator::Greater:
        return truth(a > b);
      case Operator::GreaterEqual:
        return truth(a >= b);
      case Operator::Equal:
        return truth(a == b);
      case Operator::NotEqual:
        return truth(a != b);
      case Operator::Not:
        return truth(a == 0);
      case Operator::Min:
        return *std::ranges::min_element(operands);
      case Operator::Max:
        return *std::ranges::max_element(operands);
      case Operator::Floor:
        return to_rational(floor(a));
      case Operator::Ceil:
        return to_rational(ceil(a));
      case Operator::Mod:
        if (b == 0)
          return std::unexpected(
              diagnostics_.report(diag::kDivisionByZero, e.operands.back().expression->span));
        return Rational(a - b * to_rational(floor(Rational(a / b))));
      case Operator::Log2Ceil:
        if (a < 1) return std::unexpected(diagnostics_.report(diag::kLogarithm, e.span, to_fraction(a)));
        return Rational(log2_ceil(ceil(a)));
      default:
        break;
    }
    PERFPACT_CHECK(false, "operator {} is no strict one", static_cast<int>(e.op));
    return Rational(0);
  }

  const std::vector<Formula::Name>& names_;
  const Values& values_;
  Diagnostics& diagnostics_;
};

}  // namespace

namespace {

// What stands in the place of a name; null: the name stays.
using Replacement = std::function<std::shared_ptr<const Expression>(const std::string&)>;

// The expression of a formula, for one whose names are `names`: those it uses are added.
std::shared_ptr<const Expression> take_over(const Expression& e, const std::vector<Formula::Name>& from,
                                            const Replacement& replacement,
                                            std::vector<Formula::Name>& names) {
  if (e.op == Operator::Name) {
    const Formula::Name& name = from[e.name_index];
    if (replacement)
      if (std::shared_ptr<const Expression> other = replacement(name.name)) return other;
    auto at = std::ranges::find(names, name.name, &Formula::Name::name);
    if (at == names.end()) at = names.insert(names.end(), name);
    return std::make_shared<const Expression>(
        Expression{e.op, e.span, {}, {}, static_cast<std::size_t>(at - names.begin())});
  }
  Expression copy = e;
  for (Operand& operand : copy.operands)
    operand.expression = take_over(*operand.expression, from, replacement, names);
  return std::make_shared<const Expression>(std::move(copy));
}

}  // namespace

Formula::Formula(std::shared_ptr<const Expression> root, std::vector<Name> names)
    : root_(std::move(root)), names_(std::make_shared<const std::vector<Name>>(std::move(names))) {}

Formula Formula::constant(Rational value) {
  return {std::make_shared<const Expression>(Expression{Operator::Number, {}, {}, std::move(value), 0}), {}};
}

Formula Formula::name(std::string name) {
  std::vector<Name> names;
  names.push_back({std::move(name), {}});
  return {std::make_shared<const Expression>(Expression{Operator::Name, {}, {}, {}, 0}), std::move(names)};
}

Formula Formula::sum(std::span<const Formula> terms) {
  std::vector<Name> names;
  Expression sum{Operator::Sum, {}, {}, {}, 0};
  for (const Formula& term : terms) sum.operands.push_back({take_over(*term.root_, *term.names_, {}, names)});
  if (sum.operands.empty()) return constant(0);
  return {std::make_shared<const Expression>(std::move(sum)), std::move(names)};
}

Formula Formula::substitute(std::span<const std::pair<std::string, Formula>> values) const {
  std::vector<Name> names;
  const Replacement replacement = [&](const std::string& name) -> std::shared_ptr<const Expression> {
    const auto value = std::ranges::find(values, name, &std::pair<std::string, Formula>::first);
    if (value == values.end()) return nullptr;
    return take_over(*value->second.root_, *value->second.names_, {}, names);
  };
  std::shared_ptr<const Expression> root = take_over(*root_, *names_, replacement, names);
  return {std::move(root), std::move(names)};
}

const std::vector<Formula::Name>& Formula::names() const {
  return *names_;
}
Span Formula::span() const {
  return root_->span;
}

Result<Rational> Formula::evaluate(const Lookup& lookup, Diagnostics& diagnostics) const {
  const Values values = [&](std::size_t index) { return lookup((*names_)[index].name); };
  return Evaluation(*names_, values, diagnostics).value(*root_);
}

Result<Rational> Formula::evaluate(std::span<const Rational> values, Diagnostics& diagnostics) const {
  PERFPACT_CHECK(values.size() == names_->size(), "{} values for {} names", values.size(), names_->size());
  const Values by_index = [&](std::size_t index) { return std::optional(values[index]); };
  return Evaluation(*names_, by_index, diagnostics).value(*root_);
}

std::optional<std::vector<Formula::Term>> Formula::terms() const {
  return canonical_terms(*root_, *names_);
}

std::string Formula::to_string() const {
  return canonical_text(*root_, *names_);
}

}  // namespace perfpact::formula
