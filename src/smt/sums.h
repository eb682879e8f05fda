// Inequalities between sums: `a + 3 <= b`, `b <= c - d`, `c - d < a` cannot hold together, though what each
// says of intervals does not tell. A chain of them is hard for a solver that looks at bits.
//
// Constraints are read as inequalities between integers, where it is certain that no operation wraps around,
// and solved over rationals: what has no rational solution has none. Incomplete, never wrong. Terms that are
// no sums (symbols, products, choices) are variables within the bounds that are known of them.
// Tested by tests/smt/sums_test.cpp, against enumeration.
#pragma once
#include <map>
#include <vector>

#include "linear/linear_program.h"
#include "smt/learned.h"

namespace perfpact::smt {

class Sums {
 public:
  /// The facts hold of every model of the constraints that will be demanded.
  explicit Sums(LearnedFacts& facts) : facts_(facts) {}

  /// Whether operations wrap is told by what was demanded before, too.
  void demand(Expr bit);
  /// What was demanded cannot hold together. (False: not known.)
  [[nodiscard]] bool is_contradictory();
  /// An interval that holds the value wherever all that was demanded holds.
  [[nodiscard]] Facts range(Expr expr);

 private:
  /// constant + coefficients * variables
  struct Sum {
    Rational constant;
    linear::LinearProgram::Row row;
  };
  static Sum number(const Rational& constant) { return {constant, {}}; }
  static void add(Sum& to, const Sum& sum, const Rational& times);

  [[nodiscard]] Sum sum_of(Expr expr, int depth = 0);
  /// Modulo the width; nothing: it has no operation for that.
  [[nodiscard]] std::optional<Sum> unwrapped(Expr expr, int depth);
  [[nodiscard]] Sum variable(Expr expr);
  [[nodiscard]] std::optional<Integer> turns(const Sum& sum, std::uint32_t width);
  [[nodiscard]] std::optional<Rational> end(const Sum& sum, const Rational& sign);
  [[nodiscard]] Rational least(const Sum& sum, const Rational& sign) const;
  void demand_less(Expr a, Expr b, bool is_signed, bool less);
  void demand_at_least(const Sum& high, const Sum& low, const Rational& difference);
  [[nodiscard]] std::optional<Sum> as_signed(Expr expr);

  LearnedFacts& facts_;
  linear::LinearProgram program_;
  std::map<std::uint32_t, std::size_t> variables_;     // by id of the term
  std::vector<std::pair<Rational, Rational>> bounds_;  // of the variables
  std::map<std::uint32_t, Sum> known_;                 // by id of the term
};

}  // namespace perfpact::smt
