#include "process/stepper.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <csignal>

#include "process/mappings.h"
#include "process/ptrace.h"
#include "x86/decode.h"

namespace perfpact::process {
namespace {

Step::Kind kind_of(const x86::Instruction& instruction) {
  using Kind = Step::Kind;
  switch (instruction.decoded.mnemonic) {
    case ZYDIS_MNEMONIC_RDTSC:
    case ZYDIS_MNEMONIC_RDTSCP:
      return Kind::Time;
    case ZYDIS_MNEMONIC_SYSCALL:
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_INT:
      return Kind::Syscall;
    case ZYDIS_MNEMONIC_INT1:
    case ZYDIS_MNEMONIC_INT3:
      return Kind::Traps;
    case ZYDIS_MNEMONIC_PUSHF:
    case ZYDIS_MNEMONIC_PUSHFQ:
      return Kind::PushFlags;
    default:
      break;
  }
  if (!instruction.repeats()) return Kind::Plain;
  return instruction.decoded.address_width == 32 ? Kind::Repeats32 : Kind::Repeats;
}

bool jumps_anywhere(const x86::Instruction& instruction) {
  return instruction.decoded.meta.category == ZYDIS_CATEGORY_RET ||
         (instruction.decoded.meta.category == ZYDIS_CATEGORY_UNCOND_BR &&
          instruction.operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE);
}

}  // namespace

Step decode_step(std::span<const std::uint8_t> bytes, std::uint64_t address) {
  const std::optional<x86::Instruction> instruction = x86::decode(bytes, address);
  if (!instruction) return {.kind = Step::Kind::NoInstruction};
  return {.kind = kind_of(*instruction),
          .loads = instruction->loads,
          .stores = instruction->stores,
          .length = instruction->decoded.length,
          .is_rdtscp = instruction->decoded.mnemonic == ZYDIS_MNEMONIC_RDTSCP,
          .jumps_anywhere = jumps_anywhere(*instruction)};
}

namespace {

// The bytes of an instruction: fewer than the longest has where what follows is not readable.
template <class Read>
Step read_step_by(std::uint64_t address, const Read& read) {
  std::array<std::uint8_t, x86::kLongestInstruction> bytes{};
  constexpr std::uint64_t kPage = 4096;
  std::size_t size = bytes.size();
  if (!read(address, std::span(bytes))) {
    size = std::min<std::size_t>(size, kPage - address % kPage);
    if (!read(address, std::span(bytes).first(size))) size = 0;
  }
  return decode_step(std::span(bytes).first(size), address);
}

class Stepper {
 public:
  Stepper(pid_t pid, const ReplayOptions& options, StepCache& cache, std::span<const Input::Bytes> changed)
      : pid_(pid), options_(options), cache_(cache), changed_(changed), memory_(pid) {
    for (const Cut& cut : options.cuts) cuts_.try_emplace(cut.function, CutState{&cut, 0});
  }

  Run run() {
    if (!read_general(pid_, registers_)) return finish(Run::Ending::Exited);
    const std::uint64_t behind_return = registers_.rsp + sizeof(std::uint64_t);
    const std::optional<std::uint64_t> return_address = read_word(registers_.rsp);
    std::optional<Run::Ending> ending;
    while (!ending) {
      if (registers_.rip == return_address && registers_.rsp == behind_return)
        return finish(Run::Ending::Returned);
      const auto cut = cuts_.find(registers_.rip);
      ending = cut != cuts_.end() ? pass_over(cut->second) : execute();
    }
    return finish(*ending);
  }

 private:
  using Ending = std::optional<Run::Ending>;
  struct CutState {
    const Cut* cut;
    std::size_t calls;
  };

  Run finish(Run::Ending ending) {
    run_.ending = ending;
    if (ending != Run::Ending::Exited) run_.registers = read_registers(pid_);
    return std::move(run_);
  }

  std::optional<std::uint64_t> read_word(std::uint64_t address) const {
    std::array<std::uint8_t, sizeof(std::uint64_t)> bytes{};
    if (!read_memory(pid_, address, bytes)) return std::nullopt;
    return std::bit_cast<std::uint64_t>(bytes);
  }

  // At the first instruction of a function that is cut.
  Ending pass_over(CutState& state) {
    const Cut::Result result = state.cut->result(state.calls++, read_registers(pid_));
    const std::optional<std::uint64_t> return_address = read_word(registers_.rsp);
    if (!return_address) return fault();
    registers_.rsp += sizeof(std::uint64_t);
    registers_.rip = *return_address;
    x86::Registers after = from_general(registers_);
    for (std::size_t i = 0; i < x86::kGprs; ++i) after.gpr[i] = result.gpr[i].value_or(after.gpr[i]);
    to_general(after, registers_);
    for (const Input::Bytes& bytes : result.memory)
      if (!memory_.write(bytes.address, bytes.bytes)) return fault();
    return write_general(pid_, registers_) ? Ending() : Run::Ending::Exited;
  }

  Ending fault() {
    run_.signal = SIGSEGV;
    return Run::Ending::Signal;
  }

  Step step_at(std::uint64_t address) {
    const bool is_changed = std::ranges::any_of(changed_, [&](const Input::Bytes& bytes) {
      return address < bytes.address + bytes.bytes.size() &&
             bytes.address < address + x86::kLongestInstruction;
    });
    const Step* kept = is_changed ? nullptr : cache_.find(address);
    return kept != nullptr ? *kept : read_step(pid_, address);
  }

  // One instruction, or one iteration of one that repeats.
  Ending execute() {
    if (run_.counts.instructions == options_.instructions) return Run::Ending::Limit;
    const std::uint64_t address = registers_.rip;
    const Step step = step_at(address);
    if (step.kind == Step::Kind::Syscall) return Run::Ending::Syscall;
    const bool no_iteration = has_no_iteration(step, registers_);
    const Ending ending =
        step.kind == Step::Kind::Time && options_.time ? give_time(step) : single_step(step.kind);
    if (ending) return ending;
    if (step.kind == Step::Kind::NoInstruction) return Run::Ending::NotDecoded;
    if (step.kind == Step::Kind::PushFlags) hide_trap_flag(memory_, pid_, registers_);
    ++run_.counts.instructions;
    if (!no_iteration) {
      run_.counts.loads += step.loads;
      run_.counts.stores += step.stores;
    }
    if (options_.wants_addresses) run_.addresses.push_back(address);
    return std::nullopt;
  }

  Ending give_time(const Step& step) {
    const std::uint64_t time = options_.time(times_++);
    registers_.rax = static_cast<std::uint32_t>(time);
    registers_.rdx = time >> 32;
    if (step.is_rdtscp) registers_.rcx = 0;
    registers_.rip += step.length;
    return write_general(pid_, registers_) ? Ending() : Run::Ending::Exited;
  }

  Ending single_step(Step::Kind kind) {
    std::optional<int> status;
    do {
      if (ptrace(PTRACE_SINGLESTEP, pid_, nullptr, nullptr) != 0) return Run::Ending::Exited;
      status = wait_for(pid_);
      if (!status || !WIFSTOPPED(*status)) return Run::Ending::Exited;
    } while (*status >> 16 == PTRACE_EVENT_STOP);  // a stop signal from outside: nothing was executed
    const int signal = WSTOPSIG(*status);
    if (signal != SIGTRAP || kind == Step::Kind::Traps) {
      run_.signal = signal;
      return Run::Ending::Signal;
    }
    return read_general(pid_, registers_) ? Ending() : Run::Ending::Exited;
  }

  pid_t pid_;
  const ReplayOptions& options_;
  StepCache& cache_;
  std::span<const Input::Bytes> changed_;
  MemoryWriter memory_;
  std::unordered_map<std::uint64_t, CutState> cuts_;
  user_regs_struct registers_{};
  std::size_t times_ = 0;
  Run run_;
};

}  // namespace

Step read_step(pid_t pid, std::uint64_t address) {
  return read_step_by(address, [pid](std::uint64_t at, std::span<std::uint8_t> bytes) {
    return read_memory(pid, at, bytes);
  });
}

bool has_no_iteration(const Step& step, const user_regs_struct& registers) {
  return (step.kind == Step::Kind::Repeats && registers.rcx == 0) ||
         (step.kind == Step::Kind::Repeats32 && static_cast<std::uint32_t>(registers.rcx) == 0);
}

void hide_trap_flag(const MemoryWriter& memory, pid_t pid, const user_regs_struct& registers) {
  constexpr std::uint8_t kTrap = 1;  // of the second byte
  std::array<std::uint8_t, 1> second{};
  if (!read_memory(pid, registers.rsp + 1, second)) return;
  second[0] &= static_cast<std::uint8_t>(~kTrap);
  (void)memory.write(registers.rsp + 1, second);
}

const Step* StepCache::find(std::uint64_t address) {
  if (const auto found = steps_.find(address); found != steps_.end()) return &found->second;
  const Mapping* mapping = find_mapping(mappings_, address);
  if (mapping == nullptr || !mapping->executable || mapping->writable) return nullptr;
  const Step step = read_step_by(
      address, [this](std::uint64_t at, std::span<std::uint8_t> bytes) { return memory_.read(at, bytes); });
  return &steps_.emplace(address, step).first->second;
}

Run step_to_return(pid_t pid, const ReplayOptions& options, StepCache& cache,
                   std::span<const Input::Bytes> changed) {
  return Stepper(pid, options, cache, changed).run();
}

}  // namespace perfpact::process
