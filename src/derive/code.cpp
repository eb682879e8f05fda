#include "derive/code.h"

#include <algorithm>

#include "base/spelling.h"
#include "derive/diagnostics.h"
#include "explore/native/structures.h"
#include "process/elf.h"

namespace perfpact::derive {
namespace {

constexpr std::array<std::string_view, 10> kNeverReturn{
    "abort",          "exit",        "_exit",          "quick_exit",   "__assert_fail", "__stack_chk_fail",
    "__fortify_fail", "__cxa_throw", "_Unwind_Resume", "__cxa_rethrow"};

std::string file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

Code::Code(const process::Process& process, const std::vector<library::Method>& methods,
           Diagnostics& diagnostics, const timing::Cpu* cpu)
    : process_(process), cpu_(cpu) {
  for (const process::Process::Mark& mark : process.marks()) {
    if (mark.kind == "method") methods_.emplace(mark.address, mark.name);
    if (mark.kind == "pcv" || mark.kind == "outcome")
      marks_[mark.address].push_back({mark.kind == "outcome", mark.name});
  }
  for (const library::Method& method : methods) {
    const std::vector<std::uint64_t> addresses = explore::addresses_of(process, method.function);
    for (const std::uint64_t address : addresses) methods_.emplace(address, method.function);
    if (!addresses.empty()) add_loops(method, diagnostics);
  }
}

void Code::add_loops(const library::Method& method, Diagnostics& diagnostics) {
  for (const library::Place& loop : method.loops) {
    if (const auto address = explore::address_of(process_, loop.place))
      marks_[*address].push_back({false, loop.name, true});
    else
      diagnostics.report(diag::kUnknownPlace, loop.at, loop.place);
  }
  for (const library::Place& callback : method.callbacks) {
    const auto address = explore::address_of(process_, callback.place);
    const std::vector<std::uint64_t> function = explore::addresses_of(process_, callback.name);
    if (!address)
      diagnostics.report(diag::kUnknownPlace, callback.at, callback.place);
    else if (function.empty())
      diagnostics.report(diag::kUnknownPlace, callback.at, callback.name);
    else
      callbacks_.emplace(*address, function.front());
  }
}

std::optional<std::uint32_t> Code::latency(const x86::Instruction& instruction) const {
  std::vector<std::uint8_t> bytes(instruction.decoded.length);
  if (!process_.read(instruction.address, bytes)) return std::nullopt;
  return cpu_->latency(bytes, instruction.address);
}

const x86::Instruction* Code::at(std::uint64_t address) const {
  const auto [found, is_new] = decoded_.try_emplace(address);
  if (is_new) {
    std::array<std::uint8_t, x86::kLongestInstruction> bytes{};
    const process::Mapping* mapping = process_.mapping_of(address);
    if (mapping != nullptr && mapping->executable) {
      const std::span room =
          std::span(bytes).first(std::min<std::uint64_t>(bytes.size(), mapping->end - address));
      if (process_.read(address, room)) found->second = x86::decode(room, address);
    }
  }
  return found->second ? &*found->second : nullptr;
}

const std::vector<Mark>& Code::marks(std::uint64_t address) const {
  static const std::vector<Mark> kNone;
  const auto found = marks_.find(address);
  return found == marks_.end() ? kNone : found->second;
}

std::string_view Code::method(std::uint64_t address) const {
  const auto found = methods_.find(address);
  return found == methods_.end() ? std::string_view() : found->second;
}

std::optional<std::uint64_t> Code::target(const x86::Instruction& instruction) const {
  if (const auto told = callbacks_.find(instruction.address); told != callbacks_.end()) return told->second;
  const ZydisDecodedOperand& operand = instruction.operands[0];
  std::uint64_t address = 0;
  if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction.decoded, &operand, instruction.address, &address)))
    return std::nullopt;
  if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) return address;
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY ? bound_slot(address) : std::nullopt;
}

// Symbols are bound when the program is loaded: slots of the linker's tables keep what they hold then.
std::optional<std::uint64_t> Code::bound_slot(std::uint64_t slot) const {
  const process::Mapping* mapping = process_.mapping_of(slot);
  std::array<std::uint8_t, sizeof(std::uint64_t)> bytes{};
  if (mapping == nullptr || !process_.read(slot, bytes)) return std::nullopt;
  if (mapping->writable) {
    const auto elf = process::Elf::open(mapping->file);
    if (!elf) return std::nullopt;
    const std::uint64_t in_file = process_.relative(slot).second;
    const auto holds = [&](std::string_view name) {
      const auto section = (*elf)->section(name);
      return section && in_file >= section->address && in_file - section->address < section->size;
    };
    if (!holds(".got.plt") && !holds(".got")) return std::nullopt;
  }
  return std::bit_cast<std::uint64_t>(bytes);
}

bool Code::never_returns(std::uint64_t function) const {
  const process::Symbol* symbol = process_.symbol_of(function);
  return symbol != nullptr && symbol->address == function &&
         std::ranges::find(kNeverReturn, symbol->name) != std::end(kNeverReturn);
}

std::string Code::describe(std::uint64_t address) const {
  const std::string place = process_.describe(address);
  const std::optional<process::Location> location = process_.location(address);
  return location ? fmt::format("{}:{} ({})", file_name(location->file), location->line, place) : place;
}

}  // namespace perfpact::derive
