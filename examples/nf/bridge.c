// A bridge that learns at which port each MAC address is (IEEE 802.1D): it sends a packet where its
// destination was seen, floods what it does not know and what is for many, and drops what is at its port
// already. Addresses that are silent for too long are forgotten; a full table learns nothing.
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "nf.h"
#include "nflib/mac_table.h"
#include "options.h"
#include "packet.h"
#include "perfpact.h"

enum { DESTINATION = 0, SOURCE = 6, LARGEST_CAPACITY = 1 << 24 };

static struct mac_table* macs;
static uint64_t capacity = 65536;
static uint64_t threshold = 64;
static uint64_t timeout_ms = 300000;
static uint64_t timeout_ns;
static uint64_t key = 1;

const char nf_options[] =
    "  --capacity N      addresses that the table has room for, a power of two (default 65536)\n"
    "  --threshold N     the table takes a new key where learning looks at more slots (default 64)\n"
    "  --timeout-ms N    an address that is silent for longer is forgotten (default 300000)\n"
    "  --key N           the table's first secret key, or `random` (default 1)\n";

static bool read_capacity(const char* text) {
  return read_number(text, 1, LARGEST_CAPACITY, &capacity) && (capacity & (capacity - 1)) == 0;
}

static bool read_key(const char* text) {
  if (strcmp(text, "random") == 0) return getrandom(&key, sizeof key, 0) == sizeof key;
  return read_number(text, 0, UINT64_MAX, &key);
}

static const struct nf_option options[] = {
    {"--capacity", .read = read_capacity, .takes = "a power of two up to 16777216"},
    {"--threshold", .number = &threshold, .least = 1, .most = UINT32_MAX},
    {"--timeout-ms", .number = &timeout_ms, .least = 1, .most = NF_LONGEST_TIMEOUT_MS},
    {"--key", .read = read_key, .takes = "a number or `random`"},
};

int nf_init(int argc, char** argv) {
  int failed = nf_take_options(argc, argv, options, sizeof options / sizeof options[0]);
  if (failed) return failed;
  timeout_ns = timeout_ms * 1000000;
  macs = mac_table_create((uint32_t)capacity, (uint32_t)threshold, key);
  if (macs == NULL) return nf_no_memory(argv[0]);
  return 0;
}

static uint64_t load_mac(const uint8_t* bytes) {
  return (uint64_t)load_16(bytes) << 32 | load_32(bytes + 2);
}

static bool is_group(uint64_t mac) {
  return (mac >> 40 & 1) != 0;
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  if (length < ETHERNET_HEADER) return NF_DROP;
  uint64_t source = load_mac(packet + SOURCE);
  if (is_group(source)) return NF_DROP;

  mac_table_expire(macs, nf_time_before(now_ns, timeout_ns));
  mac_table_learn(macs, source, port, now_ns);

  uint64_t destination = load_mac(packet + DESTINATION);
  if (is_group(destination)) return NF_FLOOD;
  uint16_t output;
  if (!mac_table_lookup(macs, destination, &output)) return NF_FLOOD;
  return output == port ? NF_DROP : output;
}
