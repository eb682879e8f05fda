#include "smt/z3_solver.h"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <vector>

#include "base/check.h"

namespace perfpact::smt {
namespace {

// Translated nodes kept before the engine is made anew, so that memory stays bounded.
constexpr std::size_t kMostTranslated = 500'000;

struct TooWide {
  std::uint32_t bits;
};

bool is_product(Op op) {
  return op == Op::Mul || op == Op::UDiv || op == Op::URem || op == Op::SDiv || op == Op::SRem;
}

Verdict to_verdict(z3::check_result result) {
  if (result == z3::sat) return Verdict::Sat;
  return result == z3::unsat ? Verdict::Unsat : Verdict::Unknown;
}

// Expressions as Z3 terms, each node once. Truth values are of sort Bool, symbols of 1 bit of sort BitVec.
class Translation {
 public:
  Translation(z3::context& z3, std::uint32_t most_bits) : z3_(z3), most_bits_(most_bits) {}

  [[nodiscard]] std::size_t size() const { return terms_.size(); }
  [[nodiscard]] z3::expr of(Expr root) {
    post_order(
        root, [&](Expr e) { return index_.find(e) != nullptr; },
        [&](Expr e) {
          const z3::expr term = translate(e);
          index_.set(e, terms_.size());
          terms_.push_back(term);
        });
    return known(root);
  }
  /// A term of sort BitVec or Array.
  [[nodiscard]] z3::expr vector_of(Expr expr) { return as_vector(expr, of(expr)); }
  [[nodiscard]] z3::expr constant(const Value& value) {
    return value.is_wide() ? z3_.bv_val(value.number().str().c_str(), value.width())
                           : z3_.bv_val(value.word(), value.width());
  }

 private:
  static bool is_truth(Expr e) { return e.width() == 1 && !e.is_array(); }
  [[nodiscard]] z3::expr known(Expr e) const { return terms_[*index_.find(e)]; }
  [[nodiscard]] z3::expr as_vector(Expr e, const z3::expr& term) {
    return is_truth(e) ? z3::ite(term, z3_.bv_val(1, 1), z3_.bv_val(0, 1)) : term;
  }

  z3::expr translate(Expr e) {
    if (is_truth(e)) {
      switch (e.op()) {
        case Op::Constant:
          return z3_.bool_val(e.is_true());
        case Op::Not:
          return !known(e[0]);
        case Op::And:
          return known(e[0]) && known(e[1]);
        case Op::Or:
          return known(e[0]) || known(e[1]);
        case Op::Xor:
          return known(e[0]) != known(e[1]);
        case Op::Eq:
          return known(e[0]) == known(e[1]);
        case Op::Ite:
          return z3::ite(known(e[0]), known(e[1]), known(e[2]));
        case Op::Ult:
          return z3::ult(operand(e, 0), operand(e, 1));
        case Op::Slt:
          return z3::slt(operand(e, 0), operand(e, 1));
        default:
          return vector_term(e) == z3_.bv_val(1, 1);
      }
    }
    return vector_term(e);
  }

  [[nodiscard]] z3::expr operand(Expr e, std::size_t i) { return as_vector(e[i], known(e[i])); }

  [[nodiscard]] z3::sort sort_of(Expr e) {
    const z3::sort element = z3_.bv_sort(e.width());
    return e.is_array() ? z3_.array_sort(z3_.bv_sort(e.index_width()), element) : element;
  }

  z3::expr vector_term(Expr e) {
    if (is_product(e.op()) && e.width() > most_bits_) throw TooWide{e.width()};
    switch (e.op()) {
      case Op::Constant:
        return constant(e.value());
      case Op::Symbol:
        return z3_.constant(e.name().c_str(), sort_of(e));
      case Op::Not:
        return ~operand(e, 0);
      case Op::Neg:
        return -operand(e, 0);
      case Op::Extract:
        return operand(e, 0).extract(e.low() + e.width() - 1, e.low());
      case Op::SExt:
        return z3::sext(operand(e, 0), e.width() - e[0].width());
      case Op::Ite:
        return z3::ite(known(e[0]), operand(e, 1), operand(e, 2));
      case Op::Store:
        return z3::store(operand(e, 0), operand(e, 1), operand(e, 2));
      case Op::ConstantArray:
        return z3::const_array(z3_.bv_sort(e.index_width()), operand(e, 0));
      default:
        return binary_term(e.op(), operand(e, 0), operand(e, 1));
    }
  }

  static z3::expr binary_term(Op op, const z3::expr& a, const z3::expr& b) {
    switch (op) {
      case Op::Add:
        return a + b;
      case Op::Sub:
        return a - b;
      case Op::Mul:
        return a * b;
      case Op::UDiv:
        return z3::udiv(a, b);
      case Op::URem:
        return z3::urem(a, b);
      case Op::SDiv:
        return a / b;
      case Op::SRem:
        return z3::srem(a, b);
      case Op::And:
        return a & b;
      case Op::Or:
        return a | b;
      case Op::Xor:
        return a ^ b;
      case Op::Shl:
        return z3::shl(a, b);
      case Op::LShr:
        return z3::lshr(a, b);
      case Op::AShr:
        return z3::ashr(a, b);
      case Op::Concat:
        return z3::concat(a, b);
      case Op::Select:
        return z3::select(a, b);
      default:
        PERFPACT_CHECK(false, "{} is not binary", to_string(op));
    }
  }

  z3::context& z3_;
  std::uint32_t most_bits_;
  NodeMap<std::size_t> index_;
  std::vector<z3::expr> terms_;
};

// One of Z3's solvers with what is asserted in it, a frame each.
struct Stack {
  z3::solver solver;
  std::vector<Expr> asserted;

  void assert_exactly(std::span<const Expr> assertions, Translation& translation) {
    const auto [end, ignored] = std::ranges::mismatch(asserted, assertions);
    const auto common = static_cast<std::size_t>(end - asserted.begin());
    if (const std::size_t extra = asserted.size() - common; extra > 0) {
      solver.pop(static_cast<unsigned>(extra));
      asserted.resize(common);
    }
    for (const Expr assertion : assertions.subspan(common)) {
      solver.push();
      solver.add(translation.of(assertion));
      asserted.push_back(assertion);
    }
  }
};

}  // namespace

class Z3Solver::Engine {
 public:
  explicit Engine(const Limits& limits)
      : translation_(z3_, limits.multiplication_bits),
        vectors_{z3::solver(z3_, "QF_BV"), {}},
        arrays_{z3::solver(z3_, "QF_AUFBV"), {}} {
    z3::params params(z3_);
    params.set("timeout", limits.milliseconds);
    if (limits.steps != 0) params.set("rlimit", limits.steps);
    vectors_.solver.set(params);
    arrays_.solver.set(params);
  }

  [[nodiscard]] bool is_full() const { return translation_.size() > kMostTranslated; }

  Outcome check(std::span<const Expr> assertions) {
    std::vector<Expr> inputs;  // symbols and what is read from arrays
    bool has_arrays = false;
    NodeMap<bool> seen;
    for (const Expr assertion : assertions) {
      static_cast<void>(translation_.of(assertion));  // before anything is asserted: it may be too wide
      post_order(
          assertion, [&](Expr e) { return seen.find(e) != nullptr; },
          [&](Expr e) {
            seen.set(e, true);
            has_arrays = has_arrays || e.is_array();
            if ((e.is(Op::Symbol) && !e.is_array()) || e.is(Op::Select)) inputs.push_back(e);
          });
    }
    Stack& stack = has_arrays ? arrays_ : vectors_;
    stack.assert_exactly(assertions, translation_);
    Outcome outcome;
    outcome.verdict = to_verdict(stack.solver.check());
    if (outcome.verdict == Verdict::Unknown) outcome.reason = stack.solver.reason_unknown();
    if (outcome.verdict == Verdict::Sat) outcome.model = read_model(stack.solver.get_model(), inputs);
    return outcome;
  }

 private:
  Value value_in(const z3::model& model, const z3::expr& term, std::uint32_t width) {
    const z3::expr value = model.eval(term, true);
    PERFPACT_CHECK(value.is_numeral(), "Z3 gives no number for {}", term.to_string());
    return Value(width, Integer(Z3_get_numeral_string(z3_, value)));
  }

  // Of an array only the elements matter at which it is read, and those it is read at through stores.
  Model read_model(const z3::model& z3_model, std::span<const Expr> inputs) {
    Model model;
    for (const Expr input : inputs) {
      if (input.is(Op::Symbol)) {
        model.set(input, value_in(z3_model, translation_.vector_of(input), input.width()));
        continue;
      }
      const std::uint32_t index_width = input[0].index_width();
      const Value index = value_in(z3_model, translation_.vector_of(input[1]), index_width);
      const z3::expr index_term = translation_.constant(index);
      NodeMap<bool> seen;
      post_order(
          input[0], [&](Expr e) { return !e.is_array() || seen.find(e) != nullptr; },
          [&](Expr e) {
            seen.set(e, true);
            if (!e.is(Op::Symbol)) return;
            const z3::expr element = z3::select(translation_.of(e), index_term);
            model.set_element(e, index.word(), value_in(z3_model, element, e.width()));
          });
    }
    return model;
  }

  z3::context z3_;
  Translation translation_;
  Stack vectors_;
  Stack arrays_;
};

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Sat:
      return "sat";
    case Verdict::Unsat:
      return "unsat";
    default:
      return "unknown";
  }
}

Z3Solver::Z3Solver(Limits limits) : limits_(limits) {}
Z3Solver::~Z3Solver() = default;

Z3Solver::Outcome Z3Solver::check(std::span<const Expr> assertions) {
  if (engine_ && engine_->is_full()) engine_.reset();
  try {
    if (!engine_) engine_ = std::make_unique<Engine>(limits_);
    return engine_->check(assertions);
  } catch (const TooWide& wide) {
    return {Verdict::Unknown, {}, fmt::format("a product or division of {} bits", wide.bits)};
  } catch (const z3::exception& error) {
    engine_.reset();  // its state is not known
    return {Verdict::Unknown, {}, error.msg()};
  }
}

Z3Solver::Outcome check_smt2(const std::string& text, std::uint32_t milliseconds) {
  try {
    z3::context z3;
    z3::solver solver(z3);
    z3::params params(z3);
    params.set("timeout", milliseconds);
    solver.set(params);
    solver.from_string(text.c_str());
    Z3Solver::Outcome outcome;
    outcome.verdict = to_verdict(solver.check());
    if (outcome.verdict == Verdict::Unknown) outcome.reason = solver.reason_unknown();
    return outcome;
  } catch (const z3::exception& error) {
    return {Verdict::Unknown, {}, error.msg()};
  }
}

}  // namespace perfpact::smt
