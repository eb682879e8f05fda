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

}  // namespace perfpact::explore
