// Expressions: immutable nodes, each structure once per context (hash-consed), so that equal expressions are
// the same pointer. An Expr is a pointer, copied freely and valid as long as its Context.
//
// Everything is a bit vector of 1 bit or more; a truth value is 1 bit. Arrays map bit vectors of up to 64
// bits to bit vectors. There are few operations, so that one thing has one form: x <= y is ~(y < x), a zero
// extension is a concat with zeros, x != y is ~(x == y).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "smt/facts.h"
#include "smt/value.h"

namespace perfpact::smt {

/// All total, as in SMT-LIB's theories FixedSizeBitVectors and ArraysEx.
enum class Op : std::uint8_t {
  Constant,
  Symbol,  // a bit vector or an array, by name
  Not,     // of every bit
  Neg,
  Add,
  Sub,
  Mul,   // modulo 2^width
  UDiv,  // by zero: all ones
  URem,  // by zero: the dividend
  SDiv,  // rounds to zero; by zero: 1 for a negative dividend, else -1
  SRem,  // sign of the dividend; by zero: the dividend
  And,
  Or,
  Xor,
  Shl,
  LShr,          // amount >= width: 0
  AShr,          // amount >= width: all sign bits
  Eq,            // 1 bit; of bit vectors
  Ult,           // 1 bit
  Slt,           // 1 bit
  Concat,        // the first operand is the high part
  Extract,       // as many bits as the node is wide, from bit `low`
  SExt,          // sign extension
  Ite,           // 1 bit ? a : b, of bit vectors or arrays
  Select,        // array, index
  Store,         // array, index, element: the array with one element replaced
  ConstantArray  // every element is the operand
};
inline constexpr std::size_t kOps = static_cast<std::size_t>(Op::ConstantArray) + 1;
/// SMT-LIB's name: `bvadd`.
[[nodiscard]] std::string_view to_string(Op op);
[[nodiscard]] constexpr bool is_commutative(Op op) {
  return op == Op::Add || op == Op::Mul || op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Eq;
}

struct Node;

class Expr {
 public:
  Expr() = default;
  explicit Expr(const Node* node) : node_(node) {}
  explicit operator bool() const { return node_ != nullptr; }

  [[nodiscard]] inline Op op() const;
  /// Bits; of an array: of its elements.
  [[nodiscard]] inline std::uint32_t width() const;
  /// Bits of an array's index; 0 for a bit vector.
  [[nodiscard]] inline std::uint32_t index_width() const;
  [[nodiscard]] bool is_array() const { return index_width() != 0; }
  /// Dense, in order of creation; operands have smaller ids.
  [[nodiscard]] inline std::uint32_t id() const;
  /// Of the structure and the names of symbols: the same in every context and every run.
  [[nodiscard]] inline std::uint64_t hash() const;
  [[nodiscard]] inline std::size_t arity() const;
  [[nodiscard]] inline Expr operator[](std::size_t operand) const;
  /// Of an Extract: its lowest bit.
  [[nodiscard]] inline std::uint32_t low() const;
  /// What holds of the value under every assignment.
  [[nodiscard]] inline const Facts& facts() const;

  [[nodiscard]] bool is(Op which) const { return op() == which; }
  [[nodiscard]] bool is_constant() const { return is(Op::Constant); }
  /// Of a constant.
  [[nodiscard]] inline const Value& value() const;
  [[nodiscard]] inline bool is_true() const;
  [[nodiscard]] inline bool is_false() const;
  /// Of a Symbol: its number, dense in order of creation, and its name.
  [[nodiscard]] inline std::uint32_t symbol() const;
  [[nodiscard]] inline const std::string& name() const;

  friend bool operator==(Expr, Expr) = default;

 private:
  const Node* node_ = nullptr;
};

struct Node {
  Op op{};
  std::uint8_t arity = 0;
  std::uint32_t width = 0;
  std::uint32_t index_width = 0;
  std::uint32_t number = 0;  // Extract: its lowest bit; Symbol: its number
  std::uint32_t id = 0;
  std::uint64_t hash = 0;
  std::array<Expr, 3> operands;
  const Value* value = nullptr;       // Constant
  const std::string* name = nullptr;  // Symbol
  Facts facts;
};

inline Op Expr::op() const {
  return node_->op;
}
inline std::uint32_t Expr::width() const {
  return node_->width;
}
inline std::uint32_t Expr::index_width() const {
  return node_->index_width;
}
inline std::uint32_t Expr::id() const {
  return node_->id;
}
inline std::uint64_t Expr::hash() const {
  return node_->hash;
}
inline std::size_t Expr::arity() const {
  return node_->arity;
}
inline Expr Expr::operator[](std::size_t operand) const {
  return node_->operands[operand];
}
inline std::uint32_t Expr::low() const {
  return node_->number;
}
inline const Facts& Expr::facts() const {
  return node_->facts;
}
inline const Value& Expr::value() const {
  return *node_->value;
}
inline bool Expr::is_true() const {
  return is_constant() && width() == 1 && value().is_one();
}
inline bool Expr::is_false() const {
  return is_constant() && width() == 1 && value().is_zero();
}
inline std::uint32_t Expr::symbol() const {
  return node_->number;
}
inline const std::string& Expr::name() const {
  return *node_->name;
}

}  // namespace perfpact::smt
