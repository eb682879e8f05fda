// Reading and writing packet bytes, and what the network functions share about Ethernet and IPv4.
#ifndef PACKET_H
#define PACKET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  ETHERNET_HEADER = 14,
  ETHERNET_TYPE = 12,
  TYPE_IPV4 = 0x0800,
  TYPE_ARP = 0x0806,
  TYPE_VLAN = 0x8100,
  TYPE_IPV6 = 0x86dd,
  IPV4_HEADER = 20,
};

// Offsets into an IPv4 header.
enum {
  IPV4_TOTAL_LENGTH = 2,
  IPV4_FRAGMENT = 6,
  IPV4_TTL = 8,
  IPV4_PROTOCOL = 9,
  IPV4_CHECKSUM = 10,
  IPV4_SOURCE = 12,
  IPV4_DESTINATION = 16,
};

// A packet is a fragment if one of these bits of IPV4_FRAGMENT is set: more fragments, or an offset.
enum { IPV4_IS_FRAGMENT = 0x3fff };

static inline uint16_t load_16(const uint8_t* bytes) {
  uint16_t value;
  memcpy(&value, bytes, sizeof value);
  return __builtin_bswap16(value);
}

static inline uint32_t load_32(const uint8_t* bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return __builtin_bswap32(value);
}

static inline void store_16(uint8_t* bytes, uint16_t value) {
  value = __builtin_bswap16(value);
  memcpy(bytes, &value, sizeof value);
}

static inline void store_32(uint8_t* bytes, uint32_t value) {
  value = __builtin_bswap32(value);
  memcpy(bytes, &value, sizeof value);
}

// The length in bytes of the IPv4 header at IP, of which AVAILABLE bytes are there; 0 if the header is not
// one: cut short, another version, a header or total length that does not fit. The checksum is not verified.
static inline uint32_t ipv4_header_length(const uint8_t* ip, uint32_t available) {
  if (available < IPV4_HEADER || ip[0] >> 4 != 4) return 0;
  uint32_t header = (ip[0] & 15u) * 4;
  uint32_t total = load_16(ip + IPV4_TOTAL_LENGTH);
  if (header < IPV4_HEADER || total < header || total > available) return 0;
  return header;
}

// The checksum after its header's 16-bit words changed by CHANGE, the sum of `new + ~old` over them (RFC
// 1624).
static inline uint16_t checksum_after(uint16_t checksum, uint32_t change) {
  uint32_t sum = (uint16_t)~checksum + change;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}

// Sets the byte at OFFSET of a header and returns what that changes, for checksum_after.
static inline uint32_t set_byte(uint8_t* header, uint32_t offset, uint8_t value) {
  uint32_t shift = offset % 2 == 0 ? 8 : 0;
  uint32_t change = ((uint32_t)value << shift) + (uint16_t)~(header[offset] << shift);
  header[offset] = value;
  return change;
}

// Replace a value at an even offset of its header and return what that changes.
static inline uint32_t replace_16(uint8_t* bytes, uint16_t value) {
  uint32_t change = value + (uint16_t)~load_16(bytes);
  store_16(bytes, value);
  return change;
}

static inline uint32_t replace_32(uint8_t* bytes, uint32_t value) {
  return replace_16(bytes, (uint16_t)(value >> 16)) + replace_16(bytes + 2, (uint16_t)value);
}

// The IPv4 header of a packet that a router may pass on, whose time to live lets it; else NULL.
static inline uint8_t* packet_to_route(uint8_t* packet, uint16_t length) {
  if (length < ETHERNET_HEADER || load_16(packet + ETHERNET_TYPE) != TYPE_IPV4) return NULL;
  uint8_t* ip = packet + ETHERNET_HEADER;
  if (ipv4_header_length(ip, length - ETHERNET_HEADER) == 0 || ip[IPV4_TTL] <= 1) return NULL;
  return ip;
}

static inline void count_down_ttl(uint8_t* ip) {
  uint32_t change = set_byte(ip, IPV4_TTL, ip[IPV4_TTL] - 1);
  store_16(ip + IPV4_CHECKSUM, checksum_after(load_16(ip + IPV4_CHECKSUM), change));
}

#endif
