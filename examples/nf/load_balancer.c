// A load balancer in the manner of Maglev (Eisenbud et al., NSDI 2016). Clients are at port 0 and send TCP
// and UDP to the service's address; backends are at port 1. A backend is one that sends heartbeats: UDP to
// the heartbeat port of the service's address. It is dead when it was not heard of for too long.
//
// A packet from a client gets its backend's addresses (Ethernet, IPv4) as destination. A flow keeps its
// backend for as long as that lives, else it gets another one by consistent hashing. Where the table of flows
// is full, a new flow is not remembered and goes where consistent hashing sends it. A packet from a backend
// to a client gets the service's address as source. All else is dropped.
//
// At most one backend is declared dead a packet, since that fills the table of consistent hashing anew.
#include <stdio.h>

#include "nf.h"
#include "nflib/flow_table.h"
#include "nflib/hash.h"
#include "nflib/hash_map.h"
#include "nflib/index_allocator.h"
#include "nflib/maglev.h"
#include "nflib/vector.h"
#include "options.h"
#include "perfpact.h"
#include "transport.h"

enum { CLIENTS = 0, BACKENDS = 1, LARGEST_CAPACITY = 1 << 29, MOST_BACKENDS = 10000 };
enum { FLOW_SEED = 1, BACKEND_SEED = 2, RING_SEED = 3, SLOTS_A_BACKEND = 100, ETHERNET_SOURCE = 6, MAC = 6 };

struct backend {
  uint32_t address;
  uint8_t mac[MAC];
};

static struct flow_table* flows;
static struct vector* assigned;  // uint32_t by flow: its backend
static struct index_allocator* heartbeats;
static struct hash_map* backend_numbers;  // by address
static struct vector* backends;           // struct backend by number
static struct maglev* ring;
static uint32_t service = 0xc0000201;  // 192.0.2.1
static uint64_t heartbeat_port = 4000;
static uint64_t most_backends = 32;
static uint64_t backend_timeout_ms = 3000;
static uint64_t backend_timeout_ns;
static uint64_t capacity = 65536;
static uint64_t timeout_ms = 60000;
static uint64_t timeout_ns;

const char nf_options[] =
    "  --service A.B.C.D        the address that clients send to (default 192.0.2.1)\n"
    "  --heartbeat-port N       where backends send heartbeats (default 4000)\n"
    "  --backends N             backends at a time (default 32)\n"
    "  --backend-timeout-ms N   a backend that sends no heartbeat for longer is dead (default 3000)\n"
    "  --capacity N             flows at a time (default 65536)\n"
    "  --timeout-ms N           a flow that is silent for longer is forgotten (default 60000)\n";

static bool read_service(const char* text) {
  return read_address(text, &service);
}

static const struct nf_option options[] = {
    {"--service", .read = read_service, .takes = "an IPv4 address"},
    {"--heartbeat-port", .number = &heartbeat_port, .least = 1, .most = UINT16_MAX},
    {"--backends", .number = &most_backends, .least = 1, .most = MOST_BACKENDS},
    {"--backend-timeout-ms", .number = &backend_timeout_ms, .least = 1, .most = NF_LONGEST_TIMEOUT_MS},
    {"--capacity", .number = &capacity, .least = 1, .most = LARGEST_CAPACITY},
    {"--timeout-ms", .number = &timeout_ms, .least = 1, .most = NF_LONGEST_TIMEOUT_MS},
};

static bool is_prime(uint32_t number) {
  for (uint32_t divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0) return false;
  return number > 1;
}

static uint32_t prime_from(uint32_t number) {
  while (!is_prime(number)) number++;
  return number;
}

static uint32_t power_of_two_from(uint32_t number) {
  uint32_t power = 1;
  while (power < number) power *= 2;
  return power;
}

int nf_init(int argc, char** argv) {
  int failed = nf_take_options(argc, argv, options, sizeof options / sizeof options[0]);
  if (failed) return failed;
  timeout_ns = timeout_ms * 1000000;
  backend_timeout_ns = backend_timeout_ms * 1000000;
  uint32_t numbers = (uint32_t)most_backends;
  flows = flow_table_create((uint32_t)capacity, FLOW_SEED, NULL);
  assigned = vector_create((uint32_t)capacity, sizeof(uint32_t));
  heartbeats = index_allocator_create(numbers);
  backend_numbers = hash_map_create(power_of_two_from(2 * numbers), BACKEND_SEED);
  backends = vector_create(numbers, sizeof(struct backend));
  ring = maglev_create(numbers, prime_from(SLOTS_A_BACKEND * numbers));
  bool complete = flows && assigned && heartbeats && backend_numbers && backends && ring;
  return complete ? 0 : nf_no_memory(argv[0]);
}

static struct nf_key backend_key(uint32_t address) {
  return (struct nf_key){{address, 0}};
}

static void expire_backend(uint64_t now_ns) {
  uint32_t number;
  if (!index_allocator_expire(heartbeats, nf_time_before(now_ns, backend_timeout_ns), &number)) return;
  maglev_set_alive(ring, number, false);
  const struct backend* backend = vector_borrow(backends, number);
  if (backend == NULL) return;
  struct nf_key key = backend_key(backend->address);
  hash_map_erase(backend_numbers, &key);
}

// A heartbeat from a backend of a new address, or of one that was dead.
static bool enlist(const struct nf_key* key, uint64_t now_ns, uint32_t* number) {
  if (!index_allocator_allocate(heartbeats, now_ns, number)) return false;
  hash_map_put(backend_numbers, key, *number);
  maglev_set_alive(ring, *number, true);
  return true;
}

static void hear(const uint8_t* packet, uint32_t address, uint64_t now_ns) {
  struct nf_key key = backend_key(address);
  uint32_t number;
  if (hash_map_get(backend_numbers, &key, &number))
    index_allocator_renew(heartbeats, number, now_ns);
  else if (!enlist(&key, now_ns, &number))
    return;
  struct backend* backend = vector_borrow(backends, number);
  if (backend == NULL) return;
  backend->address = address;
  memcpy(backend->mac, packet + ETHERNET_SOURCE, MAC);
}

static int process_from_backend(const uint8_t* packet, const struct transport* parsed, uint64_t now_ns) {
  uint32_t address = address_of(parsed, SOURCE);
  if (address_of(parsed, DESTINATION) == service) {
    bool heartbeat = parsed->protocol == PROTOCOL_UDP && port_of(parsed, DESTINATION) == heartbeat_port;
    if (heartbeat) hear(packet, address, now_ns);
    return NF_DROP;
  }
  struct nf_key key = backend_key(address);
  uint32_t number;
  if (!hash_map_get(backend_numbers, &key, &number)) return NF_DROP;
  replace_end(parsed, SOURCE, service, port_of(parsed, SOURCE));
  return CLIENTS;
}

static bool choose_backend(const struct nf_key* flow, uint32_t* number) {
  return maglev_lookup(ring, nf_key_hash(flow, RING_SEED), number);
}

// The backend of a flow that is known. False if none is alive.
static bool keep_backend(const struct nf_key* key, uint32_t flow, uint64_t now_ns, uint32_t* number) {
  flow_table_renew(flows, flow, now_ns);
  uint32_t* kept = vector_borrow(assigned, flow);
  if (kept == NULL) return false;
  if (!maglev_is_alive(ring, *kept) && !choose_backend(key, kept)) return false;
  *number = *kept;
  return true;
}

static bool assign_backend(const struct nf_key* key, uint64_t now_ns, uint32_t* number) {
  if (!choose_backend(key, number)) return false;
  uint32_t flow;
  if (!flow_table_add(flows, key, NULL, 0, now_ns, &flow)) return true;
  uint32_t* kept = vector_borrow(assigned, flow);
  if (kept != NULL) *kept = *number;
  return true;
}

static int process_from_client(uint8_t* packet, const struct transport* parsed, uint64_t now_ns) {
  if (address_of(parsed, DESTINATION) != service) return NF_DROP;
  struct nf_key key = key_of(parsed);
  uint32_t flow, number;
  bool found = flow_table_get(flows, FLOW_INSIDE, &key, &flow) ? keep_backend(&key, flow, now_ns, &number)
                                                               : assign_backend(&key, now_ns, &number);
  if (!found) return NF_DROP;
  const struct backend* backend = vector_borrow(backends, number);
  if (backend == NULL) return NF_DROP;
  memcpy(packet, backend->mac, MAC);
  replace_end(parsed, DESTINATION, backend->address, port_of(parsed, DESTINATION));
  return BACKENDS;
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  struct transport parsed;
  if (port > BACKENDS || !parse_transport(packet, length, &parsed)) return NF_DROP;
  expire_backend(now_ns);
  flow_table_expire(flows, nf_time_before(now_ns, timeout_ns));
  return port == CLIENTS ? process_from_client(packet, &parsed, now_ns)
                         : process_from_backend(packet, &parsed, now_ns);
}
