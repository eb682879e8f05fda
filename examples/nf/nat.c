// Source NAT for TCP and UDP over IPv4 (RFC 3022) between the inside, port 0, and the outside, port 1. A new
// flow from inside takes a port of the external address for itself; what comes from outside is let in if it
// belongs to a flow, from the same remote end. Flows that are silent for too long are forgotten and give
// their ports back. Drops everything else: fragments, other protocols, unknown packets from outside, new
// flows while the table or the pool of ports is empty. Ethernet addresses and the TTL stay as they are.
#include <stdio.h>

#include "nf.h"
#include "nflib/flow_table.h"
#include "nflib/port_pool.h"
#include "nflib/vector.h"
#include "options.h"
#include "perfpact.h"
#include "transport.h"

enum { INSIDE = 0, OUTSIDE = 1, LARGEST_CAPACITY = 1 << 29, FLOW_SEED = 1 };

// What the packets of a flow are rewritten to.
struct translation {
  uint32_t inside_address;
  uint16_t inside_port;
  uint16_t external_port;
};

static struct flow_table* flows;
static struct port_pool* ports;
static struct vector* translations;
static uint32_t external = 0xc0000201;  // 192.0.2.1
static uint64_t capacity = 60000;
static uint64_t timeout_ms = 60000;
static uint64_t timeout_ns;
static uint64_t first_port = 1024;
static uint64_t last_port = UINT16_MAX;

const char nf_options[] =
    "  --external A.B.C.D   the address to the outside (default 192.0.2.1)\n"
    "  --capacity N         flows at a time (default 60000)\n"
    "  --timeout-ms N       a flow that is silent for longer is forgotten (default 60000)\n"
    "  --ports FIRST-LAST   the external address's ports to use (default 1024-65535)\n";

static bool read_external(const char* text) {
  return read_address(text, &external);
}

static bool read_ports(const char* text) {
  unsigned first, last;
  int end = 0;
  if (sscanf(text, "%5u-%5u%n", &first, &last, &end) != 2 || text[end] != '\0') return false;
  first_port = first;
  last_port = last;
  return first >= 1 && first <= last && last <= UINT16_MAX;
}

static const struct nf_option options[] = {
    {"--external", .read = read_external, .takes = "an IPv4 address"},
    {"--capacity", .number = &capacity, .least = 1, .most = LARGEST_CAPACITY},
    {"--timeout-ms", .number = &timeout_ms, .least = 1, .most = NF_LONGEST_TIMEOUT_MS},
    {"--ports", .read = read_ports, .takes = "FIRST-LAST from 1-1 to 65535-65535"},
};

int nf_init(int argc, char** argv) {
  int failed = nf_take_options(argc, argv, options, sizeof options / sizeof options[0]);
  if (failed) return failed;
  timeout_ns = timeout_ms * 1000000;
  ports = port_pool_create((uint16_t)first_port, (uint32_t)(last_port - first_port + 1));
  translations = vector_create((uint32_t)capacity, sizeof(struct translation));
  flows = flow_table_create((uint32_t)capacity, FLOW_SEED, ports);
  if (ports == NULL || translations == NULL || flows == NULL) return nf_no_memory(argv[0]);
  return 0;
}

// Begins the flow of a packet from inside; NULL if there is no room for it.
static const struct translation* begin_flow(const struct transport* packet, const struct nf_key* inside,
                                            uint64_t now_ns) {
  uint16_t external_port;
  if (!port_pool_allocate(ports, &external_port)) return NULL;
  struct nf_key outside = flow_key(address_of(packet, DESTINATION), port_of(packet, DESTINATION), external,
                                   external_port, packet->protocol);
  uint32_t flow;
  if (!flow_table_add(flows, inside, &outside, external_port, now_ns, &flow)) {
    port_pool_release(ports, external_port);
    return NULL;
  }
  struct translation* translation = vector_borrow(translations, flow);
  if (translation == NULL) return NULL;
  *translation = (struct translation){address_of(packet, SOURCE), port_of(packet, SOURCE), external_port};
  return translation;
}

// The flow was used; what its packets are rewritten to.
static const struct translation* use_flow(uint32_t flow, uint64_t now_ns) {
  flow_table_renew(flows, flow, now_ns);
  return vector_borrow(translations, flow);
}

static int process_from_inside(const struct transport* packet, uint64_t now_ns) {
  struct nf_key key = key_of(packet);
  uint32_t flow;
  const struct translation* translation = flow_table_get(flows, FLOW_INSIDE, &key, &flow)
                                              ? use_flow(flow, now_ns)
                                              : begin_flow(packet, &key, now_ns);
  if (translation == NULL) return NF_DROP;
  replace_end(packet, SOURCE, external, translation->external_port);
  return OUTSIDE;
}

static int process_from_outside(const struct transport* packet, uint64_t now_ns) {
  struct nf_key key = key_of(packet);
  uint32_t flow;
  if (!flow_table_get(flows, FLOW_OUTSIDE, &key, &flow)) return NF_DROP;
  const struct translation* translation = use_flow(flow, now_ns);
  if (translation == NULL) return NF_DROP;
  replace_end(packet, DESTINATION, translation->inside_address, translation->inside_port);
  return INSIDE;
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  struct transport parsed;
  if (port > OUTSIDE || !parse_transport(packet, length, &parsed)) return NF_DROP;
  flow_table_expire(flows, nf_time_before(now_ns, timeout_ns));
  return port == INSIDE ? process_from_inside(&parsed, now_ns) : process_from_outside(&parsed, now_ns);
}
