#include "count/stepping.h"

#include "count/convention.h"
#include "count/diagnostics.h"
#include "count/ending.h"
#include "count/profiler.h"
#include "count/recorder.h"
#include "count/tracer.h"
#include "count/words.h"
#include "process/live.h"
#include "process/mappings.h"
#include "process/ptrace.h"

namespace perfpact::count {
namespace {

using process::LiveProcess;
using Ending = PacketCount::Ending;

Arguments arguments_of(const x86::Registers& registers) {
  Arguments arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i] = registers.gpr[x86::kArguments[i]];
  return arguments;
}

// One call of the entry, instruction by instruction.
class Call : public LiveProcess::Visitor {
 public:
  /// `profiler` and `tracer` may be null.
  Call(pid_t thread, const Image& image, Recorder& recorder, Profiler* profiler, Tracer* tracer)
      : thread_(thread), image_(image), recorder_(recorder), profiler_(profiler), tracer_(tracer) {}

  bool arrive(const user_regs_struct& registers) override {
    while (has_jumped_ && registers.rsp > frames_.back().rsp) {
      const Frame& left = frames_.back();
      const bool has_returned = registers.rip == left.return_address && registers.rsp == left.rsp + kWord;
      frames_.pop_back();
      if (frames_.empty()) {
        ending_ = has_returned ? Ending::Returned : Ending::Left;
        return false;
      }
      recorder_.leave(has_returned ? std::optional<std::uint64_t>(registers.rax) : std::nullopt, counts_);
    }
    if (frames_.empty())
      push(registers);
    else if (image_.method(registers.rip) != nullptr)
      enter(registers);
    return true;
  }

  void execute(const user_regs_struct& registers, const process::Step& step, bool is_first) override {
    has_jumped_ = step.jumps_anywhere;
    is_system_call_ = step.kind == process::Step::Kind::Syscall;
    address_ = registers.rip;
    if (is_first && image_.marks(registers.rip) != nullptr) recorder_.mark(registers.rip);
    if (tracer_ != nullptr) tracer_->execute(registers, step, is_first);
  }

  void executed(const process::Counts& counts) override {
    counts_.instructions += counts.instructions;
    counts_.loads += counts.loads;
    counts_.stores += counts.stores;
    if (profiler_ != nullptr) profiler_->add(address_, counts);
    if (tracer_ != nullptr) tracer_->executed(recorder_.call());
  }

  [[nodiscard]] PacketCount end(const LiveProcess::WalkEnd& end) {
    using How = LiveProcess::WalkEnd::How;
    if (end.how == How::Gone) ending_ = Ending::Ended;
    // The call that ended the program was executed, though it has not come back.
    if (end.how == How::Gone && is_system_call_) executed({.instructions = 1});
    if (end.how == How::Signal) ending_ = Ending::Signal;
    if (end.how == How::NotDecoded) ending_ = Ending::NotDecoded;
    PacketCount packet = recorder_.end(ending_, counts_);
    if (end.signal != 0) packet.signal = process::signal_name(end.signal);
    if (end.at != 0) packet.at = image_.describe(end.at);
    return packet;
  }

 private:
  struct Frame {
    std::uint64_t function = 0;
    std::uint64_t rsp = 0;  // where its return address is
    std::uint64_t return_address = 0;
  };

  void push(const user_regs_struct& registers) {
    frames_.push_back({registers.rip, registers.rsp, read_word(thread_, registers.rsp).value_or(0)});
  }

  void enter(const user_regs_struct& registers) {
    const auto same = std::ranges::find_if(frames_, [&](const Frame& frame) {
      return frame.function == registers.rip && frame.rsp == registers.rsp;
    });
    if (same == frames_.end()) {
      push(registers);
      const std::optional<std::uint32_t> structure = image_.method(registers.rip)->structure;
      const std::uint64_t handle =
          structure ? arguments_of(process::from_general(registers)).at(*structure) : 0;
      recorder_.enter(registers.rip, handle, counts_);
      return;
    }
    while (frames_.end() - same > 1) {
      frames_.pop_back();
      recorder_.leave(std::nullopt, counts_);
    }
  }

  pid_t thread_;
  const Image& image_;
  Recorder& recorder_;
  Profiler* profiler_;
  Tracer* tracer_;
  std::uint64_t address_ = 0;  // of the instruction that is executed
  std::vector<Frame> frames_;  // the entry's first
  bool is_system_call_ = false;
  bool has_jumped_ = false;  // the last instruction, to anywhere
  process::Counts counts_;
  Ending ending_{};
};

class Counter {
 public:
  Counter(const Options& options, LiveProcess& program, const Sink& sink, Diagnostics& diagnostics)
      : options_(options),
        program_(program),
        sink_(sink),
        diagnostics_(diagnostics),
        image_(program.tracee().pid, options.packs),
        structures_(image_),
        recorder_(image_, structures_),
        tracer_(program, image_, options) {
    const process::Tracee& tracee = program.tracee();
    image_.read(tracee.modules, tracee.mappings, tracee.entry, diagnostics);
  }

  Result<void> run() {
    if (auto fit = image_.check_packs(diagnostics_); !fit) return fit;
    return options_.capture.empty() ? run_program() : run_capture();
  }

  [[nodiscard]] Profile profile() const { return profiler_.profile(image_.modules()); }

 private:
  Result<void> run_program() {
    process::RunEnd end = process::Reached{program_.thread()};
    std::size_t calls = 0;
    for (; std::holds_alternative<process::Reached>(end); ++calls) {
      (void)count_call();
      end = program_.run_on();
    }
    return report_end(options_, end, calls, program_.tracee().output(), diagnostics_);
  }

  Result<void> run_capture() {
    const auto packets = packet::read_capture(options_.capture, {}, diagnostics_);
    if (!packets) return std::unexpected(packets.error());
    const x86::Registers first = process::read_registers(program_.thread());
    std::array<std::uint8_t, kWord> return_address{};
    (void)read(first.gpr[x86::Rsp], return_address);
    std::size_t number = 0;
    for (const packet::CapturedPacket& packet : *packets) {
      ++number;
      if (auto given = give(packet, number, first); !given) return given;
      if (!program_.write_memory(first.gpr[x86::Rsp], return_address) || !count_call()) break;
    }
    return {};
  }

  bool read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
    return process::read_memory(program_.thread(), address, bytes);
  }

  // Has the thread stand at the entry with this packet, the others of its registers as in the first call.
  Result<void> give(const packet::CapturedPacket& packet, std::size_t number, const x86::Registers& first) {
    Arguments arguments = arguments_of(first);
    const ReadMemory read_bytes = [this](auto address, auto bytes) { return read(address, bytes); };
    const WriteMemory write_bytes = [this](auto address, auto bytes) {
      return program_.write_memory(address, bytes);
    };
    const std::uint64_t at = packet_address(options_.entry, arguments, read_bytes).value_or(0);
    x86::Registers registers = first;
    const bool given = packet.bytes.size() <= room_at(at) &&
                       give_packet(options_.entry, packet, arguments, read_bytes, write_bytes);
    for (std::size_t i = 0; i < arguments.size(); ++i) registers.gpr[x86::kArguments[i]] = arguments[i];
    if (given && program_.write_registers(registers)) return {};
    return std::unexpected(diagnostics_.report(diag::kCannotGive, {}, number, packet.bytes.size(),
                                               options_.launch.program, image_.describe(at)));
  }

  // Bytes to the end of the variable, or else of the memory.
  std::uint64_t room_at(std::uint64_t address) const {
    const process::Mapping* mapping = process::find_mapping(program_.tracee().mappings, address);
    if (mapping == nullptr || !mapping->writable) return 0;
    const std::uint64_t room = mapping->end - address;
    const process::Symbol* symbol = image_.modules().symbol_of(address);
    if (symbol == nullptr || address - symbol->address >= symbol->size) return room;
    return std::min(room, symbol->address + symbol->size - address);
  }

  // False where the call did not end in a place from where another can be made.
  bool count_call() {
    const x86::Registers registers = process::read_registers(program_.thread());
    const Arguments arguments = arguments_of(registers);
    const ReadMemory read_bytes = [this](auto address, auto bytes) { return read(address, bytes); };
    std::optional<packet::Bytes> bytes = packet_of(options_.entry, arguments, read_bytes);
    const bool traces = options_.wants_accesses || options_.wants_trace;
    if (traces)
      tracer_.begin(registers.gpr[x86::Rsp],
                    packet_address(options_.entry, arguments, read_bytes).value_or(0),
                    bytes ? bytes->size() : 0);
    recorder_.begin(std::move(bytes));
    Call call(program_.thread(), image_, recorder_, options_.wants_profile ? &profiler_ : nullptr,
              traces ? &tracer_ : nullptr);
    PacketCount packet = call.end(program_.walk(call));
    if (packet.ending == Ending::Returned)
      packet.result = static_cast<std::uint32_t>(process::read_registers(program_.thread()).gpr[x86::Rax]);
    tracer_.end(packet);
    sink_(packet);
    return packet.ending == Ending::Returned;
  }

  const Options& options_;
  LiveProcess& program_;
  const Sink& sink_;
  Diagnostics& diagnostics_;
  Image image_;
  Structures structures_;
  Recorder recorder_;
  Profiler profiler_;
  Tracer tracer_;
};

}  // namespace

Result<Profile> count_by_stepping(const Options& options, const Sink& sink, Diagnostics& diagnostics) {
  const auto program = LiveProcess::start(options.launch, diagnostics);
  if (!program) return std::unexpected(program.error());
  Counter counter(options, **program, sink, diagnostics);
  const Result<void> counted = counter.run();
  if (!counted) return std::unexpected(counted.error());
  return counter.profile();
}

}  // namespace perfpact::count
