#include "nflib/hash_map.h"

#include <stddef.h>
#include <stdlib.h>

#include "cost_structure.h"
#include "linear_probing.h"
#include "nflib/hash.h"
#include "perfpact.h"

// Entries lie in slots from their home on without a gap. A tag of 0 marks an empty slot, and there always is
// one.
struct entry {
  struct nf_key key;
  uint32_t value;
  uint32_t tag;
};

struct hash_map {
  uint32_t mask;
  uint32_t seed;
  uint32_t size;
  struct entry entries[];
};

struct hash_map* hash_map_create(uint32_t capacity, uint32_t seed) {
  if (capacity < 2 || capacity > UINT32_C(1) << 30 || (capacity & (capacity - 1)) != 0) return NULL;
  struct hash_map* map = calloc(1, sizeof *map + capacity * sizeof map->entries[0]);
  if (map == NULL) return NULL;
  map->mask = capacity - 1;
  map->seed = seed;
  return map;
}

void hash_map_destroy(struct hash_map* map) {
  free(map);
}

uint32_t hash_map_size(const struct hash_map* map) {
  return map->size;
}

static inline bool equal(const struct nf_key* left, const struct nf_key* right) {
  return ((left->words[0] ^ right->words[0]) | (left->words[1] ^ right->words[1])) == 0;
}

// The slot of KEY, or the empty slot where the search for it ends.
static inline uint32_t find(const struct hash_map* map, const struct nf_key* key, uint32_t tag) {
  const struct entry* entry;
  uint32_t slot = tag - 1;
  do {
    PERFPACT_PCV(t);
    slot = (slot + 1) & map->mask;
    entry = &map->entries[slot];
    if (entry->tag == tag) {
      if (equal(&entry->key, key)) break;
      PERFPACT_PCV(c);
    }
  } while (entry->tag != 0);
  return slot;
}

PERFPACT_METHOD(hash_map_get)
bool hash_map_get(const struct hash_map* map, const struct nf_key* key, uint32_t* value) {
  const struct entry* entry = &map->entries[find(map, key, nf_hash_map_tag(key, map->seed))];
  if (entry->tag == 0) {
    NF_OUTCOME_ONLY(miss);
    return false;
  }
  PERFPACT_OUTCOME(hit);
  *value = entry->value;
  return true;
}

PERFPACT_METHOD(hash_map_put)
bool hash_map_put(struct hash_map* map, const struct nf_key* key, uint32_t value) {
  uint32_t tag = nf_hash_map_tag(key, map->seed);
  struct entry* entry = &map->entries[find(map, key, tag)];
  if (entry->tag != 0) {
    PERFPACT_OUTCOME(replaced);
    entry->value = value;
    return true;
  }
  if (map->size == map->mask) {
    NF_OUTCOME_ONLY(full);
    return false;
  }
  PERFPACT_OUTCOME(inserted);
  entry->key = *key;
  entry->value = value;
  entry->tag = tag;
  map->size++;
  return true;
}

PERFPACT_METHOD(hash_map_erase)
bool hash_map_erase(struct hash_map* map, const struct nf_key* key) {
  uint32_t hole = find(map, key, nf_hash_map_tag(key, map->seed));
  if (map->entries[hole].tag == 0) {
    NF_OUTCOME_ONLY(miss);
    return false;
  }
  PERFPACT_OUTCOME(erased);
  uint32_t mask = map->mask;
  uint32_t slot = hole;
  uint32_t tag;
  do {
    PERFPACT_PCV(s);
    slot = (slot + 1) & mask;
    tag = map->entries[slot].tag;
    if (nf_moves_into(hole, slot, tag, mask)) {
      PERFPACT_PCV(m);
      map->entries[hole] = map->entries[slot];
      hole = slot;
    }
  } while (tag != 0);
  map->entries[hole].tag = 0;
  map->size--;
  return true;
}
