#include <cctype>

#include "packet/diagnostics.h"
#include "packet/packet.h"

namespace perfpact::packet {

Result<Bytes> parse_hex(std::string_view text, const Span& span, Diagnostics& diagnostics) {
  Bytes bytes;
  unsigned high = 0;
  bool half = false;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isspace(byte) || c == ':') continue;
    if (!std::isxdigit(byte))
      return std::unexpected(diagnostics.report(
          diag::kBadHex, span,
          std::isprint(byte) ? fmt::format("'{}' is no hex digit", c)
                             : fmt::format("byte 0x{:02x} is no hex digit", static_cast<unsigned>(byte))));
    const auto digit = static_cast<unsigned>(std::isdigit(byte) ? c - '0' : std::tolower(byte) - 'a' + 10);
    if (half) bytes.push_back(static_cast<std::uint8_t>(high << 4 | digit));
    high = digit;
    half = !half;
  }
  if (half) return std::unexpected(diagnostics.report(diag::kBadHex, span, "the number of digits is odd"));
  return bytes;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (std::uint8_t byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

}  // namespace perfpact::packet
