#include "packet/checksums.h"

#include <algorithm>

namespace perfpact::packet {
namespace {

// The sum of 16-bit words, not yet folded.
std::uint64_t word_sum(std::span<const std::uint8_t> bytes) {
  std::uint64_t sum = 0;
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) sum += std::uint64_t{bytes[i]} << 8 | bytes[i + 1];
  if (i < bytes.size()) sum += std::uint64_t{bytes[i]} << 8;
  return sum;
}

std::uint16_t fold(std::uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

// Options, when ihl was given for them, stand at the start of what follows.
std::size_t header_length(const Checksum& checksum, std::span<const std::uint8_t> segment) {
  const std::size_t given = 4U * (segment[0] & 0x0fU);
  return std::min(std::max(given, checksum.header_bytes), segment.size());
}

}  // namespace

void fill_in(const Checksum& checksum, std::span<std::uint8_t> packet) {
  packet[checksum.at] = packet[checksum.at + 1] = 0;
  std::span<const std::uint8_t> segment = packet.subspan(checksum.begin);
  if (checksum.kind == ChecksumKind::HeaderOnly) segment = segment.first(header_length(checksum, segment));
  std::uint64_t sum = word_sum(segment);
  if (const auto& pseudo = checksum.pseudo_header)
    sum += word_sum(packet.subspan(pseudo->addresses, pseudo->address_bytes)) + pseudo->protocol +
           (segment.size() & 0xffff) + (segment.size() >> 16);
  std::uint16_t value = fold(sum);
  if (checksum.kind == ChecksumKind::ZeroIsNone && value == 0) value = 0xffff;
  packet[checksum.at] = static_cast<std::uint8_t>(value >> 8);
  packet[checksum.at + 1] = static_cast<std::uint8_t>(value & 0xff);
}

}  // namespace perfpact::packet
