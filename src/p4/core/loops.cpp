#include "p4/core/loops.h"

namespace perfpact::p4::core {
namespace {

std::vector<BlockId> targets(const Return&) {
  return {};
}
std::vector<BlockId> targets(const Jump& jump) {
  return {jump.to};
}
std::vector<BlockId> targets(const Branch& branch) {
  return {branch.then_block, branch.else_block};
}
std::vector<BlockId> targets(const Select& select) {
  std::vector<BlockId> blocks;
  for (const SelectCase& candidate : select.cases) blocks.push_back(candidate.to);
  blocks.push_back(select.default_block);
  return blocks;
}

}  // namespace

std::vector<BlockId> successors(const Terminator& terminator) {
  return std::visit([](const auto& what) { return targets(what); }, terminator);
}

std::vector<bool> loop_heads(const Procedure& procedure) {
  enum class Visit : std::uint8_t { New, Open, Done };
  struct Frame {
    BlockId block;
    std::vector<BlockId> left;
  };
  std::vector<bool> is_head(procedure.blocks.size());
  std::vector<Visit> visits(procedure.blocks.size(), Visit::New);
  std::vector<Frame> stack;
  const auto open = [&](BlockId block) {
    visits[index(block)] = Visit::Open;
    stack.push_back({block, successors(procedure.blocks[index(block)].terminator)});
  };
  open(procedure.entry);
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.left.empty()) {
      visits[index(top.block)] = Visit::Done;
      stack.pop_back();
      continue;
    }
    const BlockId next = top.left.back();
    top.left.pop_back();
    if (visits[index(next)] == Visit::Open) is_head[index(next)] = true;
    if (visits[index(next)] == Visit::New) open(next);
  }
  return is_head;
}

}  // namespace perfpact::p4::core
