// A hash map from 16-byte keys to numbers: open addressing, linear probing, hashes stored beside the keys.
// A removal moves later entries back (no tombstones), so that probe distances stay those of a table that
// never held the removed key.
//
// The hash is CRC32C: fast, and no obstacle for an attacker. Who has to fear one takes mac_table.h as a
// model.
//
// PCVs of all methods: t, slots looked at; c, keys compared that were not the key looked for.
// Tested by tests/nflib.
#ifndef NFLIB_HASH_MAP_H
#define NFLIB_HASH_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "nflib/key.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hash_map;

// CAPACITY is a power of two, at most 2^30. NULL where it is not, or memory is short.
struct hash_map* hash_map_create(uint32_t capacity, uint32_t seed);
void hash_map_destroy(struct hash_map* map);
uint32_t hash_map_size(const struct hash_map* map);

// Outcomes `hit` (true; *value is set) and `miss`.
bool hash_map_get(const struct hash_map* map, const struct nf_key* key, uint32_t* value);
// Outcomes `inserted` (true), `replaced` (true; the key was there) and `full` (false; nothing changed).
bool hash_map_put(struct hash_map* map, const struct nf_key* key, uint32_t value);
// Outcomes `erased` (true) and `miss`. PCV s: entries looked at behind the one erased; m: entries moved.
bool hash_map_erase(struct hash_map* map, const struct nf_key* key);

#ifdef __cplusplus
}
#endif

#endif
