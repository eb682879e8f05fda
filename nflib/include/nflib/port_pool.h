// Hands out port numbers, each to one user at a time. Two implementations of one interface; a program links
// one of them:
//
//   port_pool_list.c   a doubly linked list of the free ports: taking and giving back cost the same always.
//   port_pool_array.c  an array of the taken ports, and a singly linked list of those that were given back: a
//   port
//                      is looked for from where the last was found (PCV s, ports looked at), and only in a
//                      full array is the list asked. Cheap at low occupancy, dear at high.
// Tested by tests/nflib.
#ifndef NFLIB_PORT_POOL_H
#define NFLIB_PORT_POOL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct port_pool;

// The ports FIRST .. FIRST + COUNT - 1, all free. NULL where there are none or one is above 65535, or memory
// is short.
struct port_pool* port_pool_create(uint16_t first, uint32_t count);
void port_pool_destroy(struct port_pool* pool);

// Outcomes `allocated` (true; *port is set) and `empty`.
bool port_pool_allocate(struct port_pool* pool, uint16_t* port);
// Outcomes `released` (true) and `free` (false: it is not allocated, or none of the pool's).
bool port_pool_release(struct port_pool* pool, uint16_t port);

#ifdef __cplusplus
}
#endif

#endif
