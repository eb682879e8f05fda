#include "explore/native/structures.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "process/places.h"

namespace perfpact::explore {
namespace {

constexpr std::uint64_t kMostScanned = std::uint64_t{64} << 20;  // bytes of a mapping

std::optional<std::uint64_t> read_word(const process::Process& process, std::uint64_t address) {
  std::array<std::uint8_t, sizeof(std::uint64_t)> bytes{};
  if (!process.read(address, bytes)) return std::nullopt;
  return std::bit_cast<std::uint64_t>(bytes);
}

process::Places places_of(const process::Process& process) {
  return {.find_symbols = [&process](std::string_view name) { return process.find_symbols(name); },
          .read = [&process](std::uint64_t address,
                             std::span<std::uint8_t> bytes) { return process.read(address, bytes); }};
}

}  // namespace

std::optional<std::uint64_t> address_of(const process::Process& process, std::string_view place) {
  return places_of(process).address_of(place);
}

std::vector<std::uint64_t> addresses_of(const process::Process& process, std::string_view function) {
  return places_of(process).addresses_of(function);
}

Structures::Structures(const process::Process& process, const std::vector<NamedStructure>& named)
    : process_(process) {
  for (const NamedStructure& one : named) {
    const std::optional<std::uint64_t> handle = handle_at(one.place);
    if (handle)
      names_.emplace(*handle, one.name);
    else
      wrong_.push_back(one);
  }
}

std::optional<std::uint64_t> Structures::handle_at(std::string_view place) const {
  if (place.empty()) return std::nullopt;
  std::string_view name = place.substr(1);
  if (name.starts_with('(') && name.ends_with(')')) name = name.substr(1, name.size() - 2);
  const std::optional<std::uint64_t> address = address_of(process_, name);
  if (!address || place.front() == '&') return address;
  return place.front() == '*' ? read_word(process_, *address) : std::nullopt;
}

const std::string& Structures::name(std::uint64_t handle) {
  const auto known = names_.find(handle);
  return known != names_.end() ? known->second : names_.emplace(handle, find(handle)).first->second;
}

std::optional<std::string> Structures::variable_at(std::uint64_t address) const {
  const process::Symbol* symbol = process_.symbol_of(address);
  if (symbol == nullptr || symbol->is_function || address - symbol->address >= symbol->size)
    return std::nullopt;
  return address == symbol->address ? symbol->name
                                    : fmt::format("{}+{:#x}", symbol->name, address - symbol->address);
}

std::string Structures::find(std::uint64_t handle) const {
  if (const std::optional<std::string> name = variable_at(handle)) return *name;
  for (const process::Mapping& mapping : process_.mappings()) {
    if (!mapping.readable || !mapping.writable || mapping.file.starts_with('[')) continue;
    if (mapping.end - mapping.begin > kMostScanned) continue;
    std::vector<std::uint8_t> bytes(mapping.end - mapping.begin);
    if (!process_.read(mapping.begin, bytes)) continue;
    for (std::size_t at = 0; at + sizeof handle <= bytes.size(); at += sizeof handle) {
      if (std::memcmp(bytes.data() + at, &handle, sizeof handle) != 0) continue;
      if (const std::optional<std::string> name = variable_at(mapping.begin + at)) return *name;
    }
  }
  return fmt::format("{:#x}", handle);
}

}  // namespace perfpact::explore
