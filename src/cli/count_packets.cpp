#include "cli/count_packets.h"

#include <fmt/format.h>

#include "cli/cycles.h"
#include "cli/exit_status.h"
#include "cli/native_paths.h"
#include "count/count.h"
#include "report/cycles.h"
#include "report/packet_counts.h"
#include "timing/diagnostics.h"
#include "timing/trace.h"
#include "x86/decode.h"

namespace perfpact::cli {
namespace {

/// What packets are expected to take, where that is asked for.
class Cycles {
 public:
  static Result<Cycles> read(const Options& options, Diagnostics& diagnostics) {
    Cycles cycles;
    if (cycle_metrics(options).empty()) return cycles;
    auto machine = read_machine(options, diagnostics);
    if (!machine) return std::unexpected(machine.error());
    cycles.machine_ = std::make_unique<timing::Machine>(std::move(*machine));
    cycles.pricer_ = std::make_unique<timing::TracePricer>(*cycles.machine_);
    return cycles;
  }

  [[nodiscard]] bool are_wanted() const { return pricer_ != nullptr; }
  [[nodiscard]] std::optional<report::ExpectedCycles> of(const count::PacketCount& packet) {
    if (pricer_ == nullptr) return std::nullopt;
    return report::ExpectedCycles{pricer_->next(packet.trace)};
  }
  [[nodiscard]] std::string describe() const {
    return pricer_ == nullptr ? "" : report::to_text_of_expected(*machine_);
  }
  void report_unknown(Diagnostics& diagnostics) const {
    if (pricer_ == nullptr || !pricer_->unknown()) return;
    const x86::Executed& unknown = *pricer_->unknown();
    const auto instruction = x86::decode(unknown.code(), unknown.address);
    diagnostics.report(timing::diag::kUnknownInstruction, {}, machine_->cpu.name(),
                       instruction ? x86::to_string(*instruction) : "(bad)",
                       fmt::format("{:#x}", unknown.address));
  }

 private:
  std::unique_ptr<timing::Machine> machine_;
  std::unique_ptr<timing::TracePricer> pricer_;
};

}  // namespace

Result<int> count_packets(const Options& options, Diagnostics& diagnostics) {
  auto entry = read_entry(options, diagnostics);
  if (!entry) return std::unexpected(entry.error());
  auto packs = read_packs(options, diagnostics);
  if (!packs) return std::unexpected(packs.error());
  auto cycles = Cycles::read(options, diagnostics);
  if (!cycles) return std::unexpected(cycles.error());
  const count::Options how{
      .launch = {.program = options.program, .arguments = options.arguments, .entry = entry->function},
      .entry = std::move(*entry),
      .engine = options.count_engine,
      .packs = std::move(*packs),
      .capture = options.pcap,
      .wants_profile = options.by_function || options.by_line,
      .wants_accesses = options.wants_accesses,
      .wants_trace = cycles->are_wanted()};
  report::CountSummary summary;
  bool is_complete = true;
  const auto take = [&](const count::PacketCount& packet) {
    is_complete &= packet.ending != count::PacketCount::Ending::NotDecoded;
    const std::optional<report::ExpectedCycles> expected = cycles->of(packet);
    if (options.json) {
      fmt::print("{}", report::to_json_line(packet, how.entry, expected));
      return;
    }
    summary.add(packet, expected);
    if (options.wants_accesses)
      fmt::print("packet {}:\n{}\n", summary.packets(), report::to_text(report::AccessesView{packet}));
  };
  const Result<count::Profile> counted = count::count(how, take, diagnostics);
  if (!options.json && summary.packets() > 0)
    fmt::print("{}{}", summary.to_text(options.program, how.entry), cycles->describe());
  cycles->report_unknown(diagnostics);
  if (!counted) return std::unexpected(counted.error());
  if (how.wants_profile) {
    const report::ProfileView view{*counted, options.by_function, options.by_line};
    fmt::print("{}", options.json ? report::to_json_line(view) : report::to_text(view));
  }
  return is_complete ? kExitOk : kExitGaps;
}

}  // namespace perfpact::cli
