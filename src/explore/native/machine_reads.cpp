// Loads at addresses that depend on the input. As formulas over all that may be there they are hard for the
// solver; but mostly it is enough to know that there is some value. So the solver gets a symbol, and its
// models are held to memory: where a model's value is not what memory holds at the model's address, that
// address is fixed together with what memory holds there, for the time of the question only; where that
// cannot be, the address is excluded. What this does not decide in a few tries is asked as a formula over all
// addresses.
#include <fmt/format.h>

#include <algorithm>

#include "explore/native/machine.h"
#include "smt/infix.h"
#include "smt/learned.h"

namespace perfpact::explore {
namespace {

bool is_at(smt::Context& context, const Read& read, smt::Evaluation& evaluation) {
  const std::uint64_t address = evaluation.value(read.address).word();
  return evaluation.value(read.memory.load(context, address, read.bytes)) == evaluation.value(read.value);
}

// The constraints that speak of a symbol: of no other, and of others too.
struct About {
  std::vector<smt::Expr> alone, together;
};
About about(smt::Expr symbol, const smt::Constraints& constraints) {
  enum class Symbols : std::uint8_t { None, Only, Others, Both };
  const auto join = [](Symbols a, Symbols b) {
    return static_cast<Symbols>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
  };
  smt::NodeMap<Symbols> below;
  About result;
  for (smt::Expr constraint : constraints.to_vector()) {
    const auto is_seen = [&](smt::Expr expr) { return below.find(expr) != nullptr; };
    smt::post_order(constraint, is_seen, [&](smt::Expr expr) {
      Symbols symbols = Symbols::None;
      if (expr.is(smt::Op::Symbol)) symbols = expr == symbol ? Symbols::Only : Symbols::Others;
      for (std::size_t i = 0; i < expr.arity(); ++i) symbols = join(symbols, *below.find(expr[i]));
      below.set(expr, symbols);
    });
    if (*below.find(constraint) == Symbols::Only) result.alone.push_back(constraint);
    if (*below.find(constraint) == Symbols::Both) result.together.push_back(constraint);
  }
  return result;
}

// The value with choices decided that the constraints decide: what stands at an address mostly does not
// depend on what was stored where it cannot be.
smt::Expr decided(smt::Context& context, smt::Expr value, smt::Expr is_there,
                  const smt::Constraints& constraints) {
  if (value.is_constant() || value.is(smt::Op::Symbol)) return value;
  smt::LearnedFacts facts;
  facts.assume(is_there);
  for (smt::Expr constraint : constraints.to_vector()) facts.assume(constraint);
  return context.rebuild(value, [&](smt::Expr expr) {
    smt::Expr chosen = expr;
    while (chosen.is(smt::Op::Ite)) {
      const smt::Facts condition = facts.of(chosen[0]);
      if (!condition.is_fixed()) break;
      chosen = chosen[condition.low == 1 ? 1 : 2];
    }
    return chosen == expr ? smt::Expr() : chosen;
  });
}

bool holds(const std::vector<smt::Expr>& bits, smt::Expr symbol, const smt::Value& value) {
  auto model = std::make_shared<smt::Model>();
  model->set(symbol, value);
  smt::Evaluation evaluation(std::move(model));
  return std::ranges::all_of(bits, [&](smt::Expr bit) { return evaluation.holds(bit); });
}

}  // namespace

smt::Expr NativeExplorer::Machine::read(Expr address, const Reach& reach, std::uint32_t bytes,
                                        std::shared_ptr<const TableIndex> table) {
  // A load lies in one region. That of the stack holds variables of callers too.
  const bool may_be_stack = reach.high >= stack_end_ && reach.low < stack_top_;
  const std::uint64_t stores = state_.stores_outside + (may_be_stack ? state_.stores_in_stack : 0);
  const auto known = std::ranges::find_if(state_.reads, [&](const Read& read) {
    return read.address == address && read.bytes == bytes && read.stores == stores;
  });
  if (known != state_.reads.end()) return known->value;
  const Expr value = read_symbol(address, reach, bytes, stores);
  state_.reads.push_back(
      {address, reach.low, reach.high, bytes, value, state_.memory, stores, std::move(table)});
  return value;
}

// `packet[(packet[14][3:0] * 4) + 14]`, `:2` behind it for two bytes, a number where a name is taken. Two
// reads of one path never share a symbol.
smt::Expr NativeExplorer::Machine::read_symbol(Expr address, const Reach& reach, std::uint32_t bytes,
                                               std::uint64_t stores) {
  Expr& symbol = read_symbols_[{address.id(), bytes, stores}];
  if (symbol) return symbol;
  const bool in_packet = reach.low >= packet_ && reach.high < packet_ + options_.entry.longest;
  std::string name = in_packet
                         ? fmt::format("packet[{}]", smt::to_infix(context_.sub(address, word(packet_))))
                         : fmt::format("[{}]", smt::to_infix(address));
  if (bytes != 1) name += fmt::format(":{}", bytes);
  symbol = context_.symbol(unique(std::move(name)), bytes * 8);
  local_symbols_.resize(context_.symbols());
  local_symbols_[symbol.symbol()] = true;
  return symbol;
}

std::string NativeExplorer::Machine::unique(std::string name) {
  const std::uint32_t taken = names_[name]++;
  return taken == 0 ? name : fmt::format("{}#{}", name, taken + 1);
}

smt::Answer NativeExplorer::Machine::check(const smt::Constraints& constraints, Expr condition) {
  smt::Answer answer = Engine::check(constraints, condition);
  if (!answer.is_sat() || state_.reads.empty()) return answer;
  int tries = options_.limits.tries;
  const smt::Constraints all = constraints.with(context_, condition);
  answer = agree(all, std::move(answer), tries);
  if (answer.is_unknown()) answer = ask_in_full(all);
  if (answer.is_sat()) constraints.note_model(answer.model);
  return answer;
}

// The answer's model is noted, since further questions are mostly near to it. Mostly nothing depends on the
// values that do not agree.
smt::Answer NativeExplorer::Machine::agree(const smt::Constraints& constraints, smt::Answer answer,
                                           int& tries) {
  constraints.note_model(answer.model);
  smt::Evaluation evaluation(answer.model);
  for (const Read& read : state_.reads)
    if (!is_at(context_, read, evaluation)) {
      if (auto model = pass(constraints, state_.reads, *answer.model)) {
        answer.model = std::move(model);
        break;
      }
      return read.table ? settle_table(constraints, read, tries)
                        : settle(constraints, read, std::move(answer), tries);
    }
  return answer;
}

smt::Answer NativeExplorer::Machine::settle(smt::Constraints constraints, const Read& read,
                                            smt::Answer answer, int& tries) {
  while (answer.is_sat()) {
    if (--tries < 0) return {.verdict = smt::Verdict::Unknown, .reason = "too many addresses of a load"};
    const std::uint64_t address = smt::Evaluation(answer.model).value(read.address).word();
    const Expr is_there = context_.eq(read.address, word(address));
    const Expr held =
        decided(context_, read.memory.load(context_, address, read.bytes), is_there, constraints);
    const smt::Constraints fixed =
        constraints.with(context_, is_there).with(context_, context_.eq(read.value, held));
    answer = Engine::check(fixed, context_.boolean(true));
    if (answer.is_sat()) answer = agree(fixed, std::move(answer), tries);
    if (!answer.is_unsat()) return answer;
    constraints = constraints.with(context_, context_.not_(is_there));
    answer = Engine::check(constraints, context_.boolean(true));
  }
  return answer;
}

smt::Expr NativeExplorer::Machine::with(Expr expr, Expr symbol, Expr value) {
  return context_.rebuild(expr, [&](Expr one) { return one == symbol ? value : Expr(); });
}

// Value by value: an interval that holds all that the expression can be.
std::optional<NativeExplorer::Machine::Reach> NativeExplorer::Machine::interval_by_table(Expr expr) {
  for (const Read& read : state_.reads) {
    if (!read.table || with(expr, read.value, context_.zero(read.value.width())) == expr) continue;
    const About demanded = about(read.value, state_.constraints);
    std::optional<Reach> all;
    for (const TableIndex::Value& entry : read.table->values()) {
      const smt::Value value(read.value.width(), entry.value);
      if (!holds(demanded.alone, read.value, value)) continue;
      const smt::Facts facts = with(expr, read.value, context_.constant(value)).facts();
      if (!all) all = Reach{facts.low, facts.high};
      all = Reach{std::min(all->low, facts.low), std::max(all->high, facts.high)};
    }
    return all;
  }
  return std::nullopt;
}

std::shared_ptr<const TableIndex> NativeExplorer::Machine::table(const Reach& reach, std::uint64_t step,
                                                                 std::uint32_t bytes) {
  std::shared_ptr<const TableIndex>& known = tables_[{reach.low, reach.high, step, bytes}];
  if (!known) known = std::make_shared<TableIndex>(*snapshot_, reach.low, reach.high, step, bytes);
  return known;
}

// Value by value: most are ruled out by what the path demands of the value alone.
smt::Answer NativeExplorer::Machine::settle_table(const smt::Constraints& constraints, const Read& read,
                                                  int& tries) {
  constexpr std::size_t kFewRuns = 16;  // that are one formula
  const auto is_in = [&](const TableIndex::Run& run) {
    return context_.and_(context_.ule(word(run.first), read.address),
                         context_.ule(read.address, word(run.last)));
  };
  const About demanded = about(read.value, constraints);
  for (const TableIndex::Value& entry : read.table->values()) {
    const smt::Value value(read.value.width(), entry.value);
    if (!holds(demanded.alone, read.value, value)) continue;
    const Expr constant = context_.constant(value);
    const auto is_excluded = [&](Expr bit) {
      const smt::Facts facts = with(bit, read.value, constant).facts();
      return facts.is_fixed() && facts.high == 0;
    };
    if (std::ranges::any_of(demanded.together, is_excluded)) continue;
    const Expr is_value = context_.eq(read.value, constant);
    const smt::Constraints with_value = constraints.with(context_, is_value);
    smt::Answer answer = Engine::check(with_value, context_.boolean(true));
    if (answer.is_unknown()) return answer;
    if (answer.is_unsat()) continue;
    for (std::size_t i = 0; i < entry.runs.size(); i += kFewRuns) {
      if (--tries < 0)
        return {.verdict = smt::Verdict::Unknown, .reason = "too many runs of a table's entries"};
      Expr is_there = context_.boolean(false);
      for (std::size_t j = i; j < std::min(i + kFewRuns, entry.runs.size()); ++j)
        is_there = context_.or_(is_there, is_in(entry.runs[j]));
      const smt::Constraints fixed = with_value.with(context_, is_there);
      answer = Engine::check(fixed, context_.boolean(true));
      if (answer.is_sat()) answer = agree(fixed, std::move(answer), tries);
      if (!answer.is_unsat()) return answer;
    }
  }
  return {.verdict = smt::Verdict::Unsat};
}

smt::Answer NativeExplorer::Machine::ask_in_full(smt::Constraints constraints) {
  for (const Read& read : state_.reads) {
    const auto addresses = candidates(read.address, {read.low, read.high}, options_.limits.candidates);
    if (!addresses) return {.verdict = smt::Verdict::Unknown, .reason = "too many addresses of a load"};
    const Expr held = choose(read.memory, read.address, *addresses, read.bytes);
    constraints = constraints.with(context_, context_.eq(read.value, held));
  }
  return Engine::check(constraints, context_.boolean(true));
}

}  // namespace perfpact::explore
