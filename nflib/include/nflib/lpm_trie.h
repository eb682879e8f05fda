// Longest-prefix match over IPv4 prefixes by a Patricia trie: inner nodes only where prefixes part, at most 2
// n - 1 nodes for n prefixes, all allocated at the start. Tested by tests/nflib.
#ifndef NFLIB_LPM_TRIE_H
#define NFLIB_LPM_TRIE_H

#include <stdbool.h>
#include <stdint.h>

struct lpm_trie;

// Up to CAPACITY prefixes, 1 to 2^29. NULL where it is not, or memory is short.
struct lpm_trie* lpm_trie_create(uint32_t capacity);
void lpm_trie_destroy(struct lpm_trie* trie);

// PREFIX in host byte order, its bits below LENGTH zero; LENGTH 0 to 32. Outcomes `inserted` (true),
// `replaced` (true), `full` (false) and `invalid` (false).
bool lpm_trie_add(struct lpm_trie* trie, uint32_t prefix, uint8_t length, uint32_t value);
// Outcomes `removed` (true) and `miss`.
bool lpm_trie_remove(struct lpm_trie* trie, uint32_t prefix, uint8_t length);
// Outcomes `hit` (true; *value is set) and `miss`. PCV l: nodes looked at.
bool lpm_trie_lookup(const struct lpm_trie* trie, uint32_t address, uint32_t* value);

#endif
