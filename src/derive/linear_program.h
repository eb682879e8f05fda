// Linear programs of a few variables, solved in exact arithmetic by the Parma Polyhedra Library: of Debian's
// solvers the one that gives exact results (glp_exact(3) rounds them to double) and that constraints can be
// added to between solutions.
#pragma once
#include <memory>
#include <vector>

#include "base/number.h"

namespace perfpact::derive {

class LinearProgram {
 public:
  using Row = std::vector<Rational>;  // a coefficient for each variable

  /// Every variable is from -limit to limit.
  LinearProgram(std::size_t variables, const Rational& limit);
  ~LinearProgram();

  /// row * variables >= right
  void require_at_least(const Row& row, const Rational& right);
  /// The values that make objective * variables least; nothing where no values meet the constraints.
  [[nodiscard]] std::optional<std::vector<Rational>> minimise(const Row& objective);

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

}  // namespace perfpact::derive
