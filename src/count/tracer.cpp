#include "count/tracer.h"

#include "process/mappings.h"
#include "process/ptrace.h"

namespace perfpact::count {

void Tracer::begin(std::uint64_t stack, std::uint64_t packet, std::uint64_t length) {
  stack_ = stack;
  packet_ = packet;
  length_ = length;
  accesses_.clear();
  trace_.clear();
  const std::vector<process::Mapping> mappings = process::read_mappings(image_.pid());
  const process::Mapping* mapping = process::find_mapping(mappings, stack);
  stack_mapping_ = mapping != nullptr ? std::optional(*mapping) : std::nullopt;
}

void Tracer::execute(const user_regs_struct& registers, const process::Step& step, bool is_first) {
  pending_ = {.address = registers.rip, .length = step.length, .is_further_iteration = !is_first};
  const bool accesses = step.loads + step.stores != 0 && !process::has_no_iteration(step, registers);
  if (!options_.wants_trace && !accesses) return;
  if (!program_.read_code(registers.rip, std::span(pending_.bytes).first(step.length))) return;
  if (!accesses) return;
  if (const auto instruction = x86::decode(pending_.code(), registers.rip))
    pending_.accesses = x86::accesses(*instruction, process::from_general(registers));
}

void Tracer::executed(std::optional<std::size_t> call) {
  if (options_.wants_accesses && !pending_.accesses.empty()) {
    const std::string instruction = image_.describe(pending_.address);
    for (const x86::Access& access : pending_.accesses)
      accesses_.push_back({.address = access.address,
                           .bytes = access.bytes,
                           .is_store = access.is_store,
                           .place = place_of(access.address),
                           .instruction = instruction,
                           .call = call});
  }
  if (options_.wants_trace) trace_.push_back(std::move(pending_));
}

void Tracer::end(PacketCount& packet) {
  packet.accesses = std::move(accesses_);
  packet.trace = std::move(trace_);
}

std::string Tracer::place_of(std::uint64_t address) {
  if (address >= packet_ && address - packet_ < length_)
    return fmt::format("packet+{:#x}", address - packet_);
  if (stack_mapping_ && stack_mapping_->begin <= address && address < stack_mapping_->end) {
    const bool is_below = address < stack_;
    return fmt::format("stack{}{:#x}", is_below ? '-' : '+', is_below ? stack_ - address : address - stack_);
  }
  const process::Symbol* symbol = image_.modules().symbol_of(address);
  if (symbol != nullptr && address - symbol->address < symbol->size) return image_.describe(address);
  if (auto block = blocks_.name(address)) return *block;
  return image_.modules().at(address) != nullptr ? image_.describe(address) : "";
}

}  // namespace perfpact::count
