// The Internet checksums (RFC 1071) that headers carry over themselves and what follows: internal to the
// stage.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "packet/protocols.h"

namespace perfpact::packet {

/// Addresses and protocol that a checksum covers though they stand in the IP header in front.
struct PseudoHeader {
  std::size_t addresses = 0;  // offset in the packet
  std::size_t address_bytes = 0;
  std::uint16_t protocol = 0;
};

/// A checksum to fill in; all offsets are in bytes from the start of the packet.
struct Checksum {
  ChecksumKind kind{};
  std::size_t at = 0;     // of the checksum itself, 2 bytes
  std::size_t begin = 0;  // of its header
  std::size_t header_bytes = 0;
  std::optional<PseudoHeader> pseudo_header;
};

/// Computes the checksum over the packet as it stands and writes it. Those of inner headers come first, since
/// an outer one covers them.
void fill_in(const Checksum& checksum, std::span<std::uint8_t> packet);

}  // namespace perfpact::packet
