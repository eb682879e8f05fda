// Flows that are found by one or two keys and expire when they are not used: hash maps from keys to the
// numbers of flows, and an index allocator that hands the numbers out.
//
// PCVs: those of the calls inside, by the name of the method called (get.t, erase.t ...).
// Tested by tests/nflib.
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

// CAPACITY flows, 1 to 2^29; the hash maps are the next power of two above 5/4 of it. PORTS, or NULL, is
// where the ports of flows go back to as they expire. NULL where CAPACITY is wrong or memory is short.
struct flow_table* flow_table_create(uint32_t capacity, uint32_t seed, struct port_pool* ports);
void flow_table_destroy(struct flow_table* table);

// Outcomes `hit` (true; *flow is set) and `miss`. Does not renew.
bool flow_table_get(const struct flow_table* table, enum flow_side side, const struct nf_key* key,
                    uint32_t* flow);
// Adds a flow with the key INSIDE and, unless it is NULL, the key OUTSIDE; neither is in the table. PORT, if
// it is not 0, is given back to the pool as the flow expires. Outcomes `added` (true; *flow is set) and
// `full`.
bool flow_table_add(struct flow_table* table, const struct nf_key* inside, const struct nf_key* outside,
                    uint16_t port, uint64_t now_ns, uint32_t* flow);
// The flow was used. Outcomes `renewed` and `free`.
bool flow_table_renew(struct flow_table* table, uint32_t flow, uint64_t now_ns);
// Removes all flows that were last used before TIME_NS. Returns how many. PCV e: their number.
uint32_t flow_table_expire(struct flow_table* table, uint64_t time_ns);

#ifdef __cplusplus
}
#endif

#endif
