// The count-min sketch (Cormode, Muthukrishnan, J. Algorithms 2005): counts by key in little memory, never
// too low. Tested by tests/nflib.
#ifndef NFLIB_COUNT_MIN_H
#define NFLIB_COUNT_MIN_H

#include <stdint.h>

#include "nflib/key.h"

#ifdef __cplusplus
extern "C" {
#endif

struct count_min;

// DEPTH rows (1 to 16) of WIDTH counters (a power of two up to 2^28). NULL where they are not, or memory is
// short.
struct count_min* count_min_create(uint32_t depth, uint32_t width, uint64_t seed);
void count_min_destroy(struct count_min* sketch);

// Outcome of both: `ok`. PCV: d, rows.

// Adds AMOUNT and returns the new estimate; counters stop at 2^64 - 1.
uint64_t count_min_add(struct count_min* sketch, const struct nf_key* key, uint64_t amount);
uint64_t count_min_estimate(const struct count_min* sketch, const struct nf_key* key);

#ifdef __cplusplus
}
#endif

#endif
