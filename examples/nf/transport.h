// TCP and UDP packets over IPv4: what a flow is known by, and rewriting one of its ends. Fragments are none:
// their ports are not known.
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include "nflib/key.h"
#include "packet.h"

enum { PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, TCP_HEADER = 20, UDP_HEADER = 8 };
enum { TCP_CHECKSUM = 16, UDP_CHECKSUM = 6 };

struct transport {
  uint8_t* ip;
  uint8_t* ports;  // the TCP or UDP header
  uint8_t protocol;
};

// One of the two ends of a flow, by the offsets of its address and its port in their headers.
enum end { SOURCE, DESTINATION };

static inline bool parse_transport(uint8_t* packet, uint16_t length, struct transport* found) {
  if (length < ETHERNET_HEADER || load_16(packet + ETHERNET_TYPE) != TYPE_IPV4) return false;
  uint8_t* ip = packet + ETHERNET_HEADER;
  uint32_t header = ipv4_header_length(ip, length - ETHERNET_HEADER);
  if (header == 0 || (load_16(ip + IPV4_FRAGMENT) & IPV4_IS_FRAGMENT) != 0) return false;
  uint8_t protocol = ip[IPV4_PROTOCOL];
  uint32_t payload = load_16(ip + IPV4_TOTAL_LENGTH) - header;
  if (protocol != PROTOCOL_TCP && protocol != PROTOCOL_UDP) return false;
  if (payload < (protocol == PROTOCOL_TCP ? TCP_HEADER : UDP_HEADER)) return false;
  *found = (struct transport){ip, ip + header, protocol};
  return true;
}

static inline uint32_t address_of(const struct transport* packet, enum end end) {
  return load_32(packet->ip + IPV4_SOURCE + 4 * end);
}

static inline uint16_t port_of(const struct transport* packet, enum end end) {
  return load_16(packet->ports + 2 * end);
}

// The key of a packet between these ends.
static inline struct nf_key flow_key(uint32_t source, uint16_t source_port, uint32_t destination,
                                     uint16_t destination_port, uint8_t protocol) {
  return (struct nf_key){{(uint64_t)source << 32 | destination,
                          (uint64_t)source_port << 32 | (uint64_t)destination_port << 16 | protocol}};
}

static inline struct nf_key key_of(const struct transport* packet) {
  return flow_key(address_of(packet, SOURCE), port_of(packet, SOURCE), address_of(packet, DESTINATION),
                  port_of(packet, DESTINATION), packet->protocol);
}

// Replaces an end, and brings the checksums of IP and TCP or UDP up to date. A UDP checksum of 0, which says
// that there is none, stays.
static inline void replace_end(const struct transport* packet, enum end end, uint32_t address,
                               uint16_t port) {
  uint8_t* ip_checksum = packet->ip + IPV4_CHECKSUM;
  uint32_t change = replace_32(packet->ip + IPV4_SOURCE + 4 * end, address);
  store_16(ip_checksum, checksum_after(load_16(ip_checksum), change));

  change += replace_16(packet->ports + 2 * end, port);
  uint8_t* checksum = packet->ports + (packet->protocol == PROTOCOL_TCP ? TCP_CHECKSUM : UDP_CHECKSUM);
  uint16_t old = load_16(checksum);
  if (packet->protocol == PROTOCOL_UDP && old == 0) return;
  uint16_t new = checksum_after(old, change);
  if (packet->protocol == PROTOCOL_UDP && new == 0) new = UINT16_MAX;
  store_16(checksum, new);
}

#endif
