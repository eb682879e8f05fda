#include "smt/model.h"

#include <algorithm>

#include "smt/semantics.h"

namespace perfpact::smt {
namespace {

auto position(auto& values, std::uint32_t symbol) {
  return std::lower_bound(values.begin(), values.end(), symbol,
                          [](const auto& entry, std::uint32_t number) { return entry.first < number; });
}

}  // namespace

Value Model::value(Expr symbol) const {
  const auto at = position(values_, symbol.symbol());
  return at != values_.end() && at->first == symbol.symbol() ? at->second : Value(symbol.width(), 0);
}

const Elements* Model::elements(Expr array) const {
  const auto found = arrays_.find(array.symbol());
  return found == arrays_.end() ? nullptr : &found->second;
}

Value Model::element(Expr array, std::uint64_t index) const {
  if (const Elements* listed = elements(array)) {
    if (const auto found = listed->find(index); found != listed->end()) return found->second;
  }
  return Value(array.width(), 0);
}

void Model::set(Expr symbol, Value value) {
  const auto at = position(values_, symbol.symbol());
  const bool is_listed = at != values_.end() && at->first == symbol.symbol();
  if (value.is_zero()) {
    if (is_listed) values_.erase(at);
  } else if (is_listed) {
    at->second = std::move(value);
  } else {
    values_.insert(at, {symbol.symbol(), std::move(value)});
  }
}

void Model::set_element(Expr array, std::uint64_t index, Value value) {
  arrays_[array.symbol()].insert_or_assign(index, std::move(value));
}

void Model::copy(Expr symbol, const Model& other) {
  if (!symbol.is_array()) {
    set(symbol, other.value(symbol));
  } else if (const Elements* elements = other.elements(symbol)) {
    arrays_.insert_or_assign(symbol.symbol(), *elements);
  } else {
    arrays_.erase(symbol.symbol());
  }
}

Value Evaluation::value(Expr expr) {
  fill(expr);
  return known(expr);
}

bool Evaluation::holds(Expr bit) {
  fill(bit);
  return *words_.find(bit) == 1;
}

void Evaluation::fill(Expr root) {
  post_order(root, [&](Expr e) { return words_.find(e) != nullptr; }, [&](Expr e) { visit(e); });
}

void Evaluation::visit(Expr expr) {
  if (expr.is_array()) {
    words_.set(expr, 0);
  } else if (expr.is_constant()) {
    store(expr, expr.value());
  } else if (expr.is(Op::Symbol)) {
    store(expr, model_->value(expr));
  } else if (expr.is(Op::Select)) {
    store(expr, select(expr[0], *words_.find(expr[1])));
  } else if (const auto is_wide = [](Expr e) { return e.width() > kWordBits; };
             is_wide(expr) || is_wide(expr[0]) || (expr.arity() > 1 && is_wide(expr[1]))) {
    std::array<Value, 3> operands;
    for (std::size_t i = 0; i < expr.arity(); ++i) operands[i] = known(expr[i]);
    store(expr, value_of(expr, std::span(operands.data(), expr.arity())));
  } else {
    const auto word = [&](std::size_t i) { return i < expr.arity() ? *words_.find(expr[i]) : 0; };
    words_.set(expr, Semantics<std::uint64_t>::apply(expr, word(0), word(1), word(2)));
  }
}

void Evaluation::store(Expr expr, const Value& value) {
  words_.set(expr, value.word());
  if (value.is_wide()) wide_.insert_or_assign(expr.id(), value);
}

Value Evaluation::known(Expr expr) const {
  return expr.width() > kWordBits ? wide_.at(expr.id()) : Value(expr.width(), *words_.find(expr));
}

Value Evaluation::select(Expr array, std::uint64_t index) const {
  for (;;) {
    switch (array.op()) {
      case Op::Store:
        if (*words_.find(array[1]) == index) return known(array[2]);
        array = array[0];
        break;
      case Op::Ite:
        array = array[*words_.find(array[0]) == 1 ? 1 : 2];
        break;
      case Op::ConstantArray:
        return known(array[0]);
      default:
        return model_->element(array, index);
    }
  }
}

}  // namespace perfpact::smt
