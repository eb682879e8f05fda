#include "nflib/mac_table.h"

#include <stddef.h>
#include <stdlib.h>

#include "linear_probing.h"
#include "nflib/hash.h"
#include "nflib/index_allocator.h"
#include "outcome.h"
#include "perfpact.h"

#define MAC_BITS ((UINT64_C(1) << 48) - 1)

// Addresses lie in slots from their home on without a gap. A tag of 0 marks an empty slot.
struct slot {
  uint64_t address;  // the MAC address in the high 48 bits, the port in the low 16
  uint32_t tag;
  uint32_t entry;  // its index in the allocator
};

struct mac_table {
  struct slot* slots;
  struct slot* spare;  // all empty, for the next rehash
  uint64_t key;
  uint32_t mask;
  uint32_t threshold;
  struct index_allocator* allocator;
  uint32_t slot_of[];  // by entry
};

struct mac_table* mac_table_create(uint32_t capacity, uint32_t threshold, uint64_t key) {
  if (capacity == 0 || capacity > UINT32_C(1) << 24 || (capacity & (capacity - 1)) != 0 || threshold == 0)
    return NULL;
  struct mac_table* table = calloc(1, sizeof *table + capacity * sizeof table->slot_of[0]);
  if (table == NULL) return NULL;
  table->slots = calloc(2 * (size_t)capacity, sizeof table->slots[0]);
  table->spare = calloc(2 * (size_t)capacity, sizeof table->spare[0]);
  table->key = key;
  table->mask = 2 * capacity - 1;
  table->threshold = threshold;
  table->allocator = index_allocator_create(capacity);
  if (table->slots != NULL && table->spare != NULL && table->allocator != NULL) return table;
  mac_table_destroy(table);
  return NULL;
}

void mac_table_destroy(struct mac_table* table) {
  if (table == NULL) return;
  free(table->slots);
  free(table->spare);
  index_allocator_destroy(table->allocator);
  free(table);
}

// Whether MAC is there. Gives its slot, or the empty slot where the search for it ends.
static inline bool find(const struct mac_table* table, uint64_t mac, uint32_t tag, uint32_t* at) {
  const struct slot* slot;
  *at = tag - 1;
  do {
    PERFPACT_PCV(t);
    *at = (*at + 1) & table->mask;
    slot = &table->slots[*at];
    if (slot->tag == tag) {
      if (slot->address >> 16 == mac) return true;
      PERFPACT_PCV(c);
    }
  } while (slot->tag != 0);
  return false;
}

PERFPACT_METHOD(mac_table_lookup)
bool mac_table_lookup(const struct mac_table* table, uint64_t mac, uint16_t* port) {
  mac &= MAC_BITS;
  uint32_t at;
  if (!find(table, mac, nf_mac_table_tag(mac, table->key), &at)) {
    NF_OUTCOME_ONLY(miss);
    return false;
  }
  PERFPACT_OUTCOME(hit);
  *port = (uint16_t)table->slots[at].address;
  return true;
}

// Moves all addresses to the spare slots under the next key, and leaves the old slots empty.
static inline void rehash(struct mac_table* table) {
  struct slot* old = table->slots;
  struct slot* slots = table->spare;
  uint32_t mask = table->mask;
  uint64_t key = nf_mac_table_next_key(table->key);
  for (uint32_t from = 0; from <= mask; from++) {
    PERFPACT_PCV(z);
    if (old[from].tag == 0) continue;
    PERFPACT_PCV(o);
    uint32_t tag = nf_mac_table_tag(old[from].address >> 16, key);
    uint32_t to = tag - 1;
    do {
      PERFPACT_PCV(p);
      to = (to + 1) & mask;
    } while (slots[to].tag != 0);
    slots[to] = (struct slot){.address = old[from].address, .tag = tag, .entry = old[from].entry};
    table->slot_of[old[from].entry] = to;
    old[from].tag = 0;
  }
  table->key = key;
  table->slots = slots;
  table->spare = old;
}

PERFPACT_METHOD(mac_table_learn)
bool mac_table_learn(struct mac_table* table, uint64_t mac, uint16_t port, uint64_t now_ns) {
  mac &= MAC_BITS;
  uint32_t tag = nf_mac_table_tag(mac, table->key);
  uint32_t at;
  bool is_known = find(table, mac, tag, &at);
  struct slot* slot = &table->slots[at];
  uint64_t address = mac << 16 | port;
  if (is_known) {
    PERFPACT_OUTCOME(known);
    slot->address = address;
    index_allocator_renew(table->allocator, slot->entry, now_ns);
    return true;
  }
  uint32_t entry;
  if (!index_allocator_allocate(table->allocator, now_ns, &entry)) {
    NF_OUTCOME_ONLY(full);
    return false;
  }
  *slot = (struct slot){.address = address, .tag = tag, .entry = entry};
  table->slot_of[entry] = at;
  if (((at - tag) & table->mask) < table->threshold) {
    NF_OUTCOME_ONLY(learned);
    return true;
  }
  PERFPACT_OUTCOME(rehashed);
  rehash(table);
  return true;
}

static inline void empty_slot(struct mac_table* table, uint32_t hole) {
  struct slot* slots = table->slots;
  uint32_t mask = table->mask;
  uint32_t at = hole;
  uint32_t tag;
  do {
    PERFPACT_PCV(s);
    at = (at + 1) & mask;
    tag = slots[at].tag;
    if (nf_moves_into(hole, at, tag, mask)) {
      PERFPACT_PCV(m);
      slots[hole] = slots[at];
      table->slot_of[slots[at].entry] = hole;
      hole = at;
    }
  } while (tag != 0);
  slots[hole].tag = 0;
}

PERFPACT_METHOD(mac_table_expire)
uint32_t mac_table_expire(struct mac_table* table, uint64_t time_ns) {
  uint32_t expired = 0;
  uint32_t more;
  do {
    uint32_t entry;
    more = index_allocator_expire(table->allocator, time_ns, &entry);
    if (more) {
      PERFPACT_PCV(e);
      empty_slot(table, table->slot_of[entry]);
      expired++;
    }
    NF_OPAQUE(more);
  } while (more);
  NF_OUTCOME_ONLY(done);
  return expired;
}
