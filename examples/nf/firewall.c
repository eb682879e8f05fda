// A firewall between port 0 and port 1 that lets through plain IPv4 and nothing else: it drops packets with
// IP options, fragments, other protocols and malformed headers. The header checksum is left to the end hosts.
#include "nf.h"
#include "packet.h"
#include "perfpact.h"

enum { PORTS = 2 };

const char nf_options[] = "";

int nf_init(int argc, char** argv) {
  return nf_takes_no_options(argc, argv);
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  (void)now_ns;
  if (port >= PORTS) return NF_DROP;
  if (length < ETHERNET_HEADER) return NF_DROP;
  if (load_16(packet + ETHERNET_TYPE) != TYPE_IPV4) return NF_DROP;

  const uint8_t* ip = packet + ETHERNET_HEADER;
  uint32_t header = ipv4_header_length(ip, length - ETHERNET_HEADER);
  if (header == 0) return NF_DROP;
  if (header > IPV4_HEADER) return NF_DROP;
  if ((load_16(ip + IPV4_FRAGMENT) & IPV4_IS_FRAGMENT) != 0) return NF_DROP;

  return port ^ 1;
}
