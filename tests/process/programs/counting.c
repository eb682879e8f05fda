// The shared library of the router.
#include "counting.h"

int packets_of_port[16];

__attribute__((noinline)) static int step_of(int port) {
  return port >= 0 ? 1 : 2;
}

int count_packet(int port) {
  packets_of_port[port & 15] += step_of(port);
  return 1;
}
