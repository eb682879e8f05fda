// Random expressions over all operations and small symbols, and all assignments to these.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "smt/context.h"
#include "smt/model.h"

namespace perfpact::smt::test {

inline constexpr std::uint32_t kWidest = 8;
inline constexpr std::uint32_t kIndexWidth = 2;

/// A growing pool of expressions over x, y (of `width` bits), p, q (1 bit) and the array a.
class Terms {
 public:
  /// Simplified: each new term goes through the rules; else it is taken as it is.
  Terms(Context& context, std::uint32_t width, bool simplified, std::uint64_t seed)
      : context_(context), simplified_(simplified), random_(seed) {
    for (const char* name : {"x", "y"}) add_symbol(context.symbol(name, width));
    for (const char* name : {"p", "q"}) add_symbol(context.symbol(name, 1));
    add_symbol(context.array("a", kIndexWidth, width));
    for (const std::uint32_t w : {1U, kIndexWidth, width}) {
      for (const std::uint64_t value :
           {std::uint64_t{0}, std::uint64_t{1}, word_mask(w), random_() & word_mask(w)}) {
        add(context.constant(w, value));
      }
    }
  }

  [[nodiscard]] const std::vector<Expr>& symbols() const { return symbols_; }
  [[nodiscard]] std::size_t below(std::size_t limit) { return random_() % limit; }
  Expr add(Expr expr) {
    (expr.is_array() ? arrays_ : by_width_[expr.width()]).push_back(expr);
    return expr;
  }
  /// A term of this operation over the pool, not yet in it; no Expr where the pool has no fitting operands.
  Expr term(Op op) {
    Node node = shape(op);
    if (node.arity == 0) return {};
    if (is_commutative(op) && node.operands[0].is_constant()) std::swap(node.operands[0], node.operands[1]);
    const Expr plain = context_.verbatim(node);
    return simplified_ ? Importer(context_)(plain) : plain;
  }
  Op random_op() {
    return favourites_.empty() || below(3) == 0 ? static_cast<Op>(2 + below(kOps - 2))
                                                : favourites_[below(favourites_.size())];
  }
  /// Operations that grow() then uses most of the time.
  void favour(std::vector<Op> ops) { favourites_ = std::move(ops); }
  void grow(int terms) {
    for (int i = 0; i < terms; ++i) {
      if (const Expr expr = term(random_op())) add(expr);
    }
  }
  Expr any(std::uint32_t width) {
    const auto& pool = by_width_[width];
    if (pool.empty()) return {};
    // Half the time a recent one, so that terms become deep.
    const std::size_t recent = std::min<std::size_t>(pool.size(), 4);
    return below(2) == 0 ? pool[pool.size() - 1 - below(recent)] : pool[below(pool.size())];
  }
  Expr any_array() { return arrays_[below(arrays_.size())]; }
  /// The candidate that rules are tried on: not simplified itself, its operands as the pool has them.
  [[nodiscard]] Node shape(Op op) {
    Node node;
    node.op = op;
    std::uint32_t width = any_width();
    switch (op) {
      case Op::Not:
      case Op::Neg:
        return vector(node, width, {any(width)});
      case Op::Eq:
      case Op::Ult:
      case Op::Slt:
        return vector(node, 1, {any(width), any(width)});
      case Op::Concat: {
        const std::uint32_t low = any_width();
        return width + low > kWidest ? Node{} : vector(node, width + low, {any(width), any(low)});
      }
      case Op::Extract: {
        node.number = static_cast<std::uint32_t>(below(width));
        return vector(node, static_cast<std::uint32_t>(1 + below(width - node.number)), {any(width)});
      }
      case Op::SExt:
        return vector(node, static_cast<std::uint32_t>(width + below(kWidest - width + 1)), {any(width)});
      case Op::Ite:
        if (below(4) == 0) return array(node, {any(1), any_array(), any_array()});
        return vector(node, width, {any(1), any(width), any(width)});
      case Op::Select:
        return vector(node, arrays_[0].width(), {any_array(), any(kIndexWidth)});
      case Op::Store:
        return array(node, {any_array(), any(kIndexWidth), any(arrays_[0].width())});
      case Op::ConstantArray:
        return array(node, {any(arrays_[0].width())});
      default:
        return vector(node, width, {any(width), any(width)});
    }
  }

 private:
  void add_symbol(Expr symbol) { symbols_.push_back(add(symbol)); }
  std::uint32_t any_width() {
    auto it = by_width_.begin();
    do {
      it = std::next(by_width_.begin(), static_cast<std::ptrdiff_t>(below(by_width_.size())));
    } while (it->second.empty());
    return it->first;
  }
  static Node vector(Node node, std::uint32_t width, std::initializer_list<Expr> operands) {
    node.width = width;
    for (const Expr operand : operands) node.operands[node.arity++] = operand;
    return node;
  }
  Node array(Node node, std::initializer_list<Expr> operands) const {
    node.index_width = kIndexWidth;
    return vector(node, arrays_[0].width(), operands);
  }

  Context& context_;
  bool simplified_;
  std::mt19937_64 random_;
  std::vector<Expr> symbols_;
  std::map<std::uint32_t, std::vector<Expr>> by_width_;
  std::vector<Expr> arrays_;
  std::vector<Op> favourites_;
};

/// Every assignment to the bit vectors among the symbols; arrays get elements that follow from it.
inline void for_all_models(const std::vector<Expr>& symbols,
                           const std::function<void(const std::shared_ptr<const Model>&)>& visit) {
  std::uint32_t bits = 0;
  for (const Expr symbol : symbols) bits += symbol.is_array() ? 0 : symbol.width();
  for (std::uint64_t assignment = 0; assignment < (std::uint64_t{1} << bits); ++assignment) {
    auto model = std::make_shared<Model>();
    std::uint64_t rest = assignment;
    for (const Expr symbol : symbols) {
      if (symbol.is_array()) {
        for (std::uint64_t i = 0; i < (std::uint64_t{1} << kIndexWidth); ++i) {
          model->set_element(symbol, i, Value(symbol.width(), mix(assignment, i) >> 8));
        }
        continue;
      }
      model->set(symbol, Value(symbol.width(), rest));
      rest >>= symbol.width();
    }
    visit(model);
  }
}

}  // namespace perfpact::smt::test
