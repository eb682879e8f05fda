// Facts that follow from constraints: what Facts say of a value on one path, not on all.
//
// A constraint that is assumed is pushed down: from `x < 10` the interval of x, from `x . y == c` both parts,
// from a conjunction both sides. A later expression over the same terms is then evaluated with these facts;
// where it becomes a constant no solver is needed. Incomplete, never wrong.
// Tested by tests/smt/facts_test.cpp.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "smt/node_map.h"

namespace perfpact::smt {

class LearnedFacts {
 public:
  void assume(Expr bit) { learn(bit, Facts::of(1, 1)); }
  /// What was assumed cannot hold together. (False: not known.)
  [[nodiscard]] bool is_contradictory() const { return contradictory_at_.has_value(); }
  /// What holds of the expression under what was assumed.
  [[nodiscard]] Facts of(Expr expr);

  /// Everything assumed after mark() is forgotten by undo().
  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);

 private:
  struct Task {
    Expr expr;
    Facts facts;
  };
  void learn(Expr expr, const Facts& facts);
  void note(Expr expr, const Facts& facts);
  void push_down(Expr expr, const Facts& facts);
  void push_down_word(Expr expr, const Facts& facts);
  void push_down_equal(Expr a, Expr b, bool equal);
  void push_down_less(Expr a, Expr b, bool less);
  void push_down_less_signed(Expr a, Expr b, bool less);
  void push_down_sum(Expr a, const Facts& sum, const Facts& b);
  void push_down_choice(Expr expr, const Facts& facts);
  [[nodiscard]] Facts current(Expr expr) const;

  NodeMap<Facts> learned_;
  NodeMap<Facts> derived_;                     // from learned_; cleared when that changes
  std::vector<std::pair<Expr, Facts>> trail_;  // what learned_ said before
  std::vector<Task> pending_;
  std::optional<std::size_t> contradictory_at_;  // length of the trail then
};

}  // namespace perfpact::smt
