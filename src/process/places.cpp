#include "process/places.h"

#include <bit>
#include <charconv>

namespace perfpact::process {

std::optional<std::uint64_t> Places::address_of(std::string_view place) const {
  const std::size_t plus = place.find('+');
  std::uint64_t offset = 0;
  if (plus != std::string_view::npos) {
    std::string_view digits = place.substr(plus + 1);
    const int base = digits.starts_with("0x") ? 16 : 10;
    if (base == 16) digits.remove_prefix(2);
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), offset, base);
    if (error != std::errc() || end != digits.end()) return std::nullopt;
  }
  const std::vector<const Symbol*> symbols = find_symbols(place.substr(0, plus));
  if (symbols.empty()) return std::nullopt;
  return symbols.front()->address + offset;
}

std::vector<std::uint64_t> Places::addresses_of(std::string_view function) const {
  const bool is_pointed_to = function.starts_with('*');
  if (is_pointed_to || function.contains('+')) {
    const auto address = address_of(function.substr(is_pointed_to ? 1 : 0));
    if (!address) return {};
    if (!is_pointed_to) return {*address};
    std::array<std::uint8_t, sizeof(std::uint64_t)> pointer{};
    if (!read(*address, pointer)) return {};
    return {std::bit_cast<std::uint64_t>(pointer)};
  }
  std::vector<std::uint64_t> addresses;
  for (const Symbol* symbol : find_symbols(function))
    if (symbol->is_function) addresses.push_back(symbol->address);
  return addresses;
}

}  // namespace perfpact::process
