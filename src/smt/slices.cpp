#include "smt/slices.h"

#include <algorithm>
#include <iterator>

namespace perfpact::smt {

const SymbolSet* Slices::shared(SymbolSet set) {
  return &*sets_.insert(std::move(set)).first;
}

const SymbolSet& Slices::symbols(Expr root) {
  const auto set_of = [&](Expr expr) {
    if (expr.is(Op::Symbol)) return shared({expr.symbol()});
    const SymbolSet* result = nullptr;
    for (std::size_t i = 0; i < expr.arity(); ++i) {
      const SymbolSet* operand = *of_node_.find(expr[i]);
      if (operand == result || operand->empty()) continue;
      if (result == nullptr ||
          std::includes(operand->begin(), operand->end(), result->begin(), result->end())) {
        result = operand;
      } else if (!std::includes(result->begin(), result->end(), operand->begin(), operand->end())) {
        SymbolSet both;
        std::set_union(result->begin(), result->end(), operand->begin(), operand->end(),
                       std::back_inserter(both));
        result = shared(std::move(both));
      }
    }
    return result == nullptr ? shared({}) : result;
  };
  post_order(
      root, [&](Expr e) { return of_node_.find(e) != nullptr; }, [&](Expr e) { of_node_.set(e, set_of(e)); });
  return **of_node_.find(root);
}

Slices::Slice Slices::of(std::span<const Expr> constraints, Expr query) {
  std::vector<bool> is_ours;
  const auto add = [&](const SymbolSet& set) {
    if (!set.empty() && set.back() >= is_ours.size()) is_ours.resize(set.back() + 1, false);
    for (const std::uint32_t symbol : set) is_ours[symbol] = true;
  };
  const auto touches = [&](const SymbolSet& set) {
    return std::any_of(set.begin(), set.end(), [&](auto s) { return s < is_ours.size() && is_ours[s]; });
  };
  add(symbols(query));
  std::vector<bool> taken(constraints.size(), false);
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = constraints.size(); i-- > 0;) {
      if (taken[i] || !touches(symbols(constraints[i]))) continue;
      add(symbols(constraints[i]));
      taken[i] = grown = true;
    }
  }
  Slice slice;
  seen_.clear();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (!taken[i] || seen_.find(constraints[i]) != nullptr) continue;
    seen_.set(constraints[i], true);
    slice.constraints.push_back(constraints[i]);
  }
  for (std::uint32_t s = 0; s < is_ours.size(); ++s) {
    if (is_ours[s]) slice.symbols.push_back(s);
  }
  return slice;
}

}  // namespace perfpact::smt
