// A network function with a library, a table and a counter.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"

uint32_t table[256];
int packets_seen = 7;

static int decide(const uint8_t* packet) {
  return (int)table[packet[14]];
}

__attribute__((noinline)) int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) {
  if (length < 20) return -1;
  packets_seen += count_packet(port);
  memcpy(packet, packet + 6, 6);
  return decide(packet) + (int)(now_ns & 1);  // LINE: result
}

__attribute__((noinline)) void end_of_router(void) {
  __asm__ volatile("");
}

int main(int argc, char** argv) {
  static uint8_t packet[64];
  for (int i = 0; i < 256; ++i) table[i] = (uint32_t)(i * 3);
  for (int i = 0; i < 64; ++i) packet[i] = (uint8_t)i;
  printf("ready with %d arguments, last %s\n", argc, argv[argc - 1]);
  fflush(stdout);
  fprintf(stderr, "and standard input %s\n", getchar() == EOF ? "is empty" : "is not empty");
  int sum = 0;
  for (uint64_t i = 0; i < 3; ++i) sum += nf_process(3, packet, 64, 1000 + i);
  end_of_router();
  return sum != 0;
}
