// Hands out port numbers, each to one user at a time. Two implementations of one interface; a program links
// one of them:
//
//   port_pool_list.c   (library nflib_port_pool_list) A doubly linked list of the free ports: both methods
//                      cost the same always and have no PCVs.
//   port_pool_array.c  (library nflib_port_pool_array) An array of the taken ports, in which a port is looked
//                      for from where the last look ended, but only at 16 ports; and a singly linked list of
//                      the ports that were given back, which is asked if these are all taken. Cheap while few
//                      ports are taken, dear when nearly all are.
//                      PCVs of allocate, outcome `allocated`: s, ports looked at in the array (1 to 16); f, 1
//                      if the list was asked, else 0; d, ports taken from the list (0 if it was not asked;
//                      all but one of them were taken by way of the array since: each release pays for at
//                      most one). PCV of release, outcome `released`: l, 1 if the port goes on the list, 0 if
//                      it is there still.
//
// Tested by: tests/nflib.
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

// Outcomes `allocated` (true; *port is set) and `empty` (false: all are taken).
bool port_pool_allocate(struct port_pool* pool, uint16_t* port);
// Outcomes `released` (true) and `free` (false: it is not allocated, or none of the pool's).
bool port_pool_release(struct port_pool* pool, uint16_t port);

#ifdef __cplusplus
}
#endif

#endif
