#include "chain/translation.h"

#include <fmt/format.h>

#include "smt/derived.h"

namespace perfpact::chain {

Translation::Translation(smt::Context& chain, Node& node, Input input)
    : chain_(chain), node_(node), input_(std::move(input)) {
  for (std::uint32_t i = 0; i < node.longest(); ++i) bytes_.emplace(node.byte(i).symbol(), i);
}

smt::Expr Translation::operator()(smt::Expr of_node) {
  return chain_.rebuild(
      of_node, [&](smt::Expr one) { return one.is(smt::Op::Symbol) ? replaced(one) : smt::Expr(); }, done_);
}

smt::Expr Translation::replaced(smt::Expr symbol) {
  if (const auto byte = bytes_.find(symbol.symbol()); byte != bytes_.end()) return input_.byte(byte->second);
  if (symbol == node_.length()) return smt::resize(chain_, input_.length, symbol.width());
  if (symbol == node_.port()) return smt::resize(chain_, input_.port, symbol.width());
  if (node_.now_ns() && symbol == node_.now_ns()) return input_.now_ns;
  const std::string name = fmt::format("{}.{}", node_.name(), symbol.name());
  return symbol.is_array() ? chain_.array(name, symbol.index_width(), symbol.width())
                           : chain_.symbol(name, symbol.width());
}

bool Translation::is_input(smt::Expr symbol) const {
  return bytes_.contains(symbol.symbol()) || symbol == node_.length() || symbol == node_.port();
}

bool Translation::speaks_of_input(smt::Expr of_node) const {
  smt::NodeMap<bool> seen;
  bool found = false;
  smt::post_order(
      of_node, [&](smt::Expr one) { return found || seen.find(one) != nullptr; },
      [&](smt::Expr one) {
        seen.set(one, true);
        found = found || (one.is(smt::Op::Symbol) && is_input(one));
      });
  return found;
}

std::shared_ptr<const smt::Model> Translation::model(smt::Evaluation& evaluation) {
  auto model = std::make_shared<smt::Model>();
  const smt::Context& context = node_.context();
  for (std::uint32_t number = 0; number < context.symbols(); ++number) {
    const smt::Expr symbol = context.symbol(number);
    const smt::Expr taken = (*this)(symbol);
    if (!symbol.is_array()) {
      model->set(symbol, evaluation.value(taken));
    } else if (const smt::Elements* elements = evaluation.model()->elements(taken)) {
      for (const auto& [index, value] : *elements) model->set_element(symbol, index, value);
    }
  }
  return model;
}

}  // namespace perfpact::chain
