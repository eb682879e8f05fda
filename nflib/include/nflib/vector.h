// An array of equal elements, zero at first.
// Tested by tests/nflib.
#ifndef NFLIB_VECTOR_H
#define NFLIB_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vector;

// NULL where CAPACITY or ELEMENT_BYTES is 0, their product is beyond the address space, or memory is short.
struct vector* vector_create(uint32_t capacity, size_t element_bytes);
void vector_destroy(struct vector* vector);

// The element INDEX, aligned to 8 bytes where its size is a multiple of 8; the same for the same index for as
// long as the vector lives. Outcomes `ok` and `outside` (NULL: INDEX is not below the capacity).
void* vector_borrow(struct vector* vector, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
