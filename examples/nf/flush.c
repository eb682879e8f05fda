// A learning switch with a table of eight addresses that is emptied after every FLUSH_AFTER packets. It
// learns the source of a packet, sends it where its destination was seen, and floods it where that is not
// known. A full table learns nothing until the next flush.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nf.h"
#include "packet.h"
#include "perfpact.h"

enum { SLOTS = 8, MAC = 6 };

struct slot {
  uint8_t mac[MAC];
  uint16_t port;
  bool used;
};

static struct slot slots[SLOTS];
static uint32_t packets;
static uint32_t flush_after = 64;

const char nf_options[] = "  --flush-after N   empty the table after N packets (default 64)\n";

int nf_init(int argc, char** argv) {
  if (argc == 1) return 0;
  if (argc != 3 || strcmp(argv[1], "--flush-after") != 0) {
    fprintf(stderr, "%s: expected --flush-after N, not '%s'\n", argv[0], argv[1]);
    return NF_BAD_USAGE;
  }
  char* end;
  unsigned long number = strtoul(argv[2], &end, 10);
  if (end == argv[2] || *end != '\0' || number == 0 || number > 1000000) {
    fprintf(stderr, "%s: --flush-after takes a number from 1 to 1000000, not '%s'\n", argv[0], argv[2]);
    return NF_BAD_USAGE;
  }
  flush_after = (uint32_t)number;
  return 0;
}

static struct slot* find(const uint8_t* mac) {
  for (uint32_t i = 0; i < SLOTS; i++) {
    PERFPACT_PCV(t);
    if (slots[i].used && memcmp(slots[i].mac, mac, MAC) == 0) return &slots[i];
  }
  return NULL;
}

static struct slot* find_free(void) {
  for (uint32_t i = 0; i < SLOTS; i++) {
    PERFPACT_PCV(s);
    if (!slots[i].used) return &slots[i];
  }
  return NULL;
}

static void learn(const uint8_t* mac, uint16_t port) {
  struct slot* slot = find(mac);
  if (slot == NULL) slot = find_free();
  if (slot == NULL) return;
  memcpy(slot->mac, mac, MAC);
  slot->port = port;
  slot->used = true;
}

PERFPACT_ENTRY(nf_process)
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  (void)now_ns;
  packets++;
  if (packets >= flush_after) {
    memset(slots, 0, sizeof slots);
    packets = 0;
  }
  if (length < ETHERNET_HEADER) return NF_DROP;
  learn(packet + MAC, port);
  const struct slot* slot = find(packet);
  if (slot == NULL) return NF_FLOOD;
  return slot->port == port ? NF_DROP : slot->port;
}
