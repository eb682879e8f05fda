// The table of known protocols: layout, other names of fields, and how fields that are not given are filled
// in.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "packet/packet.h"

namespace perfpact::packet {

/// Number spaces in which a header names the one that follows it.
enum class Numbering : std::uint8_t { Ethertype, Ipv4Protocol, Ipv6NextHeader, UdpPort, MplsBottom };
inline constexpr std::size_t kNumberings = 5;

struct NextHeaderField {
  std::string_view field;
  Numbering numbering;
  std::uint16_t otherwise = 0;  // when nothing follows that has a number there
};

/// A field that counts the bytes from the start of its header (or from its end) to the end of the packet.
struct LengthField {
  std::string_view field;
  bool counts_header;
};

enum class ChecksumKind : std::uint8_t {
  HeaderOnly,  // the header itself (IPv4)
  Segment,     // header and what follows, with the pseudo header of the IP header before it (TCP)
  ZeroIsNone,  // as Segment; a sum of 0 is sent as all ones (UDP)
  Icmp,        // header and what follows; with the pseudo header after ipv6 only
};
struct ChecksumField {
  std::string_view field;
  ChecksumKind kind;
};

struct Protocol {
  HeaderLayout layout;
  std::vector<std::pair<std::string_view, std::string_view>> aliases;  // other name -> field
  std::vector<std::pair<std::string_view, std::uint16_t>> constants;   // field -> value when not given
  std::optional<NextHeaderField> next;
  std::optional<LengthField> length;
  std::optional<ChecksumField> checksum;
  std::array<std::optional<std::uint16_t>, kNumberings>
      numbers;  // by Numbering: how others name this protocol
};

[[nodiscard]] std::span<const Protocol> protocols();
[[nodiscard]] const Protocol* find_protocol(std::string_view name);

}  // namespace perfpact::packet
