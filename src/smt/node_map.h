// Tables over the nodes of a context, by id, and the walk that fills them.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "smt/expr.h"

namespace perfpact::smt {

/// A map from node to T. Pages are made when first written, so that a map over few of many nodes is small;
/// clear() costs nothing.
template <class T>
class NodeMap {
 public:
  /// The value, or null.
  [[nodiscard]] const T* find(Expr expr) const {
    const std::size_t page = expr.id() / kPage;
    if (page >= pages_.size() || !pages_[page]) return nullptr;
    const Cell& cell = (*pages_[page])[expr.id() % kPage];
    return cell.epoch == epoch_ ? &cell.value : nullptr;
  }
  void set(Expr expr, T value) {
    const std::size_t page = expr.id() / kPage;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<std::array<Cell, kPage>>();
    (*pages_[page])[expr.id() % kPage] = {std::move(value), epoch_};
  }
  void clear() { ++epoch_; }

 private:
  static constexpr std::size_t kPage = 256;
  struct Cell {
    T value{};
    std::uint32_t epoch = 0;
  };
  std::vector<std::unique_ptr<std::array<Cell, kPage>>> pages_;
  std::uint32_t epoch_ = 1;
};

/// Visits every node below `root`, operands first, each once; `is_done` says which need no visit (their
/// operands neither) and must hold of a node once it was visited. No recursion: expressions can be deep.
template <class IsDone, class Visit>
void post_order(Expr root, IsDone is_done, Visit visit) {
  if (is_done(root)) return;
  std::vector<Expr> stack{root};
  while (!stack.empty()) {
    const Expr expr = stack.back();
    const std::size_t before = stack.size();
    if (is_done(expr)) {
      stack.pop_back();
      continue;
    }
    for (std::size_t i = expr.arity(); i-- > 0;) {
      if (!is_done(expr[i])) stack.push_back(expr[i]);
    }
    if (stack.size() != before) continue;
    visit(expr);
    stack.pop_back();
  }
}

}  // namespace perfpact::smt
