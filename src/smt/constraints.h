// What must hold on a path: an immutable list that states share. Adding one makes a new list with the old one
// as its tail; copies cost a pointer.
// Tested by tests/smt/solver_test.cpp.
#pragma once
#include <memory>
#include <vector>

#include "smt/context.h"
#include "smt/model.h"

namespace perfpact::smt {

class Constraints {
 public:
  /// Nothing is demanded.
  Constraints() = default;
  ~Constraints();
  Constraints(const Constraints&) = default;
  Constraints(Constraints&&) = default;
  Constraints& operator=(const Constraints&) = default;
  Constraints& operator=(Constraints&&) = default;

  /// `bit` must hold too. Conjunctions are taken apart.
  [[nodiscard]] Constraints with(Context& context, Expr bit) const;

  [[nodiscard]] bool empty() const { return link_ == nullptr; }
  [[nodiscard]] std::size_t size() const;
  /// The one added last, and those before it; not of an empty list.
  [[nodiscard]] Expr last() const;
  [[nodiscard]] Constraints before() const;
  /// All, in the order in which they were added.
  [[nodiscard]] std::vector<Expr> to_vector() const;
  /// The same list, not only an equal one.
  friend bool operator==(const Constraints& a, const Constraints& b) { return a.link_ == b.link_; }

  /// A note of the solver: a model of the list, or null.
  [[nodiscard]] std::shared_ptr<const Model> known_model() const;
  void note_model(std::shared_ptr<const Model> model) const;

 private:
  struct Link;
  [[nodiscard]] Constraints with_single(Expr bit) const;
  std::shared_ptr<Link> link_;
};

}  // namespace perfpact::smt
