// A hash map from 16-byte keys to numbers: open addressing, linear probing, hashes stored beside the keys.
// A removal moves later entries back (no tombstones), so that probe distances stay those of a table that
// never held the removed key.
//
// The hash is CRC32C: fast, and no obstacle for an attacker. Who has to fear one takes mac_table.h as a
// model. hash.h says which slot and stored hash a key has.
//
// One slot always stays free, so that a search ends: a map holds at most its capacity less one.
//
// PCVs of all methods: t, slots looked at (at least 1); c, keys compared that were not the key looked for (a
// key is compared where the stored hash is equal). Time is O(t), 1.5 slots on average for a key that is there
// at half the capacity in use, 3 at 4/5. Tested by: tests/nflib.
#ifndef NFLIB_HASH_MAP_H
#define NFLIB_HASH_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "nflib/key.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hash_map;

// CAPACITY is a power of two from 2 to 2^30. NULL where it is not, or memory is short. SEED is what the hash
// begins with.
struct hash_map* hash_map_create(uint32_t capacity, uint32_t seed);
void hash_map_destroy(struct hash_map* map);
// How many keys are in the map.
uint32_t hash_map_size(const struct hash_map* map);

// Outcomes `hit` (true; *value is set) and `miss` (*value is left as it is).
bool hash_map_get(const struct hash_map* map, const struct nf_key* key, uint32_t* value);
// Outcomes `inserted` (true), `replaced` (true; the key was there) and `full` (false; nothing changed).
bool hash_map_put(struct hash_map* map, const struct nf_key* key, uint32_t value);
// Outcomes `erased` (true) and `miss`. PCVs of `erased` besides: s, slots looked at behind the one erased,
// with the empty one that ends the search (at least 1); m, entries moved back.
bool hash_map_erase(struct hash_map* map, const struct nf_key* key);

#ifdef __cplusplus
}
#endif

#endif
