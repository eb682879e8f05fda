#include <arpa/inet.h>

#include <cctype>

#include "packet/packet.h"

namespace perfpact::packet {
namespace {

// Six groups of one or two hex digits with ':' between them.
std::optional<Integer> parse_mac(std::string_view text) {
  Integer value = 0;
  unsigned groups = 0;
  unsigned group = 0;
  unsigned digits = 0;
  auto close_group = [&] {
    value = (value << 8) + group;
    ++groups;
    return digits == 1 || digits == 2;
  };
  for (char c : text) {
    if (c == ':') {
      if (!close_group()) return std::nullopt;
      group = digits = 0;
      continue;
    }
    if (!std::isxdigit(static_cast<unsigned char>(c)) || ++digits > 2) return std::nullopt;
    group = group * 16 + static_cast<unsigned>(std::isdigit(static_cast<unsigned char>(c))
                                                   ? c - '0'
                                                   : std::tolower(static_cast<unsigned char>(c)) - 'a' + 10);
  }
  if (!close_group() || groups != 6) return std::nullopt;
  return value;
}

template <std::size_t Size>
std::optional<Integer> parse_internet_address(int family, const std::string& text) {
  std::array<std::uint8_t, Size> bytes{};
  if (inet_pton(family, text.c_str(), bytes.data()) != 1) return std::nullopt;
  Integer value = 0;
  for (std::uint8_t byte : bytes) value = (value << 8) + byte;
  return value;
}

}  // namespace

std::optional<ParsedValue> parse_value(std::string_view text) {
  if (auto number = parse_integer(text)) return ParsedValue{std::move(*number), std::nullopt};
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  if (auto mac = parse_mac(text)) return ParsedValue{std::move(*mac), 48};
  const std::string address(text);
  if (auto ipv4 = parse_internet_address<4>(AF_INET, address)) return ParsedValue{std::move(*ipv4), 32};
  if (auto ipv6 = parse_internet_address<16>(AF_INET6, address)) return ParsedValue{std::move(*ipv6), 128};
  return std::nullopt;
}

}  // namespace perfpact::packet
