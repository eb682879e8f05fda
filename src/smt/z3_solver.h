// The wall around Z3: the only source file that includes its header is z3_solver.cpp, and no exception of its
// leaves it.
//
// Incremental: the assertions of one check stay asserted for the next one as far as they begin alike, so
// queries along one path cost only what is new. Queries without arrays go to Z3's incremental SAT-based
// solver for bit vectors, others to its general one.
// Tested by tests/smt/z3_test.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "smt/model.h"

namespace perfpact::smt {

enum class Verdict : std::uint8_t { Sat, Unsat, Unknown };
[[nodiscard]] std::string_view to_string(Verdict verdict);

/// What one check may take; beyond it the verdict is Unknown.
struct Limits {
  std::uint32_t milliseconds = 10'000;
  /// Z3's own count of steps, 0 for no limit: unlike time the same on every machine and in every run.
  std::uint32_t steps = 0;
  /// Widest product or division that is tried: its formula grows with the square of the width.
  std::uint32_t multiplication_bits = 1024;
};

class Z3Solver {
 public:
  explicit Z3Solver(Limits limits);
  ~Z3Solver();

  struct Outcome {
    Verdict verdict = Verdict::Unknown;
    Model model;         // Sat: values of the symbols below the assertions
    std::string reason;  // Unknown
  };
  [[nodiscard]] Outcome check(std::span<const Expr> assertions);

 private:
  class Engine;
  Limits limits_;
  std::unique_ptr<Engine> engine_;
};

/// What Z3 says of a script in SMT-LIB text; for tests.
[[nodiscard]] Z3Solver::Outcome check_smt2(const std::string& text, std::uint32_t milliseconds);

}  // namespace perfpact::smt
