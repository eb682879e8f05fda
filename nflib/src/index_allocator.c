#include "nflib/index_allocator.h"

#include <stddef.h>
#include <stdlib.h>

#include "cost_structure.h"
#include "perfpact.h"

// The allocated indices form a ring from the oldest to the newest, closed by the cell `capacity + 1`, whose
// time is after all others: an empty ring needs no test of its own. Free ones form a list by `next`, ended by
// NONE; `previous` of a free cell is NONE. The cell `capacity` is never allocated: it stands for every index
// outside.
enum { RING = 1, EXTRA_CELLS = 2 };
#define NONE UINT32_MAX

struct cell {
  uint64_t time_ns;
  uint32_t previous;
  uint32_t next;
};

struct index_allocator {
  uint64_t newest_ns;
  uint32_t capacity;
  uint32_t free;
  struct cell cells[];
};

struct index_allocator* index_allocator_create(uint32_t capacity) {
  if (capacity == 0 || capacity > UINT32_C(1) << 30) return NULL;
  struct index_allocator* allocator =
      calloc(1, sizeof *allocator + ((size_t)capacity + EXTRA_CELLS) * sizeof allocator->cells[0]);
  if (allocator == NULL) return NULL;
  allocator->capacity = capacity;
  for (uint32_t index = 0; index <= capacity; index++) {
    allocator->cells[index].previous = NONE;
    allocator->cells[index].next = index + 1;
  }
  allocator->cells[capacity - 1].next = NONE;
  uint32_t ring = capacity + RING;
  allocator->cells[ring].previous = ring;
  allocator->cells[ring].next = ring;
  allocator->cells[ring].time_ns = UINT64_MAX;
  return allocator;
}

void index_allocator_destroy(struct index_allocator* allocator) {
  free(allocator);
}

// The index of a cell: that which is never allocated for all indices outside. No branch.
static inline uint32_t clamp(const struct index_allocator* allocator, uint32_t index) {
  return index < allocator->capacity ? index : allocator->capacity;
}

// Time, not before the newest seen. No branch.
static inline uint64_t advance(struct index_allocator* allocator, uint64_t now_ns) {
  uint64_t newest = allocator->newest_ns;
  newest = now_ns > newest ? now_ns : newest;
  allocator->newest_ns = newest;
  return newest;
}

static inline void unlink_cell(struct index_allocator* allocator, uint32_t index) {
  struct cell* cells = allocator->cells;
  uint32_t previous = cells[index].previous;
  uint32_t next = cells[index].next;
  cells[previous].next = next;
  cells[next].previous = previous;
}

static inline void append_cell(struct index_allocator* allocator, uint32_t index, uint64_t time_ns) {
  struct cell* cells = allocator->cells;
  uint32_t ring = allocator->capacity + RING;
  uint32_t newest = cells[ring].previous;
  cells[index].time_ns = time_ns;
  cells[index].previous = newest;
  cells[index].next = ring;
  cells[newest].next = index;
  cells[ring].previous = index;
}

static inline void free_cell(struct index_allocator* allocator, uint32_t index) {
  unlink_cell(allocator, index);
  allocator->cells[index].previous = NONE;
  allocator->cells[index].next = allocator->free;
  allocator->free = index;
}

PERFPACT_METHOD(index_allocator_allocate)
bool index_allocator_allocate(struct index_allocator* allocator, uint64_t now_ns, uint32_t* index) {
  uint32_t taken = allocator->free;
  uint64_t time_ns = advance(allocator, now_ns);
  if (taken == NONE) {
    NF_OUTCOME_ONLY(full);
    return false;
  }
  PERFPACT_OUTCOME(allocated);
  allocator->free = allocator->cells[taken].next;
  append_cell(allocator, taken, time_ns);
  *index = taken;
  return true;
}

PERFPACT_METHOD(index_allocator_renew)
bool index_allocator_renew(struct index_allocator* allocator, uint32_t index, uint64_t now_ns) {
  index = clamp(allocator, index);
  uint64_t time_ns = advance(allocator, now_ns);
  if (allocator->cells[index].previous == NONE) {
    NF_OUTCOME_ONLY(free);
    return false;
  }
  PERFPACT_OUTCOME(renewed);
  unlink_cell(allocator, index);
  append_cell(allocator, index, time_ns);
  return true;
}

PERFPACT_METHOD(index_allocator_expire)
bool index_allocator_expire(struct index_allocator* allocator, uint64_t time_ns, uint32_t* index) {
  struct cell* cells = allocator->cells;
  uint32_t oldest = cells[allocator->capacity + RING].next;
  if (cells[oldest].time_ns >= time_ns) {
    NF_OUTCOME_ONLY(none);
    return false;
  }
  PERFPACT_OUTCOME(expired);
  free_cell(allocator, oldest);
  *index = oldest;
  return true;
}

PERFPACT_METHOD(index_allocator_release)
bool index_allocator_release(struct index_allocator* allocator, uint32_t index) {
  index = clamp(allocator, index);
  if (allocator->cells[index].previous == NONE) {
    NF_OUTCOME_ONLY(free);
    return false;
  }
  PERFPACT_OUTCOME(released);
  free_cell(allocator, index);
  return true;
}

PERFPACT_METHOD(index_allocator_is_allocated)
bool index_allocator_is_allocated(const struct index_allocator* allocator, uint32_t index) {
  if (allocator->cells[clamp(allocator, index)].previous == NONE) {
    NF_OUTCOME_ONLY(free);
    return false;
  }
  NF_OUTCOME_ONLY(allocated);
  return true;
}
