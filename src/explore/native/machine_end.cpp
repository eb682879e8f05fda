#include <algorithm>
#include <iterator>

#include "explore/native/machine.h"

namespace perfpact::explore {
namespace {

constexpr std::uint32_t kResultBits = 32;  // of the int that the entry function returns
constexpr std::uint64_t kFaults = 0;       // where an instruction goes that cannot be executed

std::vector<std::uint8_t> to_bytes(const smt::Value& value) {
  std::vector<std::uint8_t> bytes;
  export_bits(value.number(), std::back_inserter(bytes), 8, false);
  bytes.resize(value.width() / 8);
  return bytes;
}

}  // namespace

// One path for each meaning that the result can have.
NativeExplorer::Machine::Step NativeExplorer::Machine::finish_path() {
  const Entry& entry = options_.entry;
  const Expr result = context_.extract(kResultBits - 1, 0, std::as_const(*this).reg(lift::gpr(x86::Rax)));
  std::vector<Expr> conditions;
  Expr other = context_.boolean(true);
  for (const Entry::Returned& returned : entry.results) {
    conditions.push_back(
        context_.eq(result, context_.constant(kResultBits, static_cast<std::uint64_t>(returned.value))));
    other = context_.and_(other, context_.not_(conditions.back()));
  }
  conditions.push_back(other);
  const std::optional<std::size_t> picked = pick(conditions);
  if (!picked) return Step::End;
  const Entry::Meaning meaning =
      *picked < entry.results.size() ? entry.results[*picked].meaning : entry.other;
  found({meaning}, meaning == Entry::Meaning::Sent ? context_.zext(result, 64) : Expr());
  return Step::End;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::fail(const std::string& error) {
  found({.error = error}, {});
  return Step::End;
}

NativeExplorer::Machine::Step NativeExplorer::Machine::fault(const std::string& what) {
  const std::string error = fmt::format("{} at {}", what, place());
  const lift::Site& site = lifter_.site(state_.sites.back());
  --state_.counts.instructions;
  state_.counts.loads -= site.loads;
  state_.counts.stores -= site.stores;
  state_.sites.pop_back();
  while (!state_.accesses.empty() && state_.accesses.back().instruction == state_.sites.size())
    state_.accesses.pop_back();
  if (const auto mark = marks_.find(site.address); mark != marks_.end()) --state_.pcvs[mark->second];
  decide(site.address, kFaults);
  return fail(error);
}

void NativeExplorer::Machine::found(NativeVerdict verdict, Expr port) {
  const smt::Answer answer = check_whole();
  if (!answer.is_sat()) {
    if (answer.is_unknown()) note_unknown(answer, state_.constraints);
    return;
  }
  if (const auto lost = lost_register_used(port)) {
    end_in_gap(depends_on(*lost));
    return;
  }
  ++paths_;
  NativePath& path = found_.emplace_back();
  path.id = state_.path.id();
  path.condition = state_.constraints;
  path.reads = state_.reads;
  path.origin = state_.origin;
  if (path.origin) path.ways = path.origin->ways;
  path.port = port;
  path.returned = context_.extract(kResultBits - 1, 0, std::as_const(*this).reg(lift::gpr(x86::Rax)));
  path.times = state_.times;
  path.counts = state_.counts;
  path.sites = state_.sites;
  path.accesses = state_.accesses;
  path.calls = state_.calls;
  if (options_.keeps_memory) path.memory = state_.memory;
  for (std::size_t i = 0; i < state_.pcvs.size(); ++i)
    if (state_.pcvs[i] > 0) path.pcvs.push_back({pcv_names_[i], state_.pcvs[i]});
  std::ranges::sort(path.pcvs, std::less{}, &NativePath::Pcv::name);
  path.witness.verdict = std::move(verdict);
  show_input(path, answer.model);
}

// The input that the model is, and what it leads to.
void NativeExplorer::Machine::show_input(NativePath& path, std::shared_ptr<const smt::Model> model) {
  smt::Evaluation evaluation(std::move(model));
  if (path.port) path.witness.verdict.port = evaluation.value(path.port).word();
  path.result = static_cast<std::uint32_t>(evaluation.value(path.returned).word());
  path.addresses.clear();
  for (const Access& access : path.accesses)
    path.addresses.push_back(evaluation.value(access.address).word());
  path.results.clear();
  for (const NativeCall& call : path.calls) path.results.push_back(result(call, evaluation));
  path.witness = witness(evaluation, path);
  path.input = input(evaluation);
}

smt::Answer NativeExplorer::Machine::judge(const NativePath& path, Expr condition) {
  restart_clock();
  state_ = NativeState();
  state_.constraints = path.condition.with(context_, condition);
  state_.reads = path.reads;
  state_.origin = path.origin;
  return check_whole();
}

std::optional<NativePath> NativeExplorer::Machine::restricted(const NativePath& path, Expr condition) {
  const smt::Answer answer = judge(path, condition);
  if (!answer.is_sat()) return std::nullopt;
  NativePath result = path;
  result.condition = state_.constraints;
  show_input(result, answer.model);
  return result;
}

NativePath NativeExplorer::Machine::with_witness(const NativePath& path,
                                                 std::shared_ptr<const smt::Model> model) {
  NativePath result = path;
  show_input(result, std::move(model));
  return result;
}

NativeWitness NativeExplorer::Machine::witness(smt::Evaluation& evaluation, const NativePath& path) {
  NativeWitness result;
  result.port = evaluation.value(port_).word();
  result.now_ns = evaluation.value(now_ns_).word();
  const std::uint64_t length = evaluation.value(length_).word();
  for (std::uint32_t i = 0; i < length; ++i)
    result.packet.push_back(static_cast<std::uint8_t>(evaluation.value(byte_symbol(i)).word()));
  for (const auto& [address, variable] : opened_)
    result.state.push_back({variable.name(), address, to_bytes(evaluation.value(variable))});
  for (Expr time : path.times) result.times.push_back(evaluation.value(time).word());
  result.verdict = path.witness.verdict;
  return result;
}

// What a call that was cut out leaves, under the model.
process::Cut::Result NativeExplorer::Machine::result(const NativeCall& call, smt::Evaluation& evaluation) {
  process::Cut::Result result;
  for (const auto& [gpr, value] : call.registers) result.gpr[gpr] = evaluation.value(value).word();
  for (const auto& [address, value] : call.memory)
    result.memory.push_back({address, to_bytes(evaluation.value(value))});
  return result;
}

// What the path begins with, under the model.
process::Input NativeExplorer::Machine::input(smt::Evaluation& evaluation) {
  process::Input result;
  result.registers = process_.registers();
  for (std::size_t i = 0; i < x86::kGprs; ++i)
    result.registers.gpr[i] = evaluation.value(first_registers_->cells[i]).word();
  for (const auto& [address, value] : first_memory_) {
    const std::vector<std::uint8_t> bytes = to_bytes(evaluation.value(value));
    if (result.memory.empty() || result.memory.back().address + result.memory.back().bytes.size() != address)
      result.memory.push_back({address, {}});
    std::ranges::copy(bytes, std::back_inserter(result.memory.back().bytes));
  }
  return result;
}

}  // namespace perfpact::explore
