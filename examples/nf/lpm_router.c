// An IPv4 router on DPDK's longest prefix match, rte_lpm (DIR-24-8). DPDK runs without huge pages, devices or
// shared files, so the router needs no privilege.
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lpm.h>
#include <stdio.h>

#include "nf.h"
#include "packet.h"
#include "perfpact.h"
#include "routes.h"

enum { MAX_RULES = 65536, TBL8_GROUPS = 4096 };

static struct rte_lpm* lpm;

const char nf_options[] = ROUTES_OPTION;

static int start_dpdk(char* program) {
  char* arguments[] = {program,          "--no-huge",     "-m",       "256", "--no-pci", "--no-shconf",
                       "--no-telemetry", "--log-level=4", "--lcores", "0",   NULL};
  if (rte_eal_init((int)(sizeof arguments / sizeof arguments[0]) - 1, arguments) < 0) {
    fprintf(stderr, "%s: DPDK does not start: %s\n", program, rte_strerror(rte_errno));
    return NF_BAD_INPUT;
  }
  struct rte_lpm_config config = {.max_rules = MAX_RULES, .number_tbl8s = TBL8_GROUPS, .flags = 0};
  lpm = rte_lpm_create("routes", 0, &config);
  if (lpm == NULL) {
    fprintf(stderr, "%s: no memory for the routes: %s\n", program, rte_strerror(rte_errno));
    return NF_BAD_INPUT;
  }
  return 0;
}

static bool add_route(uint32_t prefix, uint8_t length, uint16_t port) {
  return rte_lpm_add(lpm, prefix, length, port) == 0;
}

int nf_init(int argc, char** argv) {
  const char* file = routes_file(argc, argv);
  if (file == NULL) return NF_BAD_USAGE;
  int failed = start_dpdk(argv[0]);
  return failed ? failed : read_routes(argv[0], file, 1, add_route);
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  (void)port, (void)now_ns;
  uint8_t* ip = packet_to_route(packet, length);
  if (ip == NULL) return NF_DROP;

  uint32_t output;
  if (rte_lpm_lookup(lpm, load_32(ip + IPV4_DESTINATION), &output) != 0) return NF_DROP;

  count_down_ttl(ip);
  return (int)output;
}
