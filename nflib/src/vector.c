#include "nflib/vector.h"

#include <stdlib.h>

#include "cost_structure.h"
#include "perfpact.h"

struct vector {
  size_t element_bytes;
  uint32_t capacity;
  _Alignas(max_align_t) unsigned char elements[];
};

struct vector* vector_create(uint32_t capacity, size_t element_bytes) {
  if (capacity == 0 || element_bytes == 0) return NULL;
  if (element_bytes > (PTRDIFF_MAX - sizeof(struct vector)) / capacity) return NULL;
  struct vector* vector = calloc(1, sizeof *vector + capacity * element_bytes);
  if (vector == NULL) return NULL;
  vector->element_bytes = element_bytes;
  vector->capacity = capacity;
  return vector;
}

void vector_destroy(struct vector* vector) {
  free(vector);
}

PERFPACT_METHOD(vector_borrow)
void* vector_borrow(struct vector* vector, uint32_t index) {
  if (index >= vector->capacity) {
    NF_OUTCOME_ONLY(outside);
    return NULL;
  }
  PERFPACT_OUTCOME(ok);
  return vector->elements + index * vector->element_bytes;
}
