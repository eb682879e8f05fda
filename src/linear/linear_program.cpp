#include "linear/linear_program.h"

// What would run before main sets the rounding of all floating-point arithmetic.
#define PPL_NO_AUTOMATIC_INITIALIZATION
#include <ppl.hh>

namespace perfpact::linear {
namespace {

namespace ppl = Parma_Polyhedra_Library;

// The library initialised once, and rounding as it was before: the library would leave it upward (its manual,
// "Init"), for all of the program; linear programs over rationals have no use for it.
void initialise() {
  static const struct Library {
    Library() {
      ppl::initialize();
      ppl::restore_pre_PPL_rounding();
    }
    ~Library() { ppl::finalize(); }
  } kLibrary;
}

mpz_class integer(mpz_srcptr value) {
  return mpz_class(value);
}

// The same in integers: times the least common denominator, which is given.
mpz_class whole(const LinearProgram::Row& row, const Rational& more, ppl::Linear_Expression& to) {
  mpz_class common = integer(mpq_denref(more.backend().data()));
  for (const Rational& value : row)
    mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), mpq_denref(value.backend().data()));
  for (std::size_t i = 0; i < row.size(); ++i) {
    const mpz_class value(mpq_class(row[i].backend().data()) * common);
    to += value * ppl::Variable(i);
  }
  return common;
}

}  // namespace

struct LinearProgram::Problem {
  std::size_t variables;
  ppl::MIP_Problem program;
};

LinearProgram::LinearProgram() {
  initialise();
  problem_ = std::make_unique<Problem>(Problem{0, ppl::MIP_Problem()});
}

LinearProgram::LinearProgram(std::size_t variables, const Rational& limit) : LinearProgram() {
  for (std::size_t i = 0; i < variables; ++i) add_variable(-limit, limit);
}

LinearProgram::~LinearProgram() = default;

std::size_t LinearProgram::add_variable(const Rational& low, const Rational& high) {
  const std::size_t variable = problem_->variables++;
  problem_->program.add_space_dimensions_and_embed(1);
  Row row(problem_->variables);
  row[variable] = 1;
  require_at_least(row, low);
  row[variable] = -1;
  require_at_least(row, -high);
  return variable;
}

void LinearProgram::require_at_least(const Row& row, const Rational& right) {
  ppl::Linear_Expression left;
  const mpz_class common = whole(row, right, left);
  const mpz_class bound(mpq_class(right.backend().data()) * common);
  problem_->program.add_constraint(left >= bound);
}

std::optional<std::vector<Rational>> LinearProgram::minimise(const Row& objective) {
  ppl::Linear_Expression expression;
  (void)whole(objective, 0, expression);
  problem_->program.set_objective_function(expression);
  problem_->program.set_optimization_mode(ppl::MINIMIZATION);
  if (problem_->program.solve() != ppl::OPTIMIZED_MIP_PROBLEM) return std::nullopt;
  const ppl::Generator& point = problem_->program.optimizing_point();
  std::vector<Rational> values(problem_->variables);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i >= point.space_dimension()) continue;
    mpq_class value(point.coefficient(ppl::Variable(i)), point.divisor());
    value.canonicalize();
    mpq_set(values[i].backend().data(), value.get_mpq_t());
  }
  return values;
}

bool LinearProgram::is_possible() {
  return problem_->program.is_satisfiable();
}

}  // namespace perfpact::linear
