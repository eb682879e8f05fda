// Expressions of a node, taken over into the chain's context with the packet that comes to the node in the
// place of the packet's symbols. The node's own state and other inputs get the node's name: nodes share
// nothing but the packet.
#pragma once
#include <functional>
#include <memory>

#include "chain/node.h"
#include "smt/context.h"

namespace perfpact::chain {

/// What comes to a node, in the chain's context.
struct Input {
  std::function<smt::Expr(std::uint32_t)> byte;  // the i-th, 8 bits
  smt::Expr length;                              // bytes
  smt::Expr port;
  smt::Expr now_ns;  // 64 bits
};

class Translation {
 public:
  /// Both outlive it.
  Translation(smt::Context& chain, Node& node, Input input);

  [[nodiscard]] smt::Expr operator()(smt::Expr of_node);
  /// Whether the node's expression depends on what comes to the node.
  [[nodiscard]] bool speaks_of_input(smt::Expr of_node) const;
  /// The node's input under a model of the chain.
  [[nodiscard]] std::shared_ptr<const smt::Model> model(smt::Evaluation& evaluation);
  [[nodiscard]] Node& node() const { return node_; }
  [[nodiscard]] const Input& input() const { return input_; }

 private:
  [[nodiscard]] smt::Expr replaced(smt::Expr symbol);
  [[nodiscard]] bool is_input(smt::Expr symbol) const;

  smt::Context& chain_;
  Node& node_;
  Input input_;
  std::map<std::uint32_t, std::uint32_t> bytes_;  // by number of the symbol
  smt::NodeMap<smt::Expr> done_;
};

}  // namespace perfpact::chain
