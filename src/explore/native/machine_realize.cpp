// Whether an input takes a path all the way, where states were merged on it. What a merged state knows of its
// symbols is true but not all: a model of it may belong to no input. So its path is tried behind samples,
// inputs that surely come to the merge: with their values put in for its symbols, the path's constraints
// speak of the inputs that the sample leaves open. Where no sample fits, longer ways are tried: through the
// members of the merge from samples of theirs, and so on to where the packet comes. When all ways have been
// tried from there, no input takes the path.
#include <fmt/format.h>

#include <algorithm>

#include "explore/native/machine.h"

namespace perfpact::explore {
namespace {

constexpr std::size_t kMostSamples = 16;  // of a merge

/// A way to the end of a path: `segments`, the last one first, behind a merge.
struct Way {
  std::shared_ptr<const Merge> from;
  std::vector<const Segment*> segments;
};

template <class Visit>
void visit_symbols(smt::Expr root, smt::NodeMap<bool>& seen, Visit visit) {
  smt::post_order(
      root, [&](smt::Expr expr) { return seen.find(expr) != nullptr; },
      [&](smt::Expr expr) {
        seen.set(expr, true);
        if (expr.is(smt::Op::Symbol)) visit(expr);
      });
}

smt::Expr unchanged(smt::Expr /*expr*/) {
  return {};
}

}  // namespace

/// A way, as far as it was gone, with what its symbols stand for put in.
struct NativeExplorer::Machine::Trial {
  Bindings inputs;  // those that are fixed
  Bindings values;  // of the symbols of the segment that was passed last
  smt::Constraints constraints;
  std::vector<Read> reads;  // whose address is not fixed
  bool is_possible = true;
};

void NativeExplorer::Machine::advance(Trial& trial, const Segment& segment, bool is_last) {
  if (!trial.is_possible) return;
  smt::NodeMap<Expr>& put_in = put_in_;
  put_in.clear();
  for (const auto& [symbol, value] : trial.inputs) put_in.set(symbol, value);
  for (const auto& [symbol, value] : trial.values) put_in.set(symbol, value);
  const auto rebuilt = [&](Expr expr) { return context_.rebuild(expr, unchanged, put_in); };
  Bindings read_values;
  for (const Read& read : segment.reads) {
    const Expr address = rebuilt(read.address);
    Expr value;
    if (!address.is_constant()) {
      value = context_.symbol(fmt::format("read#{}:{}", trial.reads.size(), read.bytes), read.bytes * 8);
      local_symbols_.resize(context_.symbols());
      local_symbols_[value.symbol()] = true;
      Memory memory = read.table ? read.memory : read.memory.with_values(rebuilt);
      trial.reads.push_back(
          {address, read.low, read.high, read.bytes, value, std::move(memory), read.stores, read.table});
    } else {
      const std::uint64_t at = address.value().word();
      trial.is_possible = at >= read.low && at <= read.high;
      if (!trial.is_possible) return;
      value = rebuilt(read.memory.load(context_, at, read.bytes));
    }
    put_in.set(read.value, value);
    read_values.emplace_back(read.value, value);
  }
  for (Expr constraint : segment.constraints.to_vector()) {
    const Expr bit = rebuilt(constraint);
    trial.is_possible = !bit.is_false();
    if (!trial.is_possible) return;
    trial.constraints = trial.constraints.with(context_, bit);
  }
  if (is_last) {
    trial.values.insert(trial.values.end(), read_values.begin(), read_values.end());
    return;
  }
  Bindings values;
  for (const auto& [symbol, value] : segment.values) values.emplace_back(symbol, rebuilt(value));
  trial.values = std::move(values);
}

smt::Answer NativeExplorer::Machine::check_trial(const Trial& trial) {
  if (!trial.is_possible) return {.verdict = smt::Verdict::Unsat};
  std::vector<Read> reads = trial.reads;
  std::swap(state_.reads, reads);
  smt::Answer answer = check(trial.constraints, context_.boolean(true));
  std::swap(state_.reads, reads);
  return answer;
}

// With the values of the state's own symbols.
std::shared_ptr<smt::Model> NativeExplorer::Machine::model_of(const Trial& trial, const smt::Model& inputs) {
  auto model = std::make_shared<smt::Model>(inputs);
  for (const auto& [symbol, value] : trial.inputs) model->set(symbol, value.value());
  auto whole = std::make_shared<smt::Model>(*model);
  smt::Evaluation evaluation(std::move(model));
  for (const auto& [symbol, value] : trial.values) whole->set(symbol, evaluation.value(value));
  return whole;
}

// Inputs that the way depends on become fixed.
Bindings NativeExplorer::Machine::sample_of(const Trial& trial, const smt::Model& model) {
  auto shared = std::make_shared<const smt::Model>(model);
  smt::Evaluation evaluation(shared);
  smt::NodeMap<bool> seen;
  smt::NodeMap<Expr> fixed;
  Bindings sample = trial.inputs;
  const auto fix = [&](Expr symbol) {
    const Expr value = context_.constant(evaluation.value(symbol));
    fixed.set(symbol, value);
    if (!is_local(symbol)) sample.emplace_back(symbol, value);
  };
  for (Expr constraint : trial.constraints.to_vector()) visit_symbols(constraint, seen, fix);
  for (const Read& read : trial.reads) {
    visit_symbols(read.value, seen, fix);
    visit_symbols(read.address, seen, fix);
    const Expr held = read.memory.load(context_, evaluation.value(read.address).word(), read.bytes);
    visit_symbols(held, seen, fix);
  }
  for (const auto& [symbol, value] : trial.values)
    sample.emplace_back(symbol, context_.rebuild(value, unchanged, fixed));
  return sample;
}

bool NativeExplorer::Machine::is_exact() {
  if (!state_.origin || !state_.origin->is_exact || !state_.reads.empty()) return false;
  smt::Constraints added = state_.constraints;
  for (; !(added == state_.origin->constraints); added = added.before())
    if (is_local(added.last())) return false;
  return true;
}

smt::Answer NativeExplorer::Machine::check_whole(Bindings* sample) {
  if (is_exact()) return check_exact(sample);
  smt::Answer answer = check(state_.constraints, context_.boolean(true));
  if (!answer.is_sat()) return answer;
  const Segment last{state_.origin, state_.constraints, state_.reads, {}};
  if (state_.origin) return try_ways(last, sample);
  if (sample != nullptr) {
    Trial trial{.constraints = last.constraints, .reads = last.reads};
    for (const Read& read : last.reads) trial.values.emplace_back(read.value, read.value);
    *sample = sample_of(trial, *answer.model);
  }
  return answer;
}

smt::Answer NativeExplorer::Machine::check_exact(Bindings* sample) {
  smt::Answer answer = check(state_.constraints, context_.boolean(true));
  if (!answer.is_sat()) return answer;
  Arrivals known;
  const auto model = arrive(state_.origin.get(), answer.model, known);
  PERFPACT_CHECK(model != nullptr, "no way leads to a merged state");
  answer.model = model;
  if (sample == nullptr) return answer;
  const Trial trial{.constraints = state_.constraints};
  *sample = sample_of(trial, *model);
  smt::Evaluation evaluation(model);
  for (const auto& [symbol, value] : state_.origin->members.front().values)
    sample->emplace_back(symbol, context_.constant(evaluation.value(symbol)));
  return answer;
}

smt::Answer NativeExplorer::Machine::try_ways(const Segment& last, Bindings* sample) {
  int tries = options_.limits.ways;
  std::optional<smt::Answer> unknown;
  const auto attempt = [&](Trial trial, const Way& way) -> std::optional<smt::Answer> {
    if (--tries < 0 || is_out_of_time())
      return smt::Answer{.verdict = smt::Verdict::Unknown, .reason = "too many ways that were merged"};
    for (std::size_t i = way.segments.size(); i-- > 1;) advance(trial, *way.segments[i], false);
    const Trial merged = trial;
    advance(trial, last, true);
    smt::Answer answer = check_trial(trial);
    if (answer.is_unknown()) unknown = answer;
    if (!answer.is_sat()) return std::nullopt;
    if (way.segments.size() > 1 && state_.origin->samples.size() < kMostSamples) {
      Sample found;
      for (auto& binding : sample_of(merged, *answer.model))
        (is_local(binding.first) ? found.values : found.inputs).push_back(std::move(binding));
      state_.origin->samples.push_back(std::move(found));
    }
    if (sample != nullptr) *sample = sample_of(trial, *answer.model);
    answer.model = model_of(trial, *answer.model);
    return answer;
  };
  std::vector<Way> ways{{state_.origin, {&last}}};
  while (!ways.empty()) {
    for (const Way& way : ways)
      for (std::size_t i = way.from->samples.size(); i-- > 0;) {
        const Sample& from = way.from->samples[i];
        if (auto answer = attempt({.inputs = from.inputs, .values = from.values}, way)) return *answer;
      }
    std::vector<Way> longer;
    for (const Way& way : ways)
      for (const Segment& member : way.from->members) {
        Way& behind = longer.emplace_back(way);
        behind.from = member.origin;
        behind.segments.push_back(&member);
        if (behind.from) continue;
        if (auto answer = attempt({}, behind)) return *answer;
        longer.pop_back();
      }
    ways = std::move(longer);
  }
  return unknown.value_or(smt::Answer{.verdict = smt::Verdict::Unsat});
}

// ---- Which inputs take a path

std::shared_ptr<smt::Model> NativeExplorer::Machine::pass(const smt::Constraints& constraints,
                                                          std::span<const Read> reads, smt::Model model) {
  for (const Read& read : reads) {
    smt::Evaluation evaluation(std::make_shared<const smt::Model>(model));
    const std::uint64_t address = evaluation.value(read.address).word();
    if (address < read.low || address > read.high) return nullptr;
    model.set(read.value, evaluation.value(read.memory.load(context_, address, read.bytes)));
  }
  auto result = std::make_shared<smt::Model>(std::move(model));
  smt::Evaluation evaluation(result);
  const bool holds =
      std::ranges::all_of(constraints.to_vector(), [&](Expr bit) { return evaluation.holds(bit); });
  return holds ? result : nullptr;
}

std::shared_ptr<const smt::Model> NativeExplorer::Machine::arrive(
    const Merge* merge, const std::shared_ptr<const smt::Model>& inputs, Arrivals& known) {
  if (const auto found = known.find(merge); found != known.end()) return found->second;
  std::shared_ptr<smt::Model> arrived;
  for (const Segment& member : merge->members) {
    const auto before = member.origin ? arrive(member.origin.get(), inputs, known) : inputs;
    if (!before) continue;
    const auto passed = pass(member.constraints, member.reads, *before);
    if (!passed) continue;
    smt::Evaluation evaluation(passed);
    arrived = std::make_shared<smt::Model>(*inputs);
    for (const auto& [symbol, value] : member.values) arrived->set(symbol, evaluation.value(value));
    break;
  }
  known.emplace(merge, arrived);
  return arrived;
}

bool NativeExplorer::Machine::takes(const NativePath& path, smt::Model& model) {
  auto inputs = std::make_shared<const smt::Model>(model);
  Arrivals known;
  if (path.origin) inputs = arrive(path.origin.get(), inputs, known);
  if (!inputs) return false;
  const auto passed = pass(path.condition, path.reads, *inputs);
  if (!passed) return false;
  model = *passed;
  return true;
}

}  // namespace perfpact::explore
