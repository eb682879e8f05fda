// Flows that are found by one or two keys and expire when they are not used: hash maps from keys to the
// numbers of flows, and an index allocator that hands the numbers out. A program that uses it links a
// port_pool.h too.
//
// PCVs: those of the calls inside, by the name of the method called (get.t, erase.t ...), and what is said
// below. get and renew take the time of one such call. Time goes back as little as in index_allocator.h.
// Tested by: tests/nflib.
#ifndef NFLIB_FLOW_TABLE_H
#define NFLIB_FLOW_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "nflib/key.h"
#include "nflib/port_pool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct flow_table;

enum flow_side { FLOW_INSIDE, FLOW_OUTSIDE };

// CAPACITY flows, 1 to 2^29; the hash maps have the least power of two of slots that is above CAPACITY and
// not below 5/4 of it, and both hash with SEED. PORTS, or NULL, is where the ports of flows go back to as
// they expire; it has to live as long as the table. NULL where CAPACITY is wrong or memory is short.
struct flow_table* flow_table_create(uint32_t capacity, uint32_t seed, struct port_pool* ports);
void flow_table_destroy(struct flow_table* table);

// Outcomes `hit` (true; *flow is set) and `miss`. Does not renew.
bool flow_table_get(const struct flow_table* table, enum flow_side side, const struct nf_key* key,
                    uint32_t* flow);
// Adds a flow with the key INSIDE and, unless it is NULL, the key OUTSIDE. A key that is in the table already
// leads to the new flow from now on, and is removed with whichever of the two expires first. PORT, if it is
// not 0 and the table has a pool, is given back as the flow expires. Outcomes `added` (true; *flow is set)
// and `full`. PCV of `added`: k, 1 if there is an outside key, else 0.
bool flow_table_add(struct flow_table* table, const struct nf_key* inside, const struct nf_key* outside,
                    uint16_t port, uint64_t now_ns, uint32_t* flow);
// The flow was used. Outcomes `renewed` (true) and `free` (false: no such flow).
bool flow_table_renew(struct flow_table* table, uint32_t flow, uint64_t now_ns);
// Removes all flows that were last used before TIME_NS. Returns how many. Outcome `done`. PCVs: e, their
// number; k, how many of them had an outside key; p, how many had a port.
uint32_t flow_table_expire(struct flow_table* table, uint64_t time_ns);

#ifdef __cplusplus
}
#endif

#endif
