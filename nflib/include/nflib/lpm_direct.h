// Longest-prefix match over IPv4 prefixes by DIR-24-8 (Gupta, Lin, McKeown: "Routing lookups in hardware at
// memory access speeds", INFOCOM 1998): a table of 2^24 entries, and one of 256 for each /24 that has longer
// prefixes. Tested by tests/nflib.
#ifndef NFLIB_LPM_DIRECT_H
#define NFLIB_LPM_DIRECT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lpm_direct;

enum { LPM_DIRECT_LARGEST_VALUE = (1 << 22) - 1 };

// Up to CAPACITY prefixes, 1 to 2^22, and GROUPS tables of 256, 0 to 2^20. NULL where they are not, or memory
// is short.
struct lpm_direct* lpm_direct_create(uint32_t capacity, uint32_t groups);
void lpm_direct_destroy(struct lpm_direct* table);

// Prefixes as in lpm_trie.h, and `invalid` (false) with another one. The prefixes are kept in a trie too;
// PCVs of the calls inside carry their method's name. PCVs of add and remove: f, entries of the first table
// looked at; x, tables of 256 looked at, and e, entries in them; deep, 1 for a prefix of more than 24 bits;
// opened, closed, 1 where a table of 256 was taken or freed; n, entries copied into one taken; covered, 1
// where a shorter prefix takes over.

// Outcomes as those of lpm_trie_add; `no_group` (false) where no table of 256 is free, `invalid` also where
// VALUE is too large.
bool lpm_direct_add(struct lpm_direct* table, uint32_t prefix, uint8_t length, uint32_t value);
// Outcomes `removed` (true), `miss` and `invalid`.
bool lpm_direct_remove(struct lpm_direct* table, uint32_t prefix, uint8_t length);
// Outcomes `hit` (true; *value is set) and `miss`. PCV s: stages, 1 or 2.
bool lpm_direct_lookup(const struct lpm_direct* table, uint32_t address, uint32_t* value);

#ifdef __cplusplus
}
#endif

#endif
