#include "p4/core/loops.h"

#include <algorithm>

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

constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

// The blocks that can be reached from one by `next`, itself only where a cycle leads back.
std::vector<bool> reached(std::size_t from, const std::vector<std::vector<std::size_t>>& next) {
  std::vector<bool> known(next.size());
  std::vector<std::size_t> open{from};
  while (!open.empty()) {
    const std::size_t block = open.back();
    open.pop_back();
    for (std::size_t to : next[block]) {
      if (known[to]) continue;
      known[to] = true;
      open.push_back(to);
    }
  }
  return known;
}

class WorkMeter {
 public:
  explicit WorkMeter(const Program& program)
      : program_(program),
        is_known_(program.procedures.size()),
        work_{std::vector<std::uint64_t>(program.procedures.size()), {}} {}

  Work measure() {
    for (std::size_t i = 0; i < program_.procedures.size(); ++i) {
      const Procedure& procedure = program_.procedures[i];
      static_cast<void>(of_procedure(i));
      work_.loops.push_back(of_loops(procedure));
    }
    return std::move(work_);
  }

 private:
  std::uint64_t of_procedure(std::size_t id) {
    if (is_known_[id]) return work_.blocks[id];
    std::uint64_t sum = 0;
    for (const Block& block : program_.procedures[id].blocks) sum = std::min(kMost, sum + of_block(block));
    is_known_[id] = true;
    return work_.blocks[id] = sum;
  }
  std::uint64_t of_block(const Block& block) {
    std::uint64_t sum = 1;
    for (const Instruction& instruction : block.instructions)
      if (const auto* call = std::get_if<Call>(&instruction.action))
        sum = std::min(kMost, sum + of_procedure(index(call->procedure)));
    return sum;
  }
  std::vector<std::uint64_t> of_loops(const Procedure& procedure) {
    const std::size_t count = procedure.blocks.size();
    std::vector<std::vector<std::size_t>> after(count);
    std::vector<std::vector<std::size_t>> before(count);
    for (std::size_t i = 0; i < count; ++i)
      for (BlockId to : successors(procedure.blocks[i].terminator)) {
        after[i].push_back(index(to));
        before[index(to)].push_back(i);
      }
    const std::vector<bool> is_head = loop_heads(procedure);
    std::vector<std::uint64_t> loops(count);
    for (std::size_t head = 0; head < count; ++head) {
      if (!is_head[head]) continue;
      const std::vector<bool> follow = reached(head, after);
      const std::vector<bool> lead = reached(head, before);
      for (std::size_t i = 0; i < count; ++i)
        if (follow[i] && lead[i]) loops[head] = std::min(kMost, loops[head] + of_block(procedure.blocks[i]));
    }
    return loops;
  }

  const Program& program_;
  std::vector<bool> is_known_;
  Work work_;
};

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

Work work(const Program& program) {
  return WorkMeter(program).measure();
}

}  // namespace perfpact::p4::core
