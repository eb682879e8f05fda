// Sources: IEEE 802.3 and 802.1Q, RFC 791 (IPv4), 768 (UDP), 792 (ICMP), 826 (ARP), 2784 and 2890 (GRE), 3032
// (MPLS), 4443 (ICMPv6), 7348 (VXLAN), 8200 (IPv6), 9293 (TCP); the numbers are IANA's.
#include "packet/protocols.h"

#include <algorithm>

namespace perfpact::packet {
namespace {

constexpr std::optional<std::uint16_t> kNone = std::nullopt;

std::vector<Protocol> make_protocols() {
  using enum Numbering;
  // The last member of each: ethertype, IPv4 protocol, IPv6 next header, UDP port, bottom-of-stack bit before
  // it.
  return {
      {.layout = {"ethernet", {{"dst", 48}, {"src", 48}, {"type", 16}}},
       .aliases = {{"ethertype", "type"}},
       .next = NextHeaderField{"type", Ethertype},
       .numbers = {0x6558, kNone, kNone, kNone, kNone}},
      {.layout = {"vlan", {{"pcp", 3}, {"dei", 1}, {"vid", 12}, {"type", 16}}},
       .aliases = {{"prio", "pcp"}, {"id", "vid"}, {"vlan", "vid"}, {"ethertype", "type"}},
       .next = NextHeaderField{"type", Ethertype},
       .numbers = {0x8100, kNone, kNone, kNone, kNone}},
      {.layout = {"arp",
                  {{"hwtype", 16},
                   {"ptype", 16},
                   {"hwlen", 8},
                   {"plen", 8},
                   {"op", 16},
                   {"hwsrc", 48},
                   {"psrc", 32},
                   {"hwdst", 48},
                   {"pdst", 32}}},
       .constants = {{"hwtype", 1}, {"ptype", 0x0800}, {"hwlen", 6}, {"plen", 4}, {"op", 1}},
       .numbers = {0x0806, kNone, kNone, kNone, kNone}},
      {.layout = {"ipv4",
                  {{"version", 4},
                   {"ihl", 4},
                   {"tos", 8},
                   {"len", 16},
                   {"id", 16},
                   {"flags", 3},
                   {"frag", 13},
                   {"ttl", 8},
                   {"proto", 8},
                   {"chksum", 16},
                   {"src", 32},
                   {"dst", 32}}},
       .aliases = {{"length", "len"}, {"protocol", "proto"}, {"checksum", "chksum"}},
       .constants = {{"version", 4}, {"ihl", 5}, {"ttl", 64}},
       .next = NextHeaderField{"proto", Ipv4Protocol},
       .length = LengthField{"len", true},
       .checksum = ChecksumField{"chksum", ChecksumKind::HeaderOnly},
       .numbers = {0x0800, 4, 4, kNone, kNone}},
      {.layout = {"ipv6",
                  {{"version", 4},
                   {"tc", 8},
                   {"fl", 20},
                   {"plen", 16},
                   {"nh", 8},
                   {"hlim", 8},
                   {"src", 128},
                   {"dst", 128}}},
       .aliases = {{"next_header", "nh"}, {"hop_limit", "hlim"}},
       .constants = {{"version", 6}, {"hlim", 64}},
       .next = NextHeaderField{"nh", Ipv6NextHeader, 59},
       .length = LengthField{"plen", false},
       .numbers = {0x86dd, 41, 41, kNone, kNone}},
      {.layout = {"icmp", {{"type", 8}, {"code", 8}, {"chksum", 16}, {"id", 16}, {"seq", 16}}},
       .aliases = {{"checksum", "chksum"}},
       .checksum = ChecksumField{"chksum", ChecksumKind::Icmp},
       .numbers = {kNone, 1, 58, kNone, kNone}},
      {.layout = {"tcp",
                  {{"sport", 16},
                   {"dport", 16},
                   {"seq", 32},
                   {"ack", 32},
                   {"dataofs", 4},
                   {"reserved", 4},
                   {"flags", 8},
                   {"window", 16},
                   {"chksum", 16},
                   {"urgptr", 16}}},
       .aliases = {{"checksum", "chksum"}},
       .constants = {{"dataofs", 5}},
       .checksum = ChecksumField{"chksum", ChecksumKind::Segment},
       .numbers = {kNone, 6, 6, kNone, kNone}},
      {.layout = {"udp", {{"sport", 16}, {"dport", 16}, {"len", 16}, {"chksum", 16}}},
       .aliases = {{"length", "len"}, {"checksum", "chksum"}},
       .next = NextHeaderField{"dport", UdpPort},
       .length = LengthField{"len", true},
       .checksum = ChecksumField{"chksum", ChecksumKind::ZeroIsNone},
       .numbers = {kNone, 17, 17, kNone, kNone}},
      {.layout = {"mpls", {{"label", 20}, {"cos", 3}, {"s", 1}, {"ttl", 8}}},
       .aliases = {{"tc", "cos"}, {"exp", "cos"}},
       .constants = {{"ttl", 64}},
       .next = NextHeaderField{"s", MplsBottom, 1},
       .numbers = {0x8847, 137, 137, kNone, 0}},
      {.layout = {"gre",
                  {{"chksum_present", 1},
                   {"reserved0", 1},
                   {"key_present", 1},
                   {"seqnum_present", 1},
                   {"reserved1", 9},
                   {"version", 3},
                   {"proto", 16}}},
       .aliases = {{"protocol", "proto"}},
       .next = NextHeaderField{"proto", Ethertype},
       .numbers = {kNone, 47, 47, kNone, kNone}},
      {.layout = {"vxlan", {{"flags", 8}, {"reserved1", 24}, {"vni", 24}, {"reserved2", 8}}},
       .constants = {{"flags", 0x08}},
       .numbers = {kNone, kNone, kNone, 4789, kNone}},
  };
}

}  // namespace

std::span<const Protocol> protocols() {
  static const std::vector<Protocol> kProtocols = make_protocols();
  return kProtocols;
}

const Protocol* find_protocol(std::string_view name) {
  const auto all = protocols();
  const auto found =
      std::ranges::find(all, name, [](const Protocol& p) { return std::string_view(p.layout.name); });
  return found == all.end() ? nullptr : &*found;
}

std::span<const HeaderLayout> known_protocols() {
  static const std::vector<HeaderLayout> kLayouts = [] {
    std::vector<HeaderLayout> layouts;
    for (const Protocol& protocol : protocols()) layouts.push_back(protocol.layout);
    return layouts;
  }();
  return kLayouts;
}

unsigned HeaderLayout::bits() const {
  unsigned sum = 0;
  for (const FieldLayout& field : fields) sum += field.width;
  return sum;
}

}  // namespace perfpact::packet
