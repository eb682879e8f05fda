// Linear programs of a few variables, solved in exact arithmetic by the Parma Polyhedra Library: of Debian's
// solvers the one that gives exact results (glp_exact(3) rounds them to double) and that constraints can be
// added to between solutions.
// Tested by tests/linear.
#pragma once
#include <memory>
#include <vector>

#include "base/number.h"

namespace perfpact::linear {

class LinearProgram {
 public:
  using Row = std::vector<Rational>;  // a coefficient for each variable

  LinearProgram();
  /// Every variable is from -limit to limit.
  LinearProgram(std::size_t variables, const Rational& limit);
  ~LinearProgram();

  /// The number of a new variable that is from low to high.
  std::size_t add_variable(const Rational& low, const Rational& high);
  /// row * variables >= right; the row may end before the variables do.
  void require_at_least(const Row& row, const Rational& right);
  /// The values that make objective * variables least; nothing where no values meet the constraints.
  [[nodiscard]] std::optional<std::vector<Rational>> minimise(const Row& objective);
  /// Whether any values meet the constraints.
  [[nodiscard]] bool is_possible();

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

}  // namespace perfpact::linear
