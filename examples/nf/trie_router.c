// An IPv4 router on a Patricia trie. It drops what is malformed, what no route matches, and what is at the
// end of its life.
#include "nf.h"
#include "nflib/lpm_trie.h"
#include "packet.h"
#include "perfpact.h"
#include "routes.h"

enum { MAX_ROUTES = 1 << 20 };

static struct lpm_trie* routes;

const char nf_options[] = ROUTES_OPTION;

static bool add_route(uint32_t prefix, uint8_t length, uint16_t port) {
  return lpm_trie_add(routes, prefix, length, port);
}

int nf_init(int argc, char** argv) {
  const char* file = routes_file(argc, argv);
  if (file == NULL) return NF_BAD_USAGE;
  routes = lpm_trie_create(MAX_ROUTES);
  if (routes == NULL) return nf_no_memory(argv[0]);
  return read_routes(argv[0], file, 0, add_route);
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  (void)port, (void)now_ns;
  uint8_t* ip = packet_to_route(packet, length);
  if (ip == NULL) return NF_DROP;
  uint32_t output;
  if (!lpm_trie_lookup(routes, load_32(ip + IPV4_DESTINATION), &output)) return NF_DROP;
  count_down_ttl(ip);
  return (int)output;
}
