// Answers whether a query can hold on a path, by the cheapest layer that can:
//
//   constant      the simplifier made a constant of the query
//   own model     a model of the constraints satisfies the query
//   facts         what the constraints say of bits and intervals excludes the query
//   recent model  a model of a recent answer satisfies the query's slice
//   known answer  Z3 was asked the same slice before
//   search        local search made a model from that of the constraints
//   sums          inequalities between sums contradict each other
//   z3            none of these
//
// Takes constraints (a shared list) and a query, gives sat with a model of both, unsat, or unknown with a
// reason. Answers are exact whatever the constraints: sat always comes with a model, checked in debug builds.
// No push and pop: states may be asked about in any order; along one path it is fastest.
//
// The same sequence of queries gives the same answers and models. Which model an answer has does depend on
// the queries before; witness() does not. One solver a thread, as its context.
//
// Tested by tests/smt/solver_test.cpp, against enumeration; bench/smt_queries.cpp.
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "smt/constraints.h"
#include "smt/learned.h"
#include "smt/slices.h"
#include "smt/z3_solver.h"

namespace perfpact::smt {

enum class Layer : std::uint8_t { Constant, OwnModel, Facts, RecentModel, KnownAnswer, Search, Sums, Z3 };
inline constexpr std::size_t kLayers = static_cast<std::size_t>(Layer::Z3) + 1;
[[nodiscard]] std::string_view to_string(Layer layer);

struct Answer {
  Verdict verdict = Verdict::Unknown;
  std::shared_ptr<const Model> model;  // Sat
  std::string reason;                  // Unknown
  Layer by = Layer::Constant;

  [[nodiscard]] bool is_sat() const { return verdict == Verdict::Sat; }
  [[nodiscard]] bool is_unsat() const { return verdict == Verdict::Unsat; }
  [[nodiscard]] bool is_unknown() const { return verdict == Verdict::Unknown; }
};

#ifdef __OPTIMIZE__
inline constexpr bool kDebugBuild = false;
#else
inline constexpr bool kDebugBuild = true;
#endif

struct Options {
  Limits limits;
  bool use_layers = true;            // false: everything but constants goes to Z3
  bool verify_models = kDebugBuild;  // evaluate the constraints under every model given
  bool confirm_unsat = false;        // ask Z3 about every unsat of another layer
  std::size_t recent_models = 16;
  std::string save_directory;  // query-000001.smt2, ...; empty: nothing is saved
};

struct Statistics {
  std::array<std::uint64_t, kLayers> answered{};  // by layer; z3: where Z3 was asked at all
  std::uint64_t sat = 0, unsat = 0, unknown = 0;
  std::uint64_t z3_checks = 0;
  double z3_seconds = 0;

  [[nodiscard]] std::uint64_t queries() const { return sat + unsat + unknown; }
};

class Solver {
 public:
  explicit Solver(Context& context, Options options = {});

  /// Whether `query` (1 bit) can hold together with the constraints.
  [[nodiscard]] Answer check(const Constraints& constraints, Expr query);
  /// A model of the constraints that depends on nothing but them: the same in every context and after any
  /// history (with a limit in steps, not time, even where it is Unknown).
  [[nodiscard]] Answer witness(const Constraints& constraints) const;

  [[nodiscard]] const Statistics& statistics() const { return statistics_; }
  /// Why queries could not be saved; of the first that was not.
  [[nodiscard]] const std::optional<std::string>& save_failure() const { return save_failure_; }

 private:
  using Key = std::vector<std::uint32_t>;  // ids of a slice and its query
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  [[nodiscard]] Answer decide(const Constraints& constraints, Expr query);
  [[nodiscard]] Answer model_of(const Constraints& constraints);
  [[nodiscard]] Answer extend(const std::shared_ptr<const Model>& base, Expr query);
  [[nodiscard]] Answer solve(const std::shared_ptr<const Model>& base, std::span<const Expr> slice);
  [[nodiscard]] Answer recent_model(std::span<const Expr> slice);
  [[nodiscard]] Answer search(const std::shared_ptr<const Model>& base, std::span<const Expr> slice);
  [[nodiscard]] bool excluded_by_sums(std::span<const Expr> slice);
  [[nodiscard]] Answer ask_z3(std::span<const Expr> slice);
  [[nodiscard]] bool excluded_by_facts(Expr query);
  void follow(const Constraints& constraints);
  [[nodiscard]] Evaluation& evaluation(const std::shared_ptr<const Model>& model);
  void verify(const Constraints& constraints, Expr query, const Answer& answer);
  void save(const Constraints& constraints, Expr query, const Answer& answer);

  Context& context_;
  Options options_;
  Z3Solver z3_;
  Slices slices_;
  Statistics statistics_;
  std::optional<std::string> save_failure_;

  // The path that was asked about last: its lists from short to long, their constraints and facts.
  std::vector<Constraints> path_;
  std::vector<Expr> path_exprs_;
  std::vector<std::size_t> path_marks_;
  LearnedFacts facts_;

  std::deque<std::unique_ptr<Evaluation>> recent_;  // latest first
  std::unordered_map<Key, Answer, KeyHash> known_;  // Z3's answers
};

}  // namespace perfpact::smt
