// Cost formulas over PCVs: docs/formats.md, section 3. Parse, evaluate, print.
//
// Takes the text of a formula and its place, gives a Formula that evaluates exactly and prints canonically:
// `(c + 2)*e + 0.5*e` prints as `c*e + 5/2*e`. Names are written as in PCVs: `flow_table.get#2.t`.
// Tested by tests/formula/.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/number.h"

namespace perfpact::formula {

struct Expression;  // expression.h

/// A parsed formula. Cheap to copy.
class Formula {
 public:
  /// `at` is the place of the text's first character; errors point into it (a line end in the text goes to
  /// the first column of the next line). Reports formula-syntax, formula-unknown-function, formula-arguments,
  /// formula-too-deep.
  [[nodiscard]] static Result<Formula> parse(std::string_view text, const Span& at, Diagnostics& diagnostics);
  [[nodiscard]] static Formula constant(Rational value);
  [[nodiscard]] static Formula name(std::string name);
  [[nodiscard]] static Formula sum(std::span<const Formula> terms);
  /// With formulas in the place of names; names that are not listed stay.
  [[nodiscard]] Formula substitute(std::span<const std::pair<std::string, Formula>> values) const;

  /// Every name used, with the place of its first use.
  struct Name {
    std::string name;
    Span span;
  };
  [[nodiscard]] const std::vector<Name>& names() const;
  /// The place of the whole formula.
  [[nodiscard]] Span span() const;

  /// Gives the value of a name, or nothing when there is none (then formula-unknown-name is reported).
  using Lookup = std::function<std::optional<Rational>(std::string_view)>;
  /// Exact. Reports division by zero, log2_ceil below 1, an unknown name, each at its place. Conditions are 1
  /// and 0, every number but 0 counts as true; `and`, `or` and `if` evaluate only what they need.
  [[nodiscard]] Result<Rational> evaluate(const Lookup& lookup, Diagnostics& diagnostics) const;
  /// The same with one value per element of names(), in that order.
  [[nodiscard]] Result<Rational> evaluate(std::span<const Rational> values, Diagnostics& diagnostics) const;

  struct Term {
    Rational coefficient;
    std::vector<std::string> names;  // sorted; a power is a repeated name
  };
  /// The formula as a sum of products of names; nothing where it is none (min, if, division by a name, ...).
  [[nodiscard]] std::optional<std::vector<Term>> terms() const;

  /// The tree, for those that do something else with it (expression.h).
  [[nodiscard]] const Expression& root() const { return *root_; }

  /// Canonical text: polynomials expanded, terms by falling degree then name: `82*c*e + 144*c + 36*t + 882`.
  /// What is no polynomial (min, if, division by a name, ...) is kept as an atom whose parts are canonical;
  /// so is a product whose expansion would be very long. Parsing the text gives a formula of the same values.
  [[nodiscard]] std::string to_string() const;

 private:
  Formula(std::shared_ptr<const Expression> root, std::vector<Name> names);

  std::shared_ptr<const Expression> root_;
  std::shared_ptr<const std::vector<Name>> names_;
};

}  // namespace perfpact::formula
