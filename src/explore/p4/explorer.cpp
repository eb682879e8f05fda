#include "explore/p4/explorer.h"

#include "explore/p4/machine.h"

namespace perfpact::explore {

Explorer::Explorer(const p4::core::Program& program, const p4::ir::Lowered& lowered, const Options& options)
    : machine_(std::make_unique<Machine>(program, lowered, options)) {}

Explorer::~Explorer() = default;

void Explorer::run(const std::function<void(const Path&)>& found) {
  machine_->run(found);
}

const std::vector<Gap>& Explorer::gaps() const {
  return machine_->gaps();
}

Statistics Explorer::statistics() const {
  return machine_->statistics();
}

smt::Context& Explorer::context() {
  return machine_->context();
}

smt::Expr Explorer::byte(std::uint32_t i) {
  return machine_->byte_symbol(i);
}

smt::Expr Explorer::length() const {
  return machine_->length();
}

smt::Expr Explorer::port() const {
  return machine_->port();
}

Witness Explorer::witness(const State& state, const std::shared_ptr<const smt::Model>& model) {
  return machine_->witness(state, model);
}

smt::Expr Explorer::length_behind(const State& state) {
  return machine_->length_behind(state);
}

smt::Expr Explorer::byte_behind(const State& state, std::uint32_t i) {
  return machine_->byte_behind(state, i);
}

}  // namespace perfpact::explore
