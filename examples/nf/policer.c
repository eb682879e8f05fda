// A policer: IPv4 packets from port 0 pass to port 1 as long as their source keeps to a rate, by a token
// bucket for each source (RFC 2697), or for each network of sources. Packets from port 1 pass to port 0. What
// is no IPv4 is dropped, and so are packets from new sources while the table is full.
//
// A source is forgotten when it has been silent for as long as its bucket takes to fill: the bucket is full
// then, as a new source's has to be, and nothing is forgiven. (Where the clock goes back just then, the new
// source's bucket lacks what comes in in that time.)
#include <stdio.h>

#include "nf.h"
#include "nflib/flow_table.h"
#include "nflib/token_bucket.h"
#include "options.h"
#include "packet.h"
#include "perfpact.h"

enum { POLICED = 0, FREE = 1, LARGEST_CAPACITY = 1 << 29, SOURCE_SEED = 1 };

static struct flow_table* sources;
static struct token_buckets* buckets;  // by source
static uint64_t rate = 1000000;
static uint64_t burst = 100000;
static uint64_t capacity = 65536;
static uint64_t prefix = 32;
static uint32_t mask;
static uint64_t fill_ns;

const char nf_options[] =
    "  --rate N       bytes a second of each source, IP headers included (default 1000000)\n"
    "  --burst N      bytes of a bucket (default 100000)\n"
    "  --capacity N   sources at a time (default 65536)\n"
    "  --prefix N     sources with this many equal first bits share a bucket (default 32)\n";

static const struct nf_option options[] = {
    {"--rate", .number = &rate, .least = 1, .most = 1000000000000},
    {"--burst", .number = &burst, .least = 1, .most = UINT32_MAX},
    {"--capacity", .number = &capacity, .least = 1, .most = LARGEST_CAPACITY},
    {"--prefix", .number = &prefix, .least = 1, .most = 32},
};

int nf_init(int argc, char** argv) {
  int failed = nf_take_options(argc, argv, options, sizeof options / sizeof options[0]);
  if (failed) return failed;
  mask = UINT32_MAX << (32 - prefix);
  fill_ns = (burst * 1000000000 + rate - 1) / rate;
  sources = flow_table_create((uint32_t)capacity, SOURCE_SEED, NULL);
  buckets = token_buckets_create((uint32_t)capacity, rate, burst);
  if (sources == NULL || buckets == NULL) return nf_no_memory(argv[0]);
  return 0;
}

// The number of a source that sends now. False if it is new and the table is full.
static bool number_of(uint32_t source, uint64_t now_ns, uint32_t* number) {
  struct nf_key key = {{source & mask, 0}};
  if (flow_table_get(sources, FLOW_INSIDE, &key, number)) {
    flow_table_renew(sources, *number, now_ns);
    return true;
  }
  return flow_table_add(sources, &key, NULL, 0, now_ns, number);
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  if (port > FREE || length < ETHERNET_HEADER || load_16(packet + ETHERNET_TYPE) != TYPE_IPV4) return NF_DROP;
  const uint8_t* ip = packet + ETHERNET_HEADER;
  if (ipv4_header_length(ip, length - ETHERNET_HEADER) == 0) return NF_DROP;
  if (port == FREE) return POLICED;

  flow_table_expire(sources, nf_time_before(now_ns, fill_ns));
  uint32_t source;
  if (!number_of(load_32(ip + IPV4_SOURCE), now_ns, &source)) return NF_DROP;
  return token_buckets_take(buckets, source, load_16(ip + IPV4_TOTAL_LENGTH), now_ns) ? FREE : NF_DROP;
}
