// An IPv4 router on DPDK's longest prefix match, rte_lpm (DIR-24-8). DPDK runs without huge pages, devices or
// shared files, so the router needs no privilege.
#include <arpa/inet.h>
#include <errno.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lpm.h>
#include <stdio.h>
#include <string.h>

#include "nf.h"
#include "packet.h"
#include "perfpact.h"

enum { MAX_RULES = 65536, TBL8_GROUPS = 4096, MAX_PORT = 65534 };

static struct rte_lpm* lpm;

const char nf_options[] =
    "  --routes FILE   a line `A.B.C.D/LENGTH PORT` for each route; `#` opens a comment\n";

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

// The route in LINE; false if there is none in the form that nf_options states.
static bool parse_route(const char* line, uint32_t* prefix, uint8_t* length, uint16_t* port) {
  char address[INET_ADDRSTRLEN];
  unsigned length_given, port_given;
  int end = 0;
  if (sscanf(line, " %15[0-9.]/%2u %5u %n", address, &length_given, &port_given, &end) != 3) return false;
  struct in_addr parsed;
  if (line[end] != '\0' || length_given == 0 || length_given > 32 || port_given > MAX_PORT) return false;
  if (inet_pton(AF_INET, address, &parsed) != 1) return false;
  *prefix = ntohl(parsed.s_addr);
  *length = (uint8_t)length_given;
  *port = (uint16_t)port_given;
  return true;
}

static int read_routes(const char* program, const char* path) {
  FILE* file = fopen(path, "r");
  if (file == NULL) {
    fprintf(stderr, "%s: cannot read %s: %s\n", program, path, strerror(errno));
    return NF_BAD_INPUT;
  }
  char line[256];
  int failed = 0;
  for (int number = 1; !failed && fgets(line, sizeof line, file) != NULL; number++) {
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t")] == '\0') continue;
    uint32_t prefix;
    uint8_t length;
    uint16_t port;
    if (!parse_route(line, &prefix, &length, &port)) {
      fprintf(stderr, "%s:%d: expected A.B.C.D/LENGTH PORT with a length from 1 to 32, not '%s'\n", path,
              number, line);
      failed = NF_BAD_INPUT;
    } else if (rte_lpm_add(lpm, prefix, length, port) != 0) {
      fprintf(stderr, "%s:%d: no room for more routes\n", path, number);
      failed = NF_BAD_INPUT;
    }
  }
  fclose(file);
  return failed;
}

int nf_init(int argc, char** argv) {
  if (argc != 3 || strcmp(argv[1], "--routes") != 0) {
    fprintf(stderr, "%s: expected --routes FILE\n", argv[0]);
    return NF_BAD_USAGE;
  }
  int failed = start_dpdk(argv[0]);
  return failed ? failed : read_routes(argv[0], argv[2]);
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  (void)port, (void)now_ns;
  if (length < ETHERNET_HEADER || load_16(packet + ETHERNET_TYPE) != TYPE_IPV4) return NF_DROP;
  uint8_t* ip = packet + ETHERNET_HEADER;
  uint32_t header = ipv4_header_length(ip, length - ETHERNET_HEADER);
  if (header == 0 || ip[IPV4_TTL] <= 1) return NF_DROP;

  uint32_t output;
  if (rte_lpm_lookup(lpm, load_32(ip + IPV4_DESTINATION), &output) != 0) return NF_DROP;

  uint32_t change = set_byte(ip, IPV4_TTL, ip[IPV4_TTL] - 1);
  store_16(ip + IPV4_CHECKSUM, checksum_after(load_16(ip + IPV4_CHECKSUM), change));
  return (int)output;
}
