#include "nflib/flow_table.h"

#include <stddef.h>
#include <stdlib.h>

#include "cost_structure.h"
#include "nflib/hash_map.h"
#include "nflib/index_allocator.h"
#include "perfpact.h"

struct flow {
  struct nf_key keys[2];  // by side
  uint16_t port;          // 0: none to give back
  bool has_outside;
};

struct flow_table {
  struct hash_map* maps[2];  // by side
  struct index_allocator* allocator;
  struct port_pool* ports;
  uint16_t port_mask;  // 0 where there is no pool
  struct flow flows[];
};

static uint32_t slots_for(uint32_t capacity) {
  uint32_t slots = 2;
  while (slots <= capacity || slots < capacity + capacity / 4) slots *= 2;
  return slots;
}

struct flow_table* flow_table_create(uint32_t capacity, uint32_t seed, struct port_pool* ports) {
  if (capacity == 0 || capacity > UINT32_C(1) << 29) return NULL;
  struct flow_table* table = calloc(1, sizeof *table + capacity * sizeof table->flows[0]);
  if (table == NULL) return NULL;
  uint32_t slots = slots_for(capacity);
  table->maps[FLOW_INSIDE] = hash_map_create(slots, seed);
  table->maps[FLOW_OUTSIDE] = hash_map_create(slots, seed);
  table->allocator = index_allocator_create(capacity);
  table->ports = ports;
  table->port_mask = ports == NULL ? 0 : UINT16_MAX;
  if (table->maps[FLOW_INSIDE] != NULL && table->maps[FLOW_OUTSIDE] != NULL && table->allocator != NULL)
    return table;
  flow_table_destroy(table);
  return NULL;
}

void flow_table_destroy(struct flow_table* table) {
  if (table == NULL) return;
  hash_map_destroy(table->maps[FLOW_INSIDE]);
  hash_map_destroy(table->maps[FLOW_OUTSIDE]);
  index_allocator_destroy(table->allocator);
  free(table);
}

PERFPACT_METHOD(flow_table_get)
bool flow_table_get(const struct flow_table* table, enum flow_side side, const struct nf_key* key,
                    uint32_t* flow) {
  if (!hash_map_get(table->maps[side], key, flow)) {
    NF_OUTCOME_ONLY(miss);
    return false;
  }
  NF_OUTCOME_ONLY(hit);
  return true;
}

PERFPACT_METHOD(flow_table_add)
bool flow_table_add(struct flow_table* table, const struct nf_key* inside, const struct nf_key* outside,
                    uint16_t port, uint64_t now_ns, uint32_t* flow) {
  uint32_t number;
  if (!index_allocator_allocate(table->allocator, now_ns, &number)) {
    NF_OUTCOME_ONLY(full);
    return false;
  }
  PERFPACT_OUTCOME(added);
  struct flow* added = &table->flows[number];
  added->keys[FLOW_INSIDE] = *inside;
  added->port = port & table->port_mask;
  added->has_outside = outside != NULL;
  hash_map_put(table->maps[FLOW_INSIDE], inside, number);
  if (outside != NULL) {
    PERFPACT_PCV(k);
    added->keys[FLOW_OUTSIDE] = *outside;
    hash_map_put(table->maps[FLOW_OUTSIDE], outside, number);
  }
  *flow = number;
  return true;
}

PERFPACT_METHOD(flow_table_renew)
bool flow_table_renew(struct flow_table* table, uint32_t flow, uint64_t now_ns) {
  if (!index_allocator_renew(table->allocator, flow, now_ns)) {
    NF_OUTCOME_ONLY(free);
    return false;
  }
  NF_OUTCOME_ONLY(renewed);
  return true;
}

// Takes what finds FLOW out of the maps and gives its port back.
static inline void remove_keys(struct flow_table* table, const struct flow* flow) {
  hash_map_erase(table->maps[FLOW_INSIDE], &flow->keys[FLOW_INSIDE]);
  if (flow->has_outside) {
    PERFPACT_PCV(k);
    hash_map_erase(table->maps[FLOW_OUTSIDE], &flow->keys[FLOW_OUTSIDE]);
  }
  if (flow->port != 0) {
    PERFPACT_PCV(p);
    port_pool_release(table->ports, flow->port);
  }
}

PERFPACT_METHOD(flow_table_expire)
uint32_t flow_table_expire(struct flow_table* table, uint64_t time_ns) {
  uint32_t expired = 0;
  uint32_t more;
  do {
    uint32_t number;
    more = index_allocator_expire(table->allocator, time_ns, &number);
    if (more) {
      PERFPACT_PCV(e);
      remove_keys(table, &table->flows[number]);
      expired++;
    }
    NF_OPAQUE(more);
  } while (more);
  NF_OUTCOME_ONLY(done);
  return expired;
}
