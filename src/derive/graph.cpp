#include "derive/graph.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "derive/constants.h"
#include "derive/diagnostics.h"

namespace perfpact::derive {
namespace {

// Nodes of a graph that tells constants apart, and of one that does not.
constexpr std::size_t kMostWithConstants = 20'000, kMostNodes = 100'000;
constexpr std::uint32_t kNone = ~0U;

// A call that has not returned. One that is entered by a jump has the same return address as the one before.
struct Frame {
  std::uint32_t caller = kNone;  // kNone: the method's own
  std::uint64_t behind = 0;      // the return address
  std::uint64_t function = 0;
  std::uint64_t method = 0;  // the innermost
  std::string prefix;        // of its PCVs
  bool is_outermost = false;
  auto operator<=>(const Frame&) const = default;
};

struct State {
  std::uint64_t address = 0;
  std::uint32_t frame = 0;
  std::int32_t outcome = -1;
  Constants constants;
  auto operator<=>(const State&) const = default;
};

class Builder {
 public:
  Builder(const Code& code, std::uint64_t method, bool knows_constants, Diagnostics& diagnostics)
      : code_(code), method_(method), knows_constants_(knows_constants), diagnostics_(diagnostics) {}

  // Nothing where it has too many nodes with constants.
  Result<std::optional<Graph>> build() {
    const std::uint32_t frame = frame_number({.function = method_, .method = method_, .is_outermost = true});
    node_number({.address = method_, .frame = frame});
    for (std::size_t next = 0; next < states_.size(); ++next) {
      if (knows_constants_ && states_.size() > kMostWithConstants) return std::nullopt;
      if (states_.size() > kMostNodes) return fail(diag::kTooLarge, name(), kMostNodes);
      if (auto walked = walk(static_cast<std::uint32_t>(next)); !walked)
        return std::unexpected(walked.error());
    }
    return std::move(graph_);
  }

 private:
  using Instruction = x86::Instruction;
  using Walked = Result<bool>;  // whether to go on

  template <class... Arguments>
  std::unexpected<Reported> fail(const DiagnosticKind& kind, const Arguments&... arguments) {
    return std::unexpected(diagnostics_.report(kind, {}, arguments...));
  }
  std::string name() const { return code_.process().describe(method_); }

  std::uint32_t frame_number(const Frame& frame) {
    const auto [found, is_new] =
        frame_numbers_.try_emplace(frame, static_cast<std::uint32_t>(frames_.size()));
    if (is_new) frames_.push_back(frame);
    return found->second;
  }
  std::uint32_t node_number(const State& state) {
    const auto [found, is_new] = node_numbers_.try_emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (is_new) {
      states_.push_back(state);
      graph_.nodes.push_back({.address = state.address});
    }
    return found->second;
  }

  Result<void> walk(std::uint32_t number) {
    State state = states_[number];
    Node node{.address = state.address};
    std::set<std::pair<std::uint64_t, std::uint32_t>> seen;
    while (true) {
      enter(state);
      if (!seen.emplace(state.address, state.frame).second) break;  // for ever
      const Instruction* instruction = code_.at(state.address);
      if (instruction == nullptr) return fail(diag::kNotDecoded, name(), code_.describe(state.address));
      if (met_.insert(state.address).second) graph_.code.push_back(state.address);
      count_marks(state, node);
      if (auto paid = pay(*instruction, state, node); !paid) return std::unexpected(paid.error());
      const Walked goes_on = step(*instruction, state, node);
      if (!goes_on) return std::unexpected(goes_on.error());
      if (!*goes_on) break;
    }
    graph_.nodes[number] = std::move(node);
    return {};
  }

  // At the first instruction of a method, by a call or a jump.
  void enter(State& state) {
    const Frame& frame = frames_[state.frame];
    const std::string_view method = code_.method(state.address);
    if (method.empty() || state.address == frame.method) return;
    Frame inner = frame;
    inner.method = state.address;
    inner.prefix += fmt::format("{}.", method);
    inner.is_outermost = false;
    state.frame = frame_number(inner);
  }

  void count_marks(State& state, Node& node) {
    const Frame& frame = frames_[state.frame];
    for (const Mark& mark : code_.marks(state.address)) {
      if (!mark.is_outcome) {
        const std::uint32_t pcv = index_of(frame.prefix + mark.name, graph_.pcvs);
        const auto found = std::ranges::find(node.pcvs, pcv, &std::pair<std::uint32_t, std::int64_t>::first);
        if (found == node.pcvs.end())
          node.pcvs.emplace_back(pcv, 1);
        else
          ++found->second;
      } else if (frame.is_outermost) {
        state.outcome = static_cast<std::int32_t>(index_of(mark.name, graph_.outcomes));
      }
    }
  }

  static std::uint32_t index_of(const std::string& name, std::vector<std::string>& names) {
    const auto found = std::ranges::find(names, name);
    const auto index = static_cast<std::uint32_t>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    return index;
  }

  Result<void> pay(const Instruction& instruction, const State& state, Node& node) {
    std::int64_t times = 1;
    bool accesses = true;
    if (instruction.repeats()) {
      const auto count = state.constants.value(x86::Rcx, instruction.decoded.address_width);
      const bool stops_early = (instruction.decoded.attributes & ZYDIS_ATTRIB_HAS_REP) == 0;
      if (!count || (stops_early && *count > 1))
        return fail(diag::kRepeats, name(), x86::to_string(instruction), code_.describe(instruction.address));
      times = std::max<std::int64_t>(1, static_cast<std::int64_t>(*count));
      accesses = *count > 0;
    }
    node.cost[0] += times;
    node.cost[1] += accesses ? times * instruction.loads : 0;
    node.cost[2] += accesses ? times * instruction.stores : 0;
    if (code_.cpu() == nullptr) return {};
    const auto latency = code_.latency(instruction);
    if (!latency)
      return fail(diag::kNoLatency, name(), code_.cpu()->name(), x86::to_string(instruction),
                  code_.describe(instruction.address));
    node.cost[kLatencyMetric] += *latency + (times - 1) * code_.cpu()->iteration_latency();
    return {};
  }

  Walked step(const Instruction& instruction, State& state, Node& node) {
    switch (instruction.decoded.meta.category) {
      case ZYDIS_CATEGORY_RET:
        return return_from(state, node);
      case ZYDIS_CATEGORY_COND_BR:
        return branch(instruction, state, node);
      case ZYDIS_CATEGORY_CALL:
      case ZYDIS_CATEGORY_UNCOND_BR:
        return go(instruction, state);
      default:
        break;
    }
    const ZydisMnemonic mnemonic = instruction.decoded.mnemonic;
    if (mnemonic == ZYDIS_MNEMONIC_UD2 || mnemonic == ZYDIS_MNEMONIC_HLT) return false;
    state.constants.execute(instruction);
    state.address = instruction.next();
    return true;
  }

  Walked return_from(State& state, Node& node) {
    const Frame& frame = frames_[state.frame];
    if (frame.caller == kNone) {
      node.returns = true;
      node.outcome = state.outcome;
      node.result = state.constants.value(x86::Rax, 8);
      return false;
    }
    state.address = frame.behind;
    state.frame = frame.caller;
    return true;
  }

  Walked branch(const Instruction& jump, State& state, Node& node) {
    const std::optional<bool> known = state.constants.is_taken(jump);
    const std::optional<std::uint64_t> target = code_.target(jump);
    PERFPACT_CHECK(target, "a conditional jump at {:#x} leads nowhere", jump.address);
    if (known) {
      state.address = *known ? *target : jump.next();
      return true;
    }
    for (const bool taken : {true, false}) {
      State next = state;
      next.constants.execute(jump);  // `loop` counts in rcx
      next.constants.went(jump, taken);
      if (!knows_constants_) next.constants = {};
      next.address = taken ? *target : jump.next();
      const std::uint32_t number = node_number(next);
      if (std::ranges::find(node.successors, number) == std::end(node.successors))
        node.successors.push_back(number);
    }
    return false;
  }

  // A call, or a jump that is always taken.
  Walked go(const Instruction& instruction, State& state) {
    const std::optional<std::uint64_t> target = code_.target(instruction);
    if (!target)
      return fail(diag::kIndirect, name(), code_.describe(instruction.address),
                  code_.process().describe(instruction.address));
    if (code_.never_returns(*target)) return false;
    state.address = *target;
    if (instruction.decoded.meta.category != ZYDIS_CATEGORY_CALL) return true;
    state.constants.execute(instruction);
    const Frame& frame = frames_[state.frame];
    for (std::uint32_t caller = state.frame; caller != kNone; caller = frames_[caller].caller)
      if (frames_[caller].function == *target || frames_[caller].method == *target)
        return fail(diag::kRecursion, name(), code_.describe(instruction.address),
                    code_.process().describe(*target));
    state.frame = frame_number({.caller = state.frame,
                                .behind = instruction.next(),
                                .function = *target,
                                .method = frame.method,
                                .prefix = frame.prefix,
                                .is_outermost = frame.is_outermost});
    return true;
  }

  const Code& code_;
  std::uint64_t method_;
  bool knows_constants_;
  Diagnostics& diagnostics_;
  Graph graph_;
  std::vector<State> states_;
  std::map<State, std::uint32_t> node_numbers_;
  std::vector<Frame> frames_;
  std::map<Frame, std::uint32_t> frame_numbers_;
  std::set<std::uint64_t> met_;
};

}  // namespace

Result<Graph> Graph::build(const Code& code, std::uint64_t method, Diagnostics& diagnostics) {
  auto graph = Builder(code, method, true, diagnostics).build();
  if (graph && !*graph) graph = Builder(code, method, false, diagnostics).build();
  if (!graph) return std::unexpected(graph.error());
  return std::move(**graph);
}

}  // namespace perfpact::derive
