// What exploring has in common, whatever the program: runs decoded functions (code.h) on one state at a time,
// depth first, and forks states wherever the input can make them go more than one way. What calls of
// `perfpact.*` do, and what comes when no function runs, is up to the machine that derives from it.
//
// A fork never resumes in the middle of an instruction: the copy executes the instruction again, with what it
// was forked for noted in it (Control::picked, Control::fixed). A handler therefore changes the state only
// after its last question.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "explore/code.h"
#include "smt/constraints.h"
#include "smt/solver.h"

namespace perfpact::explore {

struct SearchLimits {
  std::uint32_t values = 2048;  // that one expression is made concrete to
  std::uint64_t paths = 1'000'000;
  std::chrono::milliseconds time = std::chrono::minutes(1);
};

struct Statistics {
  smt::Statistics solver;
  std::uint64_t forks = 0;
  std::uint64_t instructions = 0;  // of LLVM
};

struct Frame {
  const Function* function = nullptr;
  std::uint32_t block = 0;
  std::uint32_t next = 0;    // the instruction that is executed next
  std::uint32_t result = 0;  // register of the caller
  std::vector<smt::Expr> registers;
};

/// Memory of an alloca: the value of each piece.
struct Region {
  const Layout* layout = nullptr;
  std::vector<smt::Expr> cells;
};
/// The address of the region that has this number, from 1.
[[nodiscard]] constexpr std::uint64_t region_address(std::size_t number) {
  return std::uint64_t{number} << 32U;
}

/// Where a state is, and what it demands of the input. States are values: a fork is a copy.
struct Control {
  std::vector<Frame> frames;
  std::vector<std::shared_ptr<Region>> regions;
  smt::Constraints constraints;
  /// What demanding a value has fixed: expression and value.
  std::vector<std::pair<smt::Expr, smt::Value>> fixed;
  /// Of the instruction that is executed next: the alternative that this state was forked for.
  std::optional<std::size_t> picked;
};

/// State derives from Control; Gap begins with a reason, a place and a condition.
template <class State, class Gap>
class Engine {
 public:
  [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }
  [[nodiscard]] Statistics statistics() const {
    Statistics result = statistics_;
    result.solver = solver_.statistics();
    return result;
  }

 protected:
  using Expr = smt::Expr;
  enum class Step : std::uint8_t { Next, Stay, End };  // the next instruction; another one; the path is over

  Engine(const smt::Options& solver, const SearchLimits& limits)
      : solver_(context_, solver), code_(context_), limits_(limits) {}
  virtual ~Engine() = default;

  /// A call of `perfpact.*`.
  [[nodiscard]] virtual Step intrinsic(const Instruction& call) = 0;
  /// No function runs: makes a frame, or ends.
  [[nodiscard]] virtual Step proceed() = 0;
  /// The outermost function gives this.
  virtual void leave_last(Expr /*result*/) {}
  virtual Step end_in_gap(std::string reason) = 0;
  /// Nothing is open any more: opens what was put aside, if there is any.
  [[nodiscard]] virtual bool refill() { return false; }
  /// The search ends early: what was put aside becomes gaps.
  virtual void abandon(const std::string& /*reason*/) {}
  [[nodiscard]] virtual std::string place() const = 0;
  /// As Solver::check, for constraints of the state that runs and more.
  [[nodiscard]] virtual smt::Answer check(const smt::Constraints& constraints, Expr condition) {
    if (is_out_of_time()) return {.verdict = smt::Verdict::Unknown, .reason = "time limit"};
    return solver_.check(constraints, condition);
  }

  /// Runs what is in `open_`, and what comes of it.
  void explore();
  void restart_clock() { started_ = std::chrono::steady_clock::now(); }
  [[nodiscard]] bool is_out_of_time() const {
    return std::chrono::steady_clock::now() - started_ > limits_.time;
  }

  // Control.
  [[nodiscard]] Step execute(const Instruction& instruction);
  [[nodiscard]] Step jump(std::uint32_t block);
  /// Pushes a frame of the function; its arguments are in its first registers.
  std::vector<Expr>& call(const Function& function, std::uint32_t result = 0);

  // Questions. Nothing: the path is over.
  /// Which of the conditions holds; the path goes on once for each that can.
  [[nodiscard]] std::optional<std::size_t> pick(const std::vector<Expr>& conditions);
  [[nodiscard]] std::optional<bool> decide(Expr bit);
  /// A value of the expression; the path goes on once for each that it can have.
  [[nodiscard]] std::optional<smt::Value> concrete(Expr expr);
  [[nodiscard]] std::optional<std::uint64_t> concrete_word(Expr expr) {
    const std::optional<smt::Value> value = concrete(expr);
    return value ? std::optional(value->word()) : std::nullopt;
  }
  [[nodiscard]] bool is_possible(Expr condition) {
    return condition.is_constant() ? condition.is_true() : judge(condition).is_sat();
  }
  /// Whether it can hold; a gap where that is not known. Asks even where the condition is constant, since
  /// what the machine's `check` knows may be new.
  [[nodiscard]] smt::Answer judge(Expr condition);
  [[nodiscard]] bool follows(Expr condition) {
    if (condition.is_constant()) return condition.is_true();
    return check(state_.constraints, context_.not_(condition)).is_unsat();
  }
  void demand(Expr condition) { state_.constraints = state_.constraints.with(context_, condition); }
  void fork(Expr condition, std::optional<std::size_t> picked);
  void note_unknown(const smt::Answer& answer, const smt::Constraints& constraints) {
    gaps_.push_back({fmt::format("the solver does not know ({})", answer.reason), place(), constraints});
  }

  // The instruction that is executed.
  [[nodiscard]] Expr value(const Instruction& instruction, std::size_t operand) const {
    const Operand& from = instruction.operands[operand];
    return from.constant ? from.constant : state_.frames.back().registers[from.reg];
  }
  /// Of a call of `perfpact.*`, the machine left out.
  [[nodiscard]] Expr argument(const Instruction& call, std::size_t i) const { return value(call, i + 1); }
  [[nodiscard]] std::uint64_t number(const Instruction& call, std::size_t i) const {
    return argument(call, i).value().word();
  }
  void give(const Instruction& instruction, Expr value, std::size_t field = 0) {
    state_.frames.back().registers[instruction.to + field] = value;
  }
  [[nodiscard]] const Instruction& running() const {
    const Frame& frame = state_.frames.back();
    return frame.function->blocks[frame.block].instructions[frame.next];
  }
  /// The piece of a region; null where the address is not that of a piece of this width.
  [[nodiscard]] Expr* cell(Expr address, std::uint32_t width, bool writes);

  smt::Context context_;
  smt::Solver solver_;
  Code code_;
  State state_;              // the one that runs
  std::vector<State> open_;  // the others, next last
  std::vector<Gap> gaps_;
  std::uint64_t paths_ = 0;  // found; the machine counts

 private:
  void advance();
  [[nodiscard]] Step compute(const Instruction& instruction);
  [[nodiscard]] Step leave(const Instruction& instruction);
  [[nodiscard]] Step load(const Instruction& instruction);
  [[nodiscard]] Step store(const Instruction& instruction);
  void allocate(const Instruction& instruction);
  void give_up(const std::string& reason);
  [[nodiscard]] std::vector<smt::Value> values_of(Expr expr);

  SearchLimits limits_;
  Statistics statistics_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace perfpact::explore

#include "explore/engine_impl.h"
