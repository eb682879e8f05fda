#include "count/valgrind.h"

#include <csignal>
#include <filesystem>
#include <map>
#include <set>

#include "base/check.h"
#include "count/convention.h"
#include "count/diagnostics.h"
#include "count/ending.h"
#include "count/profiler.h"
#include "count/recorder.h"
#include "count/tool.h"
#include "process/diagnostics.h"
#include "process/entry.h"
#include "process/mappings.h"
#include "process/start.h"
#include "process/stepper.h"
#include "protocol.h"

namespace perfpact::count {
namespace {

using Ending = PacketCount::Ending;

constexpr std::uint32_t kNoHandle = COUNT_ARGUMENTS;

process::Counts counts_of(const count_record& record) {
  return {record.instructions, record.loads, record.stores};
}

Ending ending_of(std::uint64_t how) {
  switch (how) {
    case COUNT_RETURNED:
      return Ending::Returned;
    case COUNT_LEFT:
      return Ending::Left;
    case COUNT_SIGNAL:
      return Ending::Signal;
    case COUNT_ENDED:
      return Ending::Ended;
    case COUNT_NOT_DECODED:
      return Ending::NotDecoded;
    default:
      PERFPACT_CHECK(false, "valgrind's tool ends a call in the unknown way {}", how);
  }
  return {};
}

// A program under valgrind, and what it sends.
class Session {
 public:
  Session(const Options& options, Tool& tool, const Sink& sink, Diagnostics& diagnostics)
      : options_(options),
        tool_(tool),
        sink_(sink),
        diagnostics_(diagnostics),
        deadline_(tool.pid_file(), options.launch.time_limit),
        program_(std::filesystem::weakly_canonical(options.launch.program).string()),
        image_(tool.pid(), options.packs),
        structures_(image_) {}

  Result<void> run() {
    while (const auto record = tool_.receive<count_record>()) {
      if (!take(*record)) break;
    }
    if (diagnostics_.has_errors()) return std::unexpected(diagnostics_.already_reported());
    if (!replaced_by_.empty())
      return report_end(options_, process::Replaced{replaced_by_}, calls_, tool_.output(), diagnostics_);
    const process::RunEnd end = tool_.wait();
    finish_calls(end);
    if (calls_ == 0) return report_no_call(end);
    return report_end(options_, end, calls_, tool_.output(), diagnostics_);
  }

  [[nodiscard]] Profile profile() const { return profiler_.profile(image_.modules()); }

 private:
  // False where nothing more is to be taken.
  bool take(const count_record& record) {
    switch (record.kind) {
      case COUNT_BLOCK:
        return take_block(record.a);
      case COUNT_BEGIN:
        return take_begin(record.thread);
      case COUNT_HANDLE:
        (void)structures_.name(record.a);
        tool_.answer(std::as_bytes(std::span("", 1)));
        return true;
      case COUNT_ENTER:
        recorder(record.thread).enter(record.a, record.b, counts_of(record));
        return true;
      case COUNT_LEAVE:
        recorder(record.thread)
            .leave(record.b != 0 ? std::optional(record.a) : std::nullopt, counts_of(record));
        return true;
      case COUNT_MARK:
        recorder(record.thread).mark(record.a);
        return true;
      case COUNT_END:
        take_end(record);
        return true;
      case COUNT_EXECUTED:
        profiler_.add(record.a, counts_of(record));
        return true;
      case COUNT_EXECUTE:
        if (!tool_.sends_before_replaced()) replaced_by_ = tool_.replaced_by();
        return replaced_by_.empty();
      case COUNT_NOT_EXECUTED:
        return true;
      default:
        PERFPACT_CHECK(false, "valgrind's tool sends the unknown record {}", record.kind);
    }
    return false;
  }

  Recorder& recorder(std::uint32_t thread) {
    return recorders_.try_emplace(thread, image_, structures_).first->second;
  }

  bool read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
    return process::read_memory(tool_.pid(), address, bytes);
  }

  bool take_begin(std::uint32_t thread) {
    const auto arguments = tool_.receive<Arguments>();
    if (!arguments || !deadline_.cancel()) return false;
    static_assert(std::tuple_size_v<Arguments> == COUNT_ARGUMENTS);
    recorder(thread).begin(packet_of(options_.entry, *arguments,
                                     [this](auto address, auto bytes) { return read(address, bytes); }));
    tool_.answer(std::as_bytes(std::span("", 1)));
    ++calls_;
    return true;
  }

  void take_end(const count_record& record) {
    PacketCount packet = recorder(record.thread).end(ending_of(record.a), counts_of(record));
    if (packet.ending == Ending::Returned) packet.result = static_cast<std::uint32_t>(record.b);
    if (packet.ending == Ending::Signal) packet.signal = process::signal_name(static_cast<int>(record.b));
    if (packet.ending == Ending::Ended) {
      unfinished_.emplace_back(std::move(packet), record.c);
      return;
    }
    if (packet.ending == Ending::Signal || packet.ending == Ending::NotDecoded)
      packet.at = image_.describe(record.c);
    sink_(packet);
  }

  // Those that the end of the program broke off.
  void finish_calls(const process::RunEnd& end) {
    for (auto& [packet, at] : unfinished_) {
      const auto* killed = std::get_if<process::Killed>(&end);
      if (killed != nullptr && process::tells_fault(killed->signal)) {
        packet.ending = Ending::Signal;
        packet.signal = process::signal_name(killed->signal);
        packet.at = image_.describe(at);
      }
      sink_(packet);
    }
  }

  Result<void> report_no_call(const process::RunEnd& end) {
    const std::string& program = options_.launch.program;
    const std::string& entry = options_.launch.entry;
    if (deadline_.is_over())
      diagnostics_.report(process::diag::kTimeLimit, {}, program, entry, options_.launch.time_limit.count());
    else if (!has_entry_)
      diagnostics_.report(diag::kToolFailed, {}, program, "");
    else if (const auto* exited = std::get_if<process::Exited>(&end))
      diagnostics_.report(process::diag::kExited, {}, program, exited->status, entry);
    else if (const auto* killed = std::get_if<process::Killed>(&end))
      diagnostics_.report(process::diag::kKilled, {}, program, process::signal_name(killed->signal),
                          "an unknown place", entry);
    process::note_output(tool_.output(), diagnostics_);
    return std::unexpected(diagnostics_.already_reported());
  }

  bool take_block(std::uint64_t size) {
    std::vector<count_instruction> instructions(size);
    if (!tool_.receive(std::as_writable_bytes(std::span(instructions)))) return false;
    std::vector<count_fate> fates;
    for (const count_instruction& instruction : instructions) {
      if (!learn(instruction.address)) return false;
      fates.push_back(fate_of(instruction));
    }
    tool_.answer(std::as_bytes(std::span(fates)));
    return true;
  }

  count_fate fate_of(const count_instruction& instruction) const {
    const std::uint64_t address = instruction.address;
    const process::Step step =
        process::decode_step(std::span(instruction.bytes).first(instruction.length), address);
    unsigned flags = 0;
    if (step.kind == process::Step::Kind::NoInstruction) flags |= COUNT_IS_UNKNOWN;
    if (step.kind == process::Step::Kind::Repeats) flags |= COUNT_REPEATS;
    if (step.kind == process::Step::Kind::Repeats32) flags |= COUNT_REPEATS_32;
    if (has_entry_ && address == image_.entry()) flags |= COUNT_IS_ENTRY;
    const Image::Method* method = image_.method(address);
    if (method != nullptr) flags |= COUNT_IS_METHOD;
    if (image_.marks(address) != nullptr) flags |= COUNT_IS_MARK;
    return {.loads = static_cast<std::uint8_t>(step.loads),
            .stores = static_cast<std::uint8_t>(step.stores),
            .flags = static_cast<std::uint8_t>(flags),
            .handle = static_cast<std::uint8_t>(method != nullptr ? method->structure.value_or(kNoHandle)
                                                                  : kNoHandle)};
  }

  // Sees to it that the modules are known that are loaded when this address is about to be executed. The
  // dynamic linker runs first, alone, and has mapped all others before anything of them is executed. False
  // where the entry is wrong.
  bool learn(std::uint64_t address) {
    constexpr std::uint64_t kPage = 4096;
    if (modules_ != nullptr && modules_->at(address) != nullptr) {
      if (has_entry_ || modules_->at(address)->path == linker_) return true;
    } else if (!nowhere_.insert(address / kPage).second) {
      return true;
    }
    auto mappings = std::make_unique<std::vector<process::Mapping>>(process::read_mappings(tool_.pid()));
    auto modules = std::make_unique<process::Modules>(program_, *mappings, tool_.pid());
    const process::Module* here = modules->at(address);
    const bool is_first = modules_ == nullptr;
    if (is_first && here != nullptr && here->path != program_) linker_ = here->path;
    std::uint64_t entry = image_.entry();
    if (!has_entry_ && here != nullptr && here->path != linker_) {
      const auto resolved = process::resolve_entry(options_.launch.program, options_.launch.entry, *modules,
                                                   *mappings, diagnostics_);
      if (!resolved) return false;
      entry = *resolved;
      has_entry_ = true;
    }
    const bool is_entry_new = entry != image_.entry();
    image_.read(*modules, *mappings, entry, diagnostics_);
    mappings_ = std::move(mappings);
    modules_ = std::move(modules);
    return !is_entry_new || image_.check_packs(diagnostics_).has_value();
  }

  const Options& options_;
  Tool& tool_;
  const Sink& sink_;
  Diagnostics& diagnostics_;
  process::Deadline deadline_;
  std::string program_;  // its path as the kernel has it
  std::string linker_;   // likewise; empty in a static program
  std::unique_ptr<std::vector<process::Mapping>> mappings_;
  std::unique_ptr<process::Modules> modules_;
  std::set<std::uint64_t> nowhere_;  // pages that were looked for and are of no module
  bool has_entry_ = false;
  Image image_;
  Structures structures_;
  std::map<std::uint32_t, Recorder> recorders_;  // by thread
  Profiler profiler_;
  std::vector<std::pair<PacketCount, std::uint64_t>> unfinished_;
  std::string replaced_by_;
  std::size_t calls_ = 0;
};

}  // namespace

Result<Profile> count_by_valgrind(const Options& options, const Sink& sink, Diagnostics& diagnostics) {
  // Code is looked at when it is first executed, where the pointer may be another yet.
  for (const library::Pack& pack : options.packs)
    for (const library::Method& method : pack.methods)
      if (method.function.starts_with('*'))
        return std::unexpected(diagnostics.report(diag::kPointedTo, method.at, method.function));
  const auto tool = Tool::start(options, diagnostics);
  if (!tool) return std::unexpected(tool.error());
  Session session(options, **tool, sink, diagnostics);
  if (const Result<void> counted = session.run(); !counted) return std::unexpected(counted.error());
  return session.profile();
}

}  // namespace perfpact::count
