// Diverts every 32nd packet to port 1 and sends the others to port 0: state in its smallest form.
#include "nf.h"
#include "perfpact.h"

enum { PERIOD = 32 };

static uint32_t packets;

const char nf_options[] = "";

int nf_init(int argc, char** argv) {
  return nf_takes_no_options(argc, argv);
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  (void)port, (void)packet, (void)length, (void)now_ns;
  packets++;
  return packets % PERIOD == 0;
}
