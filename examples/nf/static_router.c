// An IPv4 router with at most eight static routes that honours the IP timestamp option (RFC 791, kind 68).
// It drops what is malformed, what no route matches, what is at the end of its life, and what has a bad
// option. Every byte that it changes in the header goes into the checksum incrementally; a checksum that was
// wrong stays wrong, and the receiver will see it.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nf.h"
#include "packet.h"
#include "perfpact.h"

enum { MAX_ROUTES = 8, MAX_PORT = 65534 };

struct route {
  uint32_t prefix;
  uint32_t mask;
  uint16_t port;
};

// Longest prefix first, so that the first route that matches is the one to take.
static struct route routes[MAX_ROUTES] = {
    {0x0a010200, 0xffffff00, 2},  // 10.1.2.0/24
    {0x0a010000, 0xffff0000, 1},  // 10.1.0.0/16
    {0xc0a80000, 0xffff0000, 3},  // 192.168.0.0/16
    {0x0a000000, 0xff000000, 0},  // 10.0.0.0/8
};
static uint32_t route_count = 4;
static uint32_t own_address = 0xc0000201;  // 192.0.2.1

const char nf_options[] =
    "  --address A.B.C.D           the router's own address in timestamp options (default 192.0.2.1)\n"
    "  --route A.B.C.D/LENGTH=PORT a route, up to eight; without any: 10.0.0.0/8=0, 10.1.0.0/16=1,\n"
    "                              10.1.2.0/24=2, 192.168.0.0/16=3\n";

static bool parse_address(const char* text, uint32_t* address) {
  struct in_addr parsed;
  if (inet_pton(AF_INET, text, &parsed) != 1) return false;
  *address = ntohl(parsed.s_addr);
  return true;
}

static bool parse_route(const char* text, struct route* route) {
  char address[INET_ADDRSTRLEN];
  unsigned length, port;
  int end = 0;
  if (sscanf(text, "%15[0-9.]/%2u=%5u%n", address, &length, &port, &end) != 3 || text[end] != '\0')
    return false;
  if (length > 32 || port > MAX_PORT || !parse_address(address, &route->prefix)) return false;
  route->mask = length == 0 ? 0 : UINT32_MAX << (32 - length);
  route->port = (uint16_t)port;
  return (route->prefix & ~route->mask) == 0;
}

static int longer_first(const void* a, const void* b) {
  uint32_t left = ((const struct route*)a)->mask, right = ((const struct route*)b)->mask;
  return (left < right) - (left > right);
}

int nf_init(int argc, char** argv) {
  uint32_t given = 0;
  for (int i = 1; i < argc; i += 2) {
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--address") == 0) {
      if (parse_address(value, &own_address)) continue;
      fprintf(stderr, "%s: --address takes an IPv4 address, not '%s'\n", argv[0], value);
    } else if (strcmp(argv[i], "--route") != 0) {
      fprintf(stderr, "%s: expected --address or --route, not '%s'\n", argv[0], argv[i]);
    } else if (given == MAX_ROUTES) {
      fprintf(stderr, "%s: more than %d routes\n", argv[0], MAX_ROUTES);
    } else {
      if (parse_route(value, &routes[given])) {
        given++;
        continue;
      }
      fprintf(stderr, "%s: --route takes PREFIX/LENGTH=PORT with no bit set beyond the length, not '%s'\n",
              argv[0], value);
    }
    return NF_BAD_USAGE;
  }
  if (given > 0) route_count = given;
  qsort(routes, route_count, sizeof routes[0], longer_first);
  return 0;
}

static uint32_t set_32(uint8_t* header, uint32_t offset, uint32_t value) {
  return set_byte(header, offset, (uint8_t)(value >> 24)) +
         set_byte(header, offset + 1, (uint8_t)(value >> 16)) +
         set_byte(header, offset + 2, (uint8_t)(value >> 8)) + set_byte(header, offset + 3, (uint8_t)value);
}

// Offsets into a timestamp option, and its flags.
enum { LENGTH = 1, POINTER = 2, OVERFLOW_AND_FLAG = 3, OPTION_HEADER = 4 };
enum { TIMES_ONLY = 0, ADDRESS_AND_TIME = 1, TIMES_OF_NAMED = 3 };

// Enters the router into the timestamp option at OFFSET of the header at IP. LENGTH bytes of it lie within
// the header. Adds to *CHANGE what the checksum must follow. False if the option is in error.
static bool stamp(uint8_t* ip, uint32_t offset, uint32_t length, uint64_t now_ns, uint32_t* change) {
  if (length < OPTION_HEADER) return false;
  uint32_t pointer = ip[offset + POINTER];
  uint32_t overflow = ip[offset + OVERFLOW_AND_FLAG] >> 4;
  uint32_t flag = ip[offset + OVERFLOW_AND_FLAG] & 15;
  if (pointer <= OPTION_HEADER) return false;
  if (flag != TIMES_ONLY && flag != ADDRESS_AND_TIME && flag != TIMES_OF_NAMED) return false;

  if (pointer > length) {
    if (flag == TIMES_OF_NAMED) return true;
    if (overflow == 15) return false;
    *change += set_byte(ip, offset + OVERFLOW_AND_FLAG, (uint8_t)((overflow + 1) << 4 | flag));
    return true;
  }
  uint32_t size = flag == TIMES_ONLY ? 4 : 8;
  if (pointer - 1 + size > length) return false;
  uint32_t place = offset + pointer - 1;
  if (flag == TIMES_OF_NAMED && load_32(ip + place) != own_address) return true;
  if (flag == ADDRESS_AND_TIME) *change += set_32(ip, place, own_address);
  uint32_t ms_since_midnight = (uint32_t)(now_ns / 1000000 % 86400000);
  *change += set_32(ip, place + size - 4, ms_since_midnight);
  *change += set_byte(ip, offset + POINTER, (uint8_t)(pointer + size));
  return true;
}

enum { OPTION_END = 0, OPTION_NOTHING = 1, OPTION_TIMESTAMP = 68 };

// Walks over the options of the header of HEADER bytes at IP. False if one is in error.
static bool process_options(uint8_t* ip, uint32_t header, uint64_t now_ns, uint32_t* change) {
  uint32_t offset = IPV4_HEADER;
  while (offset < header) {
    PERFPACT_PCV(n);
    uint8_t kind = ip[offset];
    if (kind == OPTION_END) return true;
    if (kind == OPTION_NOTHING) {
      offset++;
      continue;
    }
    if (header - offset < 2) return false;
    uint32_t length = ip[offset + LENGTH];
    if (length < 2 || length > header - offset) return false;
    if (kind == OPTION_TIMESTAMP && !stamp(ip, offset, length, now_ns, change)) return false;
    offset += length;
  }
  return true;
}

static int route_to(uint32_t destination) {
  for (uint32_t i = 0; i < route_count; i++)
    if ((destination & routes[i].mask) == routes[i].prefix) return routes[i].port;
  return NF_DROP;
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  (void)port;
  if (length < ETHERNET_HEADER || load_16(packet + ETHERNET_TYPE) != TYPE_IPV4) return NF_DROP;
  uint8_t* ip = packet + ETHERNET_HEADER;
  uint32_t header = ipv4_header_length(ip, length - ETHERNET_HEADER);
  if (header == 0 || ip[IPV4_TTL] <= 1) return NF_DROP;

  uint32_t change = 0;
  if (!process_options(ip, header, now_ns, &change)) return NF_DROP;
  int output = route_to(load_32(ip + IPV4_DESTINATION));
  if (output == NF_DROP) return NF_DROP;

  change += set_byte(ip, IPV4_TTL, ip[IPV4_TTL] - 1);
  store_16(ip + IPV4_CHECKSUM, checksum_after(load_16(ip + IPV4_CHECKSUM), change));
  return output;
}
