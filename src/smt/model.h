// Assignments of values to symbols, and the value of any expression under one.
// Tested by tests/smt/semantics_test.cpp, tests/smt/array_test.cpp.
#pragma once
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "smt/node_map.h"

namespace perfpact::smt {

/// The content of an array symbol; elements that are not listed are zero.
using Elements = std::map<std::uint64_t, Value>;

/// Total: what it does not name is zero.
class Model {
 public:
  [[nodiscard]] Value value(Expr symbol) const;
  [[nodiscard]] Value element(Expr array, std::uint64_t index) const;
  /// The listed elements of an array, or null.
  [[nodiscard]] const Elements* elements(Expr array) const;

  void set(Expr symbol, Value value);
  void set_element(Expr array, std::uint64_t index, Value value);
  /// Takes over what `other` says of this symbol or array.
  void copy(Expr symbol, const Model& other);

 private:
  std::vector<std::pair<std::uint32_t, Value>> values_;  // by number of the symbol; no zeros
  std::map<std::uint32_t, Elements> arrays_;
};

/// Evaluates expressions under one model, each node once.
class Evaluation {
 public:
  explicit Evaluation(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  [[nodiscard]] const std::shared_ptr<const Model>& model() const { return model_; }
  /// Of a bit vector.
  [[nodiscard]] Value value(Expr expr);
  /// Whether a truth value is true.
  [[nodiscard]] bool holds(Expr bit);

 private:
  void fill(Expr root);
  void visit(Expr expr);
  void store(Expr expr, const Value& value);
  [[nodiscard]] Value known(Expr expr) const;
  [[nodiscard]] Value select(Expr array, std::uint64_t index) const;

  std::shared_ptr<const Model> model_;
  NodeMap<std::uint64_t> words_;  // of wide vectors and arrays only that they were visited
  std::unordered_map<std::uint32_t, Value> wide_;
};

}  // namespace perfpact::smt
