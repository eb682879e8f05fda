#pragma once
#include "nflib/hash_map.h"

#ifdef __cplusplus
extern "C" {
#endif

// How many slots a search for KEY looks at.
uint32_t hash_map_slots_to(const struct hash_map* map, const struct nf_key* key);

#ifdef __cplusplus
}
#endif
