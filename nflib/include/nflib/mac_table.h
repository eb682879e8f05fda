// A bridge's table of MAC addresses: a hash map with a secret key, so that an attacker cannot know which
// addresses collide, and entries that expire. Where learning an address looks at more slots than a threshold,
// the table takes a new key and moves all entries ("rehash"), once a call.
//
// PCVs: t, slots looked at; c, keys compared that were not the one looked for; e, entries expired; o, entries
// moved by a rehash. Calls inside carry their method's name. Tested by tests/nflib.
#ifndef NFLIB_MAC_TABLE_H
#define NFLIB_MAC_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mac_table;

// CAPACITY addresses, a power of two up to 2^24, in twice as many slots. KEY is the first secret key; the
// next are made from it. NULL where the numbers are wrong, or memory is short.
struct mac_table* mac_table_create(uint32_t capacity, uint32_t threshold, uint64_t key);
void mac_table_destroy(struct mac_table* table);

// MAC is the address in the low 48 bits. Outcomes `hit` (true; *port is set) and `miss`.
bool mac_table_lookup(const struct mac_table* table, uint64_t mac, uint16_t* port);
// The address was seen at a port. Outcomes `known` (true), `learned` (true), `rehashed` (true: learned, with
// a new key) and `full` (false).
bool mac_table_learn(struct mac_table* table, uint64_t mac, uint16_t port, uint64_t now_ns);
// Removes all addresses last seen before TIME_NS. Returns how many.
uint32_t mac_table_expire(struct mac_table* table, uint64_t time_ns);

#ifdef __cplusplus
}
#endif

#endif
