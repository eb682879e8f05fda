// Runs a network function of Vigor on one packet: what its nf.c does around nf_process, without DPDK's environment.
// Nothing here is part of an exploration but `vigor_packet`.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_ethdev.h>

#include "libvig/verified/packet-io.h"
#include "nf-util.h"
#include "nf.h"

// DPDK's functions that network functions of Vigor call to configure themselves.
uint16_t rte_eth_dev_count_avail(void) { return DEVICES; }

int rte_eth_macaddr_get(uint16_t port, struct rte_ether_addr *address) {
  *address = (struct rte_ether_addr){{2, 0, 0, 0, 0, (uint8_t)port}};
  return 0;
}

void rte_exit(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  exit(code);
}

// The port to send to, -1 to drop, 65535 to flood.
__attribute__((noinline)) int vigor_packet(uint16_t port, uint8_t *packet, uint16_t length, uint64_t now_ns) {
  uint32_t total = length;
  packet_state_total_length(packet, &total);
  const uint16_t to = nf_process(port, packet, length, (vigor_time_t)now_ns);
  nf_return_all_chunks(packet);
  return to == port ? -1 : to;
}

int main(int argc, char **argv) {
  static uint8_t packet[1514];
  nf_config_init(argc, argv);
  if (!nf_init()) return EXIT_FAILURE;
  printf("%d\n", vigor_packet(0, packet, 60, VIGOR_TIME_SECONDS_MULTIPLIER));
  return EXIT_SUCCESS;
}
