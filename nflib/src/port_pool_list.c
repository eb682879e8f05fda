// The port pool as a doubly linked list of the free ports. A port that is given back is taken last, so that
// it rests for as long as possible.
#include <stddef.h>
#include <stdlib.h>

#include "cost_structure.h"
#include "nflib/port_pool.h"
#include "perfpact.h"

#define TAKEN UINT32_MAX

// The free ports form a ring, closed by the cell `count`; `previous` of a port that is taken is TAKEN. As the
// closing cell is never taken, it also stands for every port outside the pool.
struct cell {
  uint32_t previous;
  uint32_t next;
};

struct port_pool {
  uint32_t first;
  uint32_t count;
  struct cell cells[];
};

struct port_pool* port_pool_create(uint16_t first, uint32_t count) {
  if (count == 0 || count > UINT32_C(65536) - first) return NULL;
  struct port_pool* pool = malloc(sizeof *pool + ((size_t)count + 1) * sizeof pool->cells[0]);
  if (pool == NULL) return NULL;
  pool->first = first;
  pool->count = count;
  for (uint32_t index = 0; index <= count; index++) {
    pool->cells[index].previous = index == 0 ? count : index - 1;
    pool->cells[index].next = index == count ? 0 : index + 1;
  }
  return pool;
}

void port_pool_destroy(struct port_pool* pool) {
  free(pool);
}

PERFPACT_METHOD(port_pool_allocate)
bool port_pool_allocate(struct port_pool* pool, uint16_t* port) {
  struct cell* cells = pool->cells;
  uint32_t ring = pool->count;
  uint32_t taken = cells[ring].next;
  if (taken == ring) {
    NF_OUTCOME_ONLY(empty);
    return false;
  }
  PERFPACT_OUTCOME(allocated);
  uint32_t next = cells[taken].next;
  cells[ring].next = next;
  cells[next].previous = ring;
  cells[taken].previous = TAKEN;
  *port = (uint16_t)(pool->first + taken);
  return true;
}

PERFPACT_METHOD(port_pool_release)
bool port_pool_release(struct port_pool* pool, uint16_t port) {
  struct cell* cells = pool->cells;
  uint32_t ring = pool->count;
  uint32_t index = port - pool->first;
  index = index < ring ? index : ring;
  if (cells[index].previous != TAKEN) {
    NF_OUTCOME_ONLY(free);
    return false;
  }
  PERFPACT_OUTCOME(released);
  uint32_t last = cells[ring].previous;
  cells[index].previous = last;
  cells[index].next = ring;
  cells[last].next = index;
  cells[ring].previous = index;
  return true;
}
