#include "count/access_tracer.h"

#include "process/mappings.h"
#include "process/ptrace.h"

namespace perfpact::count {

void AccessTracer::begin(std::uint64_t stack, std::uint64_t packet, std::uint64_t length) {
  stack_ = stack;
  packet_ = packet;
  length_ = length;
  accesses_.clear();
  const std::vector<process::Mapping> mappings = process::read_mappings(image_.pid());
  const process::Mapping* mapping = process::find_mapping(mappings, stack);
  stack_mapping_ = mapping != nullptr ? std::optional(*mapping) : std::nullopt;
}

void AccessTracer::execute(const user_regs_struct& registers, const process::Step& step) {
  address_ = registers.rip;
  pending_.clear();
  if (step.loads + step.stores == 0 || process::has_no_iteration(step, registers)) return;
  std::array<std::uint8_t, x86::kLongestInstruction> bytes{};
  const std::span code = std::span(bytes).first(step.length);
  if (!program_.read_code(address_, code)) return;
  if (const auto instruction = x86::decode(code, address_))
    pending_ = x86::accesses(*instruction, process::from_general(registers));
}

void AccessTracer::executed(std::optional<std::size_t> call) {
  if (pending_.empty()) return;
  const std::string instruction = image_.describe(address_);
  for (const x86::Access& access : pending_)
    accesses_.push_back({.address = access.address,
                         .bytes = access.bytes,
                         .is_store = access.is_store,
                         .place = place_of(access.address),
                         .instruction = instruction,
                         .call = call});
}

std::string AccessTracer::place_of(std::uint64_t address) {
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
