// Sorts packets by what they carry: each class leaves by a port of its own (the list below), what is
// malformed is dropped. Understands Ethernet with up to two 802.1Q tags, ARP, IPv4 with options, IPv6 with up
// to four extension headers, TCP, UDP, ICMP, and VXLAN with the Ethernet and IPv4 headers inside it.
#include "nf.h"
#include "packet.h"
#include "perfpact.h"

enum class {
  ARP,
  IPV4_TCP,
  IPV4_UDP,
  IPV4_ICMP,
  IPV4_OTHER,
  IPV4_LATER_FRAGMENT,
  IPV6_TCP,
  IPV6_UDP,
  IPV6_ICMP,
  IPV6_OTHER,
  IPV6_LATER_FRAGMENT,
  VXLAN_IPV4,
  VXLAN_OTHER,
  OTHER_ETHERNET,
};

enum { MAX_TAGS = 2, TAG = 4, MAX_EXTENSIONS = 4 };
enum { ARP_HEADER = 8, IPV6_HEADER = 40, TCP_HEADER = 20, UDP_HEADER = 8, VXLAN_HEADER = 8, ICMP_HEADER = 8 };
enum {
  HOP_BY_HOP = 0,
  ICMP = 1,
  TCP = 6,
  UDP = 17,
  ROUTING = 43,
  FRAGMENT = 44,
  ICMP_6 = 58,
  DESTINATION = 60
};
enum { VXLAN_PORT = 4789, VXLAN_HAS_ID = 0x08 };

const char nf_options[] = "";

int nf_init(int argc, char** argv) {
  return nf_takes_no_options(argc, argv);
}

// The part of the packet that is not parsed yet.
struct rest {
  const uint8_t* at;
  uint32_t length;
};

static struct rest after(struct rest rest, uint32_t bytes) {
  return (struct rest){rest.at + bytes, rest.length - bytes};
}

static int parse_vxlan(struct rest rest) {
  if (rest.length < VXLAN_HEADER + ETHERNET_HEADER || (rest.at[0] & VXLAN_HAS_ID) == 0) return NF_DROP;
  struct rest inner = after(rest, VXLAN_HEADER);
  if (load_16(inner.at + ETHERNET_TYPE) != TYPE_IPV4) return VXLAN_OTHER;
  inner = after(inner, ETHERNET_HEADER);
  return ipv4_header_length(inner.at, inner.length) == 0 ? NF_DROP : VXLAN_IPV4;
}

// CLASS if a TCP header follows, with options that fit.
static int parse_tcp(struct rest rest, int class) {
  if (rest.length < TCP_HEADER) return NF_DROP;
  uint32_t header = (rest.at[12] >> 4) * 4u;
  return header < TCP_HEADER || header > rest.length ? NF_DROP : class;
}

static int parse_udp(struct rest rest, int class) {
  if (rest.length < UDP_HEADER) return NF_DROP;
  uint32_t length = load_16(rest.at + 4);
  if (length < UDP_HEADER || length > rest.length) return NF_DROP;
  if (load_16(rest.at + 2) != VXLAN_PORT) return class;
  return parse_vxlan((struct rest){rest.at + UDP_HEADER, length - UDP_HEADER});
}

static int parse_icmp(struct rest rest, int class) {
  return rest.length < ICMP_HEADER ? NF_DROP : class;
}

static int parse_ipv4(struct rest rest) {
  uint32_t header = ipv4_header_length(rest.at, rest.length);
  if (header == 0) return NF_DROP;
  if ((load_16(rest.at + IPV4_FRAGMENT) & 0x1fff) != 0) return IPV4_LATER_FRAGMENT;
  uint8_t protocol = rest.at[IPV4_PROTOCOL];
  rest.length = load_16(rest.at + IPV4_TOTAL_LENGTH);
  rest = after(rest, header);
  switch (protocol) {
    case TCP:
      return parse_tcp(rest, IPV4_TCP);
    case UDP:
      return parse_udp(rest, IPV4_UDP);
    case ICMP:
      return parse_icmp(rest, IPV4_ICMP);
    default:
      return IPV4_OTHER;
  }
}

static int parse_ipv6_payload(struct rest rest, uint8_t next) {
  switch (next) {
    case TCP:
      return parse_tcp(rest, IPV6_TCP);
    case UDP:
      return parse_udp(rest, IPV6_UDP);
    case ICMP_6:
      return parse_icmp(rest, IPV6_ICMP);
    default:
      return IPV6_OTHER;
  }
}

static bool is_extension(uint8_t next) {
  return next == HOP_BY_HOP || next == ROUTING || next == FRAGMENT || next == DESTINATION;
}

static int parse_ipv6(struct rest rest) {
  if (rest.length < IPV6_HEADER || rest.at[0] >> 4 != 6) return NF_DROP;
  uint8_t next = rest.at[6];
  uint32_t payload = load_16(rest.at + 4);
  rest = after(rest, IPV6_HEADER);
  if (payload > rest.length) return NF_DROP;
  rest.length = payload;
  for (uint32_t extensions = 0; is_extension(next); extensions++) {
    if (extensions == MAX_EXTENSIONS || (next == HOP_BY_HOP && extensions > 0) || rest.length < 8)
      return NF_DROP;
    if (next == FRAGMENT && (load_16(rest.at + 2) & 0xfff8) != 0) return IPV6_LATER_FRAGMENT;
    uint32_t size = next == FRAGMENT ? 8 : 8 + rest.at[1] * 8u;
    if (size > rest.length) return NF_DROP;
    PERFPACT_PCV(e);
    next = rest.at[0];
    rest = after(rest, size);
  }
  return parse_ipv6_payload(rest, next);
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  (void)port, (void)now_ns;
  if (length < ETHERNET_HEADER) return NF_DROP;
  uint16_t type = load_16(packet + ETHERNET_TYPE);
  struct rest rest = after((struct rest){packet, length}, ETHERNET_HEADER);
  for (uint32_t tags = 0; type == TYPE_VLAN; tags++) {
    if (tags == MAX_TAGS || rest.length < TAG) return NF_DROP;
    PERFPACT_PCV(v);
    type = load_16(rest.at + 2);
    rest = after(rest, TAG);
  }
  switch (type) {
    case TYPE_ARP:
      return rest.length < ARP_HEADER ? NF_DROP : ARP;
    case TYPE_IPV4:
      return parse_ipv4(rest);
    case TYPE_IPV6:
      return parse_ipv6(rest);
    default:
      return OTHER_ETHERNET;
  }
}
