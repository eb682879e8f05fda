#include "process/process.h"

#include "process/diagnostics.h"
#include "process/lines.h"
#include "process/mappings.h"
#include "process/marks.h"
#include "process/memory.h"
#include "process/ptrace.h"
#include "process/replay.h"
#include "process/start.h"
#include "process/tracer_thread.h"

namespace perfpact::process {

struct Process::State {
  ~State() {
    replayer.reset();
    lines.reset();
    thread.run([this] { tracee.reset(); });
  }
  TracerThread thread;
  std::unique_ptr<Tracee> tracee;
  x86::Registers registers;
  std::optional<PageCache> memory;
  std::optional<Lines> lines;
  std::optional<Replayer> replayer;
  std::vector<Mark> marks;
  std::string output;
};

Process::Process(std::unique_ptr<State> state) : state_(std::move(state)) {}
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;
Process::~Process() = default;

Result<Process> Process::start(const Launch& launch, Diagnostics& diagnostics) {
  auto state = std::make_unique<State>();
  state->thread.run([&] {
    Result<std::unique_ptr<Tracee>> tracee = start_at_entry(launch, Purpose::Keep, diagnostics);
    if (!tracee) return;
    state->tracee = std::move(*tracee);
    state->registers = read_registers(state->tracee->thread);
    state->output = state->tracee->output();
  });
  if (!state->tracee) return std::unexpected(diagnostics.already_reported());
  const Tracee& tracee = *state->tracee;
  state->memory.emplace(tracee.thread);
  state->lines.emplace(tracee.modules);
  state->replayer.emplace(tracee, *state->memory);
  state->marks = read_marks(tracee.modules, *state->memory, diagnostics);
  (void)state->lines->location(tracee.entry);
  if (const auto fault = state->lines->fault(tracee.entry))
    diagnostics.report(diag::kBadDebugInformation, {}, tracee.modules.at(tracee.entry)->name, *fault);
  return Process(std::move(state));
}

std::uint64_t Process::entry() const {
  return state_->tracee->entry;
}

const x86::Registers& Process::registers() const {
  return state_->registers;
}

bool Process::read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  return state_->memory->read(address, bytes);
}

const std::vector<Mapping>& Process::mappings() const {
  return state_->tracee->mappings;
}

const Mapping* Process::mapping_of(std::uint64_t address) const {
  return find_mapping(mappings(), address);
}

Scratch Process::scratch() const {
  return state_->tracee->scratch;
}

const Symbol* Process::symbol_of(std::uint64_t address) const {
  return state_->tracee->modules.symbol_of(address);
}

std::vector<const Symbol*> Process::find_symbols(std::string_view name) const {
  return state_->tracee->modules.find_symbols(name);
}

std::string Process::describe(std::uint64_t address) const {
  return state_->tracee->modules.describe(address, mappings());
}

std::pair<std::uint32_t, std::uint64_t> Process::relative(std::uint64_t address) const {
  return state_->tracee->modules.relative(address);
}

std::optional<Location> Process::location(std::uint64_t address) const {
  return state_->lines->location(address);
}

const std::vector<Process::Mark>& Process::marks() const {
  return state_->marks;
}

Run Process::replay(const Input& input, const ReplayOptions& options) const {
  Run run;
  state_->thread.run([&] { run = state_->replayer->replay(input, options); });
  return run;
}

const std::string& Process::output() const {
  return state_->output;
}

}  // namespace perfpact::process
