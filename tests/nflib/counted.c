// What counts_test.py runs twice, stepped by its marks and with -DPERFPACT_COUNT: a method that calls itself
// and one of the same file, methods of other files that call methods, by a pointer too, and marks outside
// methods. As C and as C++.
#include <stdint.h>
#include <stdlib.h>

#include "nflib/lpm_direct.h"
#include "nflib/maglev.h"
#include "perfpact.h"

#ifdef __cplusplus
extern "C" {
#endif
struct pile;
int64_t pile_weigh(struct pile* pile, int height);
double pile_share(struct pile* pile, double part, int height);
int process(uint32_t packet);
#ifdef __cplusplus
}
#endif

struct pile {
  int weight;
};

PERFPACT_METHOD(pile_weigh)
int64_t pile_weigh(struct pile* pile, int height) {
  if (height == 0) {
    PERFPACT_OUTCOME(empty);
    pile->weight++;
    return INT64_MIN;
  }
  int64_t sum = 0;
  int left = height;
  do {
    PERFPACT_PCV(t);
    sum += pile->weight * left;
  } while (--left > 0);
  sum ^= pile_weigh(pile, height / 2);
  PERFPACT_OUTCOME(weighed);
  pile->weight ^= (int)sum;
  return sum;
}

// Arguments and result in vector registers.
PERFPACT_METHOD(pile_share)
double pile_share(struct pile* pile, double part, int height) {
  PERFPACT_OUTCOME(done);
  double sum = part;
  do {
    PERFPACT_PCV(h);
    sum += part * (double)(pile_weigh(pile, height) & 15);
  } while (--height > 0);
  return sum;
}

static struct pile piles[2];
static struct lpm_direct* routes;
static struct maglev* backends;
static bool (*volatile lookup)(const struct maglev*, uint64_t, uint32_t*) = maglev_lookup;

PERFPACT_ENTRY(process)
int process(uint32_t packet) {
  uint32_t value = 0;
  int sum = 0;
  uint32_t round = 0;
  do {
    PERFPACT_PCV(rounds);
    sum += (int)pile_share(&piles[(packet + round) & 1], 0.5, (int)(packet % 3) + 1);
  } while (++round < packet % 4);
  lpm_direct_add(routes, packet << 28, 24 + packet % 5, packet);
  if (packet % 3 == 0) lpm_direct_remove(routes, (packet - 3) << 28, 24 + (packet - 3) % 5);
  lpm_direct_lookup(routes, packet << 28, &value);
  sum += (int)value;
  if (packet % 4 == 1) maglev_set_alive(backends, packet % 2, packet != 5);
  lookup(backends, packet * 77, &value);
  return sum + (int)value - 100;
}

int main(void) {
  routes = lpm_direct_create(6, 3);
  backends = maglev_create(1, 101);
  uint32_t value;
  lpm_direct_add(routes, 0, 20, 9);  // outside of packets
  lpm_direct_lookup(routes, 1, &value);
  int sum = 0;
  for (uint32_t packet = 0; packet < 12; packet++) sum += process(packet);
  lpm_direct_destroy(routes);
  maglev_destroy(backends);
  return sum % 251;
}
