// Longest-prefix match over IPv4 prefixes by a Patricia trie: inner nodes only where prefixes part, at most 2
// n - 1 nodes for n prefixes, all allocated at the start. Tested by tests/nflib.
#ifndef NFLIB_LPM_TRIE_H
#define NFLIB_LPM_TRIE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lpm_trie;

// Up to CAPACITY prefixes, 1 to 2^29. NULL where it is not, or memory is short.
struct lpm_trie* lpm_trie_create(uint32_t capacity);
void lpm_trie_destroy(struct lpm_trie* trie);
uint32_t lpm_trie_size(const struct lpm_trie* trie);

// A PREFIX is in host byte order, its bits below LENGTH zero, LENGTH 0 to 32; with another one methods end in
// `invalid` (false). PCV l of all methods: nodes looked at, the last one included, where nothing more
// matches. What add and remove do to the nodes is told by PCVs that are 0 or 1.

// Outcomes `inserted` (true), `replaced` (true), `full` (false) and `invalid`. PCVs of `inserted`: grown, a
// leaf got children; split, a node was put in between; valued, the node was there.
bool lpm_trie_add(struct lpm_trie* trie, uint32_t prefix, uint8_t length, uint32_t value);
// Outcomes `removed` (true), `miss` and `invalid`. PCVs of `removed`: shrunk, the node above is a leaf now;
// lifted, the leaf's sibling took the place of the node above; joined, the only child took the node's place.
bool lpm_trie_remove(struct lpm_trie* trie, uint32_t prefix, uint8_t length);
// The longest prefix that contains the given one and is shorter. Outcomes `hit` (true; *covering_length and
// *value are set), `miss` and `invalid`.
bool lpm_trie_cover(const struct lpm_trie* trie, uint32_t prefix, uint8_t length, uint8_t* covering_length,
                    uint32_t* value);
// Outcomes `hit` (true; *value is set) and `miss`.
bool lpm_trie_lookup(const struct lpm_trie* trie, uint32_t address, uint32_t* value);

#ifdef __cplusplus
}
#endif

#endif
