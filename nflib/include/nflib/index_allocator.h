// Hands out indices below a capacity and remembers when each was last used, oldest first: a doubly linked
// list in an array ("double chain"). All methods take constant time.
//
// Time does not go back: one before the newest seen counts as the newest.
// Tested by tests/nflib.
#ifndef NFLIB_INDEX_ALLOCATOR_H
#define NFLIB_INDEX_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct index_allocator;

// CAPACITY is from 1 to 2^30. NULL where it is not, or memory is short.
struct index_allocator* index_allocator_create(uint32_t capacity);
void index_allocator_destroy(struct index_allocator* allocator);

// Outcomes `allocated` (true; *index is set) and `full`.
bool index_allocator_allocate(struct index_allocator* allocator, uint64_t now_ns, uint32_t* index);
// Makes INDEX the one used last. Outcomes `renewed` (true) and `free` (false: it is not allocated).
bool index_allocator_renew(struct index_allocator* allocator, uint32_t index, uint64_t now_ns);
// Frees the oldest index if it was last used before TIME_NS. Outcomes `expired` (true; *index is set),
// `none`.
bool index_allocator_expire(struct index_allocator* allocator, uint64_t time_ns, uint32_t* index);
// Outcomes `released` (true) and `free`.
bool index_allocator_release(struct index_allocator* allocator, uint32_t index);
// Outcomes `allocated` and `free`.
bool index_allocator_is_allocated(const struct index_allocator* allocator, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
