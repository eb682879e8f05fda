// Packets as people write them, to bytes: headers by name with their fields, hex, captures.
//
// Known protocols and their fields, as scapy and Wireshark name them (other accepted names in brackets):
//   ethernet  dst src type [ethertype]
//   vlan      pcp [prio] dei vid [id vlan] type
//   arp       hwtype ptype hwlen plen op hwsrc psrc hwdst pdst
//   ipv4      version ihl tos len [length] id flags frag ttl proto [protocol] chksum [checksum] src dst
//   ipv6      version tc fl plen nh [next_header] hlim [hop_limit] src dst
//   icmp      type code chksum [checksum] id seq         after ipv6: ICMPv6 echo
//   tcp       sport dport seq ack dataofs reserved flags window chksum [checksum] urgptr
//   udp       sport dport len [length] chksum [checksum]
//   mpls      label cos [tc exp] s ttl
//   gre       chksum_present reserved0 key_present seqnum_present reserved1 version proto [protocol]
//   vxlan     flags reserved1 vni reserved2
// Options and optional words (IPv4, TCP, GRE) are no fields; they can be given as hex.
// Tested by tests/packet/.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/number.h"

namespace perfpact::packet {

using Bytes = std::vector<std::uint8_t>;

struct FieldLayout {
  std::string name;
  unsigned width = 0;  // bits
};
/// The fixed part of a header, fields in wire order. A header type of a P4 program or a known protocol.
struct HeaderLayout {
  std::string name;
  std::vector<FieldLayout> fields;
  [[nodiscard]] unsigned bits() const;
};

/// A field value by name; the value is kept as written (number, MAC, IPv4 or IPv6 address).
struct FieldValue {
  std::string name;
  std::string value;
  Span name_span;
  Span value_span;
};
struct HeaderValue {
  std::string name;
  std::vector<FieldValue> fields;
  Span span;
};

/// ethernet, vlan, arp, ipv4, ipv6, icmp, tcp, udp, mpls, gre, vxlan.
[[nodiscard]] std::span<const HeaderLayout> known_protocols();

/// Headers one after the other, then the payload. A name in `program_headers` (by type name) comes before a
/// known protocol of the same name. Fields not given of a known protocol: the usual value where the next
/// header or the lengths fix it (ethertype, protocol, version, ihl, total length, data offset, UDP length,
/// UDP port of vxlan, bottom of an MPLS stack, IPv4/TCP/UDP/ICMP checksum), the usual constant for ttl and
/// hop limit (64) and in arp, 59 (nothing follows) for the next header of an ipv6 that no known one follows,
/// else 0. TCP, UDP and ICMPv6 checksums need ipv4 or ipv6 right before the header and stay 0 otherwise.
/// Fields not given of a program's header: 0. Reports packet-unknown-header, packet-unknown-field (with
/// suggestions), packet-field-twice, packet-value-too-wide, packet-address-width, packet-bad-value,
/// packet-not-bytes.
[[nodiscard]] Result<Bytes> build(std::span<const HeaderValue> headers, std::span<const std::uint8_t> payload,
                                  std::span<const HeaderLayout> program_headers, Diagnostics& diagnostics);

/// Hex digits, white space and ':' between them; an even number. Reports packet-bad-hex.
[[nodiscard]] Result<Bytes> parse_hex(std::string_view text, const Span& span, Diagnostics& diagnostics);
[[nodiscard]] std::string to_hex(std::span<const std::uint8_t> bytes);

struct ParsedValue {
  Integer value;
  std::optional<unsigned> natural_width;  // 48, 32, 128 for addresses
};
/// Decimal, 0x, 0b, 0o, a MAC (48 bits), an IPv4 (32) or IPv6 (128) address; nothing when it is none of them.
[[nodiscard]] std::optional<ParsedValue> parse_value(std::string_view text);

}  // namespace perfpact::packet
