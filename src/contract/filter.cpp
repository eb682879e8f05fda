// Jumps of classic BPF lead forward only, so one walk over the code suffices: each instruction is executed
// once, on the states of all ways that lead to it, merged by the conditions under which they do.
#include "contract/filter.h"

#include <linux/bpf_common.h>

#include <algorithm>
#include <array>
#include <bit>

namespace perfpact::contract {
namespace {

using smt::Expr;

constexpr std::uint32_t kRegisterWidth = 32;       // of the registers
constexpr std::size_t kCells = 16;                 // of scratch memory
constexpr std::uint64_t kMostOffsets = 256;        // of a load at an offset that the packet tells
constexpr std::uint32_t kExtensions = 0xfff00000;  // offsets from here on are no bytes of the packet

struct State {
  Expr reached;
  Expr a, x;
  std::array<Expr, kCells> cells;
};

class Walk {
 public:
  Walk(smt::Context& context, const packet::Filter& filter, const SymbolicPacket& packet)
      : context_(context), filter_(filter), packet_(packet), states_(filter.size() + 1) {
    passes_ = context.boolean(false);
  }

  std::optional<Expr> run() {
    State first{.reached = context_.boolean(true), .a = number(0), .x = number(0)};
    first.cells.fill(number(0));
    states_[0] = first;
    for (std::size_t at = 0; at < filter_.size(); ++at)
      if (states_[at].reached && !states_[at].reached.is_false())
        if (!execute(at, states_[at])) return std::nullopt;
    return passes_;
  }

 private:
  Expr number(std::uint32_t value) { return context_.constant(kRegisterWidth, value); }

  bool execute(std::size_t at, State state) {
    const packet::FilterInstruction& instruction = filter_[at];
    switch (BPF_CLASS(instruction.code)) {
      case BPF_LD:
      case BPF_LDX:
        return load(at, std::move(state));
      case BPF_ST:
      case BPF_STX:
        if (instruction.k >= kCells) return false;
        state.cells[instruction.k] = BPF_CLASS(instruction.code) == BPF_ST ? state.a : state.x;
        return go_on(at + 1, state);
      case BPF_ALU:
        return compute(at, std::move(state));
      case BPF_JMP:
        return jump(at, state);
      case BPF_RET: {
        const bool is_a = (instruction.code & 0x18) == 0x10;  // BPF_A
        const Expr result = is_a ? state.a : number(instruction.k);
        passes_ = context_.or_(passes_, context_.and_(state.reached, context_.ne(result, number(0))));
        return true;
      }
      default:  // BPF_MISC
        if ((instruction.code & 0x80) == 0)
          state.x = state.a;
        else
          state.a = state.x;
        return go_on(at + 1, state);
    }
  }

  bool load(std::size_t at, State state) {
    const packet::FilterInstruction& instruction = filter_[at];
    std::optional<Expr> value;
    switch (BPF_MODE(instruction.code)) {
      case BPF_IMM:
        value = number(instruction.k);
        break;
      case BPF_LEN:
        value = context_.zext(packet_.length, kRegisterWidth);
        break;
      case BPF_MEM:
        if (instruction.k < kCells) value = state.cells[instruction.k];
        break;
      case BPF_MSH:
        value = load_bytes(number(instruction.k), 1, state);
        if (value) value = context_.shl(context_.and_(*value, number(0xf)), number(2));
        break;
      case BPF_ABS:
        if (instruction.k < kExtensions) value = load_bytes(number(instruction.k), bytes(instruction), state);
        break;
      case BPF_IND:
        value = load_bytes(context_.add(state.x, number(instruction.k)), bytes(instruction), state);
        break;
      default:
        break;
    }
    if (!value) return false;
    (BPF_CLASS(instruction.code) == BPF_LD ? state.a : state.x) = *value;
    return go_on(at + 1, state);
  }

  static std::uint32_t bytes(const packet::FilterInstruction& instruction) {
    switch (BPF_SIZE(instruction.code)) {
      case BPF_B:
        return 1;
      case BPF_H:
        return 2;
      default:
        return 4;
    }
  }

  // A packet that is too short for a load does not pass.
  std::optional<Expr> load_bytes(Expr offset, std::uint32_t count, State& state) {
    const Expr length = context_.zext(packet_.length, kRegisterWidth);
    const Expr is_there = context_.and_(context_.ule(number(count), length),
                                        context_.ule(offset, context_.sub(length, number(count))));
    state.reached = context_.and_(state.reached, is_there);
    const smt::Facts& facts = offset.facts();
    const std::uint64_t step = std::uint64_t{1} << std::min(std::countr_one(facts.zeros | facts.ones), 31);
    const std::uint64_t high = std::min<std::uint64_t>(facts.high, packet_.longest);
    if (facts.low <= high && (high - facts.low) / step > kMostOffsets) return std::nullopt;
    Expr value = number(0);
    const std::uint64_t first = facts.low + ((facts.ones - facts.low) & (step - 1));
    for (std::uint64_t at = first; at + count <= packet_.longest && at <= high; at += step) {
      Expr here = packet_.byte(static_cast<std::uint32_t>(at));
      for (std::uint32_t i = 1; i < count; ++i)
        here = context_.concat(here, packet_.byte(static_cast<std::uint32_t>(at) + i));
      here = context_.zext(here, kRegisterWidth);
      value = offset.is_constant()
                  ? here
                  : context_.ite(context_.eq(offset, number(static_cast<std::uint32_t>(at))), here, value);
    }
    return value;
  }

  bool compute(std::size_t at, State state) {
    const packet::FilterInstruction& instruction = filter_[at];
    const Expr other = BPF_SRC(instruction.code) == BPF_X ? state.x : number(instruction.k);
    switch (BPF_OP(instruction.code)) {
      case BPF_ADD:
        state.a = context_.add(state.a, other);
        break;
      case BPF_SUB:
        state.a = context_.sub(state.a, other);
        break;
      case BPF_MUL:
        state.a = context_.mul(state.a, other);
        break;
      case BPF_DIV:
      case BPF_MOD:
        // Division by zero does not pass.
        state.reached = context_.and_(state.reached, context_.ne(other, number(0)));
        state.a = BPF_OP(instruction.code) == BPF_DIV ? context_.udiv(state.a, other)
                                                      : context_.urem(state.a, other);
        break;
      case BPF_OR:
        state.a = context_.or_(state.a, other);
        break;
      case BPF_AND:
        state.a = context_.and_(state.a, other);
        break;
      case BPF_XOR:
        state.a = context_.xor_(state.a, other);
        break;
      case BPF_LSH:
        state.a = context_.shl(state.a, other);
        break;
      case BPF_RSH:
        state.a = context_.lshr(state.a, other);
        break;
      case BPF_NEG:
        state.a = context_.neg(state.a);
        break;
      default:
        return false;
    }
    return go_on(at + 1, state);
  }

  bool jump(std::size_t at, const State& state) {
    const packet::FilterInstruction& instruction = filter_[at];
    if (BPF_OP(instruction.code) == BPF_JA) return go_on(at + 1 + instruction.k, state);
    const Expr other = BPF_SRC(instruction.code) == BPF_X ? state.x : number(instruction.k);
    Expr holds;
    switch (BPF_OP(instruction.code)) {
      case BPF_JEQ:
        holds = context_.eq(state.a, other);
        break;
      case BPF_JGT:
        holds = context_.ult(other, state.a);
        break;
      case BPF_JGE:
        holds = context_.ule(other, state.a);
        break;
      case BPF_JSET:
        holds = context_.ne(context_.and_(state.a, other), number(0));
        break;
      default:
        return false;
    }
    State yes = state, no = state;
    yes.reached = context_.and_(state.reached, holds);
    no.reached = context_.and_(state.reached, context_.not_(holds));
    return go_on(at + 1 + instruction.if_true, yes) && go_on(at + 1 + instruction.if_false, no);
  }

  bool go_on(std::size_t to, const State& state) {
    if (to >= filter_.size()) return false;
    State& there = states_[to];
    if (!there.reached) {
      there = state;
      return true;
    }
    const auto merge = [&](Expr& mine, Expr other) { mine = context_.ite(state.reached, other, mine); };
    merge(there.a, state.a);
    merge(there.x, state.x);
    for (std::size_t i = 0; i < kCells; ++i) merge(there.cells[i], state.cells[i]);
    there.reached = context_.or_(there.reached, state.reached);
    return true;
  }

  smt::Context& context_;
  const packet::Filter& filter_;
  const SymbolicPacket& packet_;
  std::vector<State> states_;
  Expr passes_;
};

}  // namespace

std::optional<smt::Expr> passes(smt::Context& context, const packet::Filter& filter,
                                const SymbolicPacket& packet) {
  return Walk(context, filter, packet).run();
}

}  // namespace perfpact::contract
