// Makes expressions. Every function here simplifies by the rules of rules.h, folds constants and shares equal
// structure; what comes back may have another operation than was asked for.
//
// Commutative operands are ordered by the hash of their structure, constants last: the form of an expression
// does not depend on what was made before it. A context and its solver belong to one thread; an Importer
// takes over expressions of another's, which stay readable while their context grows.
//
// Arrays are for what is reached by unknown indices: a read walks the stores before it. Memory at known
// addresses is better kept outside.
//
// Widths that do not fit are the caller's bug (PERFPACT_CHECK). Nodes are never freed before the context.
// Tested by tests/smt/context_test.cpp, tests/smt/rules_test.cpp.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "smt/node_map.h"

namespace perfpact::smt {

/// What operations were lately simplified to: shared parts of an expression are then simplified once, not
/// once for every way that leads to them.
class Rewritten {
 public:
  [[nodiscard]] Expr find(const Node& node) const;
  void keep(const Node& node, Expr result);

 private:
  static constexpr std::size_t kFewest = 1 << 6, kMost = 1 << 14;  // entries
  struct Entry {
    Node node;
    Expr result;
  };
  [[nodiscard]] Entry& entry(const Node& node) { return entries_[node.hash % entries_.size()]; }
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(kFewest);
  std::size_t kept_ = 0;  // since it has grown
};

class Context {
 public:
  Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  [[nodiscard]] Expr constant(const Value& value);
  [[nodiscard]] Expr constant(std::uint32_t width, std::uint64_t word) {
    return constant(Value(width, word));
  }
  [[nodiscard]] Expr constant(std::uint32_t width, const Integer& number) {
    return constant(Value(width, number));
  }
  [[nodiscard]] Expr zero(std::uint32_t width) { return constant(width, 0); }
  [[nodiscard]] Expr ones(std::uint32_t width) { return not_(zero(width)); }
  [[nodiscard]] Expr boolean(bool value) { return constant(1, value ? 1 : 0); }

  /// The symbol of this name; the same for the same name, which must then have the same width. For
  /// what the program reads piece by piece make small symbols (a byte of a packet each) and concat them:
  /// slices and facts follow symbols.
  [[nodiscard]] Expr symbol(std::string_view name, std::uint32_t width);
  [[nodiscard]] Expr array(std::string_view name, std::uint32_t index_width, std::uint32_t width);
  /// By number.
  [[nodiscard]] Expr symbol(std::uint32_t number) const { return symbols_[number]; }
  [[nodiscard]] std::uint32_t symbols() const { return static_cast<std::uint32_t>(symbols_.size()); }
  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }

  [[nodiscard]] Expr not_(Expr a) { return make(Op::Not, {a}); }
  [[nodiscard]] Expr neg(Expr a) { return make(Op::Neg, {a}); }
  [[nodiscard]] Expr add(Expr a, Expr b) { return make(Op::Add, {a, b}); }
  [[nodiscard]] Expr sub(Expr a, Expr b) { return make(Op::Sub, {a, b}); }
  [[nodiscard]] Expr mul(Expr a, Expr b) { return make(Op::Mul, {a, b}); }
  [[nodiscard]] Expr udiv(Expr a, Expr b) { return make(Op::UDiv, {a, b}); }
  [[nodiscard]] Expr urem(Expr a, Expr b) { return make(Op::URem, {a, b}); }
  [[nodiscard]] Expr sdiv(Expr a, Expr b) { return make(Op::SDiv, {a, b}); }
  [[nodiscard]] Expr srem(Expr a, Expr b) { return make(Op::SRem, {a, b}); }
  [[nodiscard]] Expr and_(Expr a, Expr b) { return make(Op::And, {a, b}); }
  [[nodiscard]] Expr or_(Expr a, Expr b) { return make(Op::Or, {a, b}); }
  [[nodiscard]] Expr xor_(Expr a, Expr b) { return make(Op::Xor, {a, b}); }
  [[nodiscard]] Expr shl(Expr a, Expr b) { return make(Op::Shl, {a, b}); }
  [[nodiscard]] Expr lshr(Expr a, Expr b) { return make(Op::LShr, {a, b}); }
  [[nodiscard]] Expr ashr(Expr a, Expr b) { return make(Op::AShr, {a, b}); }
  [[nodiscard]] Expr eq(Expr a, Expr b) { return make(Op::Eq, {a, b}); }
  [[nodiscard]] Expr ne(Expr a, Expr b) { return not_(eq(a, b)); }
  [[nodiscard]] Expr ult(Expr a, Expr b) { return make(Op::Ult, {a, b}); }
  [[nodiscard]] Expr ule(Expr a, Expr b) { return not_(ult(b, a)); }
  [[nodiscard]] Expr slt(Expr a, Expr b) { return make(Op::Slt, {a, b}); }
  [[nodiscard]] Expr sle(Expr a, Expr b) { return not_(slt(b, a)); }
  /// Build long ones from the high end; each piece put before a long one costs time for all of it.
  [[nodiscard]] Expr concat(Expr high, Expr low) { return make(Op::Concat, {high, low}); }
  /// Bits high..low, both included.
  [[nodiscard]] Expr extract(std::uint32_t high, std::uint32_t low, Expr a);
  /// Extension to `width` >= the width of `a`.
  [[nodiscard]] Expr zext(Expr a, std::uint32_t width);
  [[nodiscard]] Expr sext(Expr a, std::uint32_t width);
  [[nodiscard]] Expr ite(Expr condition, Expr a, Expr b) { return make(Op::Ite, {condition, a, b}); }
  [[nodiscard]] Expr select(Expr array, Expr index) { return make(Op::Select, {array, index}); }
  [[nodiscard]] Expr store(Expr array, Expr index, Expr element) {
    return make(Op::Store, {array, index, element});
  }
  [[nodiscard]] Expr constant_array(std::uint32_t index_width, Expr element);

  /// An operation that takes its shape (widths) from its operands.
  [[nodiscard]] Expr make(Op op, std::initializer_list<Expr> operands);
  /// The expression with every node for which `replace` gives something replaced by that, and simplified.
  [[nodiscard]] Expr rebuild(Expr root, const std::function<Expr(Expr)>& replace);
  /// The same, with what was rebuilt before and is now.
  [[nodiscard]] Expr rebuild(Expr root, const std::function<Expr(Expr)>& replace, NodeMap<Expr>& done);
  /// For tests: exactly the operation asked for. `shape` gives op, width, number (lowest bit),
  /// index_width.
  [[nodiscard]] Expr verbatim(const Node& shape);

 private:
  [[nodiscard]] Expr make(Node shape);
  [[nodiscard]] Expr intern(Node node);
  [[nodiscard]] Expr named(std::string_view name, std::uint32_t index_width, std::uint32_t width);
  void grow();

  std::vector<std::unique_ptr<Node[]>> blocks_;
  std::uint32_t nodes_ = 0;
  std::vector<const Node*> table_;  // open addressing; a power of two
  Rewritten rewritten_;
  std::deque<Value> values_;
  std::deque<std::string> names_;
  std::vector<Expr> symbols_;
  std::unordered_map<std::string_view, Expr> by_name_;
};

/// Takes expressions of one other context over into `to`, where they are simplified. Symbols go by name.
class Importer {
 public:
  explicit Importer(Context& to) : to_(to) {}
  [[nodiscard]] Expr operator()(Expr expr);

 private:
  Context& to_;
  NodeMap<Expr> done_;
};

/// The expression as an S-expression, shared parts written again and again: for tests and messages.
[[nodiscard]] std::string to_string(Expr expr);

}  // namespace perfpact::smt
