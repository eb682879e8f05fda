#include "timing/bound.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.h"
#include "library/latency.h"
#include "timing/code.h"
#include "timing/must_cache.h"

namespace perfpact::timing {
namespace {

using explore::Access;
using explore::NativeCall;
using explore::NativePath;
using formula::Formula;

constexpr std::uint64_t kStackAlignment = 16;  // System V x86-64 ABI, section 3.2.2

/// The lines that an access touches: one, or two.
class Lines {
 public:
  /// Of a stack that lies `shift` bytes above a line, as far as its alignment leaves that open.
  Lines(const process::Process& process, std::uint32_t line, std::uint64_t shift)
      : scratch_(process.scratch()), line_(line) {
    const std::uint64_t top = process.registers().gpr[x86::Rsp];
    stack_ = process.mapping_of(top);
    shift_ = shift - (top % line - top % kStackAlignment);
  }

  std::vector<Line> of(const Access& access) const {
    if (!access.address.is_constant()) return {unknown(access)};
    std::uint64_t address = access.address.value().word();
    if (stack_ != nullptr && address >= stack_->begin && address < stack_->end) address += shift_;
    // What a method gave a pointer to lies anywhere.
    if (address >= scratch_.begin && address < scratch_.end) return {{1 + access.bytes, address}};
    std::vector<Line> lines;
    for (std::uint64_t line = address / line_; line <= (address + access.bytes - 1) / line_; ++line)
      lines.push_back({0, line});
    return lines;
  }

 private:
  // Accesses to the same varying part, whose lowest bits are known, are to the same line where they are
  // within what these bits count; else only those to the same bytes are.
  Line unknown(const Access& access) const {
    const bool is_sum = access.address.is(smt::Op::Add) && access.address[1].is_constant();
    const smt::Expr varying = is_sum ? access.address[0] : access.address;
    const std::uint64_t constant = is_sum ? access.address[1].value().word() : 0;
    const smt::Facts& facts = varying.facts();
    const int known = std::min(std::countr_one(facts.zeros | facts.ones), std::countr_zero(line_));
    const std::uint64_t block = std::uint64_t{1} << known;
    const std::uint64_t low = (facts.ones & (block - 1)) + constant;
    const bool is_inside = low / block == (low + access.bytes - 1) / block;
    const std::uint64_t id = (std::uint64_t{varying.id()} + 1) << 8U;
    return is_inside ? Line{id, low / block} : Line{id + access.bytes, constant};
  }

  process::Scratch scratch_;
  const process::Mapping* stack_ = nullptr;
  std::uint64_t line_;
  std::uint64_t shift_ = 0;
};

// Of an access, whether all its lines are certain to be there.
bool hits(MustCache& cache, const std::vector<Line>& lines) {
  bool all = true;
  for (const Line& line : lines) all &= cache.access(line);
  return all;
}

Formula sum_of_call(const Machine& machine) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const auto formula = Formula::parse(
      fmt::format("latency + {} * accesses", machine.memory.beyond_l1(machine.miss)), {}, diagnostics);
  PERFPACT_CHECK(formula, "{}", diagnostics.render());
  return *formula;
}

}  // namespace

BoundPricer::BoundPricer(const process::Process& process, const explore::NativeExplorer& explorer,
                         const Machine& machine)
    : process_(process), explorer_(explorer), machine_(machine), sum_of_call_(sum_of_call(machine)) {}

std::optional<std::uint32_t> BoundPricer::latency(std::uint32_t site) {
  const auto [known, is_new] = latencies_.try_emplace(site);
  if (is_new) {
    const std::uint64_t address = explorer_.site(site).address;
    known->second = machine_.cpu.latency(code_at(process_, address), address);
  }
  return known->second;
}

// Latencies of all its instructions, and each access a miss.
Formula BoundPricer::of(const NativeCall& call) const {
  const auto& costs = call.outcome->costs;
  for (const std::string_view metric : {library::kLatency, library::kLoads, library::kStores})
    if (!costs.contains(metric)) return explore::cost_of(call, kCyclesBound);
  const std::pair<std::string, Formula> parts[]{
      {"latency", explore::cost_of(call, library::kLatency)},
      {"accesses", Formula::sum(std::array{explore::cost_of(call, library::kLoads),
                                           explore::cost_of(call, library::kStores)})}};
  return sum_of_call_.substitute(parts);
}

// Cycles that accesses take longer than they would if all of them hit.
std::uint64_t BoundPricer::waits(const NativePath& path, std::uint64_t shift) const {
  const Cache& l1 = machine_.memory.at(Level::L1).cache;
  const Lines lines(process_, l1.line, shift);
  MustCache cache(l1);
  std::uint64_t misses = 0;
  auto access = path.accesses.begin();
  auto call = path.calls.begin();
  for (std::size_t i = 0; i < path.sites.size(); ++i) {
    for (; call != path.calls.end() && call->before <= i; ++call) cache.clear();
    const lift::Site& site = explorer_.site(path.sites[i]);
    std::uint32_t seen = 0;
    for (; access != path.accesses.end() && access->instruction == i; ++access, ++seen)
      if (!hits(cache, lines.of(*access))) ++misses;
    // What exploration has not met it is not known where it goes.
    if (!site.repeats) misses += std::max(site.loads + site.stores, seen) - seen;
  }
  return misses * machine_.memory.beyond_l1(machine_.miss);
}

Formula BoundPricer::of(const NativePath& path) {
  std::uint64_t cycles = 0;
  for (std::uint64_t shift = 0; shift < machine_.memory.at(Level::L1).cache.line; shift += kStackAlignment)
    cycles = std::max(cycles, waits(path, shift));
  std::vector<Formula> terms;
  for (std::size_t i = 0; i < path.sites.size(); ++i) {
    if (is_further_iteration(explorer_, path, i))
      cycles += machine_.cpu.iteration_latency();
    else if (const auto known = latency(path.sites[i]))
      cycles += *known;
    else
      terms.push_back(Formula::name(name_of_latency(explorer_.site(path.sites[i]))));
  }
  terms.push_back(Formula::constant(Rational(cycles)));
  for (const NativeCall& call : path.calls) terms.push_back(of(call));
  return Formula::sum(terms);
}

}  // namespace perfpact::timing
