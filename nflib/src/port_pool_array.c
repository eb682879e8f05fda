// The port pool as an array that says which ports are taken. A port is looked for there first, from where the
// last look ended, but only at LOOKS ports. If they are all taken, a list of the ports that were given back
// is asked; some on it may have been taken by way of the array since: these are dropped.
//
// A port is never looked for in vain: until the array was gone through once, the next port in it has never
// been taken; from then on every free port is one that was given back, so the list holds it.
#include <stddef.h>
#include <stdlib.h>

#include "cost_structure.h"
#include "nflib/port_pool.h"
#include "perfpact.h"

enum { LOOKS = 16 };
enum { TAKEN = 1, LISTED = 2 };

struct cell {
  uint32_t next;  // on the list
  uint32_t state;
};

struct port_pool {
  uint32_t first;
  uint32_t count;
  uint32_t looks;
  uint32_t free;
  uint32_t last;  // looked at
  uint32_t list;
  struct cell cells[];  // and one that is never taken, for all ports outside the pool
};

struct port_pool* port_pool_create(uint16_t first, uint32_t count) {
  if (count == 0 || count > UINT32_C(65536) - first) return NULL;
  struct port_pool* pool = calloc(1, sizeof *pool + ((size_t)count + 1) * sizeof pool->cells[0]);
  if (pool == NULL) return NULL;
  pool->first = first;
  pool->count = count;
  pool->looks = LOOKS;
  pool->free = count;
  pool->last = count - 1;
  return pool;
}

void port_pool_destroy(struct port_pool* pool) {
  free(pool);
}

// The first port on the list that is free.
static inline uint32_t take_from_list(struct port_pool* pool) {
  uint32_t index;
  do {
    PERFPACT_PCV(d);
    index = pool->list;
    pool->list = pool->cells[index].next;
    pool->cells[index].state &= ~(uint32_t)LISTED;
  } while (pool->cells[index].state != 0);
  return index;
}

PERFPACT_METHOD(port_pool_allocate)
bool port_pool_allocate(struct port_pool* pool, uint16_t* port) {
  if (pool->free == 0) {
    NF_OUTCOME_ONLY(empty);
    return false;
  }
  PERFPACT_OUTCOME(allocated);
  uint32_t index = pool->last;
  uint32_t looks = pool->looks;
  do {
    PERFPACT_PCV(s);
    index++;
    index &= -(uint32_t)(index != pool->count);
  } while ((pool->cells[index].state & TAKEN) != 0 && --looks != 0);
  pool->last = index;
  if (looks == 0) {
    PERFPACT_PCV(f);
    index = take_from_list(pool);
  }
  pool->cells[index].state |= TAKEN;
  pool->free--;
  *port = (uint16_t)(pool->first + index);
  return true;
}

PERFPACT_METHOD(port_pool_release)
bool port_pool_release(struct port_pool* pool, uint16_t port) {
  uint32_t index = port - pool->first;
  index = index < pool->count ? index : pool->count;
  struct cell* cell = &pool->cells[index];
  if ((cell->state & TAKEN) == 0) {
    NF_OUTCOME_ONLY(free);
    return false;
  }
  PERFPACT_OUTCOME(released);
  pool->free++;
  if ((cell->state & LISTED) == 0) {
    PERFPACT_PCV(l);
    cell->next = pool->list;
    pool->list = index;
  }
  cell->state = LISTED;
  return true;
}
