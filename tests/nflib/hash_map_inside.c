// hash_map.c with a view of its inside for tests.
#include "../../nflib/src/hash_map.c"

#include "hash_map_inside.h"

uint32_t hash_map_slots_to(const struct hash_map* map, const struct nf_key* key) {
  uint32_t tag = nf_hash_map_tag(key, map->seed);
  return ((find(map, key, tag) - tag) & map->mask) + 1;
}
